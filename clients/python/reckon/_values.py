"""What the service says. A value that is not valid or not known is None; accuracies hold the truth with 68 %."""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta, timezone
from typing import FrozenSet, Optional, Tuple
import re

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _snake(name):
    return re.sub(r"([A-Z])", lambda m: "_" + m.group(1).lower(), name)


def _known(cls, members):
    """The members that this version knows, by their names in Python."""
    names = {field.name for field in fields(cls)}
    return {_snake(key): value for key, value in members.items() if _snake(key) in names}


def _time(utc):
    return None if utc is None else _EPOCH + timedelta(microseconds=utc // 1000)


@dataclass(frozen=True)
class Location:
    """Where the car is. Degrees, metres, metres a second; `timestamp` in nanoseconds since boot, `utc` since 1970; `floor` in storeys."""

    latitude_degrees: float
    longitude_degrees: float
    timestamp: int
    horizontal_accuracy: Optional[float] = None
    altitude: Optional[float] = None
    ellipsoidal_altitude: Optional[float] = None
    vertical_accuracy: Optional[float] = None
    course_degrees: Optional[float] = None
    course_accuracy_degrees: Optional[float] = None
    heading_degrees: Optional[float] = None
    heading_accuracy_degrees: Optional[float] = None
    speed: Optional[float] = None
    signed_speed: Optional[float] = None
    speed_accuracy: Optional[float] = None
    utc: Optional[int] = None
    sources: FrozenSet[str] = frozenset()
    mode: Optional[str] = None
    floor: Optional[int] = None

    @property
    def time(self):
        """When it holds, as a datetime in UTC, to the microsecond; None as long as nobody has told the time."""
        return _time(self.utc)

    @classmethod
    def of(cls, members):
        return cls(**{**_known(cls, members), "sources": frozenset(members.get("sources", ()))})


@dataclass(frozen=True)
class Region:
    """A circle whose crossing is told; `radius` in metres, 10 to 1,000,000."""

    identifier: str
    latitude_degrees: float
    longitude_degrees: float
    radius: float
    notify_on_entry: bool = True
    notify_on_exit: bool = True

    @classmethod
    def of(cls, members):
        return cls(**_known(cls, members))

    @property
    def members(self):
        return {
            "identifier": self.identifier, "latitudeDegrees": self.latitude_degrees,
            "longitudeDegrees": self.longitude_degrees, "radius": self.radius,
            "notifyOnEntry": self.notify_on_entry, "notifyOnExit": self.notify_on_exit,
        }


@dataclass(frozen=True)
class RegionEvent:
    """An edge was crossed; `kind` is entered or exited."""

    number: int
    identifier: str
    kind: str
    timestamp: int
    utc: Optional[int] = None

    @property
    def time(self):
        """When, as a datetime in UTC; None where that was not known."""
        return _time(self.utc)

    @classmethod
    def of(cls, members):
        return cls(**_known(cls, members))


@dataclass(frozen=True)
class Heading:
    """Which way the car's nose points, in degrees from true north through east; `timestamp` and `utc` as of a Location."""

    true_heading_degrees: float
    heading_accuracy_degrees: float
    timestamp: int
    utc: Optional[int] = None

    @property
    def time(self):
        """When it holds, as a datetime in UTC; None as long as nobody has told the time."""
        return _time(self.utc)

    @classmethod
    def of(cls, members):
        return cls(**_known(cls, members))


@dataclass(frozen=True)
class Visit:
    """The car has parked there, or has left: then there is a departure. Without an arrival it stood there already."""

    latitude_degrees: float
    longitude_degrees: float
    horizontal_accuracy: float
    arrival: Optional[datetime] = None
    departure: Optional[datetime] = None
    sources: FrozenSet[str] = frozenset()

    @classmethod
    def of(cls, members):
        times = {key: _time(members.get(key)) for key in ("arrival", "departure")}
        return cls(**{**_known(cls, members), **times, "sources": frozenset(members.get("sources", ()))})


@dataclass(frozen=True)
class Status:
    """How the service does; `unknown` says why the place is not known."""

    timestamp: int
    mode: Optional[str] = None
    unknown: Optional[str] = None
    horizontal_accuracy: Optional[float] = None
    lost_sources: Tuple[str, ...] = ()

    @classmethod
    def of(cls, members):
        return cls(**{**_known(cls, members), "lost_sources": tuple(members.get("lostSources", ()))})


@dataclass(frozen=True)
class Authorization:
    """What was decided about a program; `status` and `accuracy` are None of a decision that was forgotten and is still on the disk."""

    name: str
    user: int
    status: Optional[str]
    accuracy: Optional[str]
    is_stored: bool = True

    @classmethod
    def of(cls, members):
        client, grant = members["client"], members.get("grant") or {}
        return cls(client["name"], client["user"], grant.get("status"), grant.get("accuracy"),
                   members.get("stored", True))


@dataclass(frozen=True)
class Usage:
    """Who was told where the car is, and when."""

    name: str
    user: int
    purpose: str
    began: datetime
    ended: datetime
    count: int

    @classmethod
    def of(cls, members):
        client = members["client"]
        return cls(client["name"], client["user"], members["purpose"], _time(members["from"]),
                   _time(members["until"]), members["count"])
