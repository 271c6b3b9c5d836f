"""Why there is no answer, or not the one that was asked for."""


class ReckonError(Exception):
    """Any of them; `failure` is what the service said."""

    def __init__(self, text, failure=None):
        super().__init__(text)
        self.failure = failure or {}

    @property
    def reason(self):
        return self.failure.get("reason")


class Denied(ReckonError):
    """The program may not know. `reason`: serviceDisabled, deniedForClient, notDetermined or accuracyReduced."""


class LocationUnknown(ReckonError):
    """The place is not known. `reason`: hardwareMissing, sourceUnreachable, notEnoughAccuracy, searching or replayEnded."""


class FullAccuracyNotAllowed(ReckonError):
    """Full accuracy for a while is not allowed for that purpose."""


class RegionError(ReckonError):
    """A region cannot be monitored."""


class NotStored(ReckonError):
    """A decision holds, but could not be written: it is forgotten at the next start."""


class ProtocolViolation(ReckonError):
    """The service does not understand, or the name or purpose of the program cannot be used."""


class ServiceUnreachable(ReckonError):
    """There is no connection to the service."""


_KINDS = {
    "denied": Denied, "locationUnknown": LocationUnknown, "notStored": NotStored, "regionDenied": Denied,
    "fullAccuracyNotAllowed": FullAccuracyNotAllowed,
}
_TEXTS = {
    "notDetermined": "nobody has allowed this program yet: reckon authorize allow NAME",
    "deniedForClient": "denied for this program",
    "serviceDisabled": "location services are off",
    "accuracyReduced": "only reduced accuracy is allowed",
}


def error_of(failure):
    """The exception for what the service calls a failure."""
    name = failure.get("error", "unknown")
    kind = _KINDS.get(name, RegionError if "egion" in name else ProtocolViolation)
    reason = failure.get("reason") or failure.get("limit")
    text = _TEXTS.get(reason) or (name if reason is None else f"{name}: {reason}")
    return kind(text, failure)
