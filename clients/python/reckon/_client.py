"""What a program asks of the service."""

from ._connection import Connection
from ._values import Region


class Client(Connection):
    """A program's access to location, by the name that it is authorized by and what it needs location for.

    Used with `async with`. Without `socket`, the environment's RECKON_SOCKET counts, else /run/reckon/location.sock.
    A service that says nothing for 10 s is gone. It is looked for every second, and iterators go on when it is back;
    after `patience` seconds without it (None: never) they raise ServiceUnreachable.
    """

    def __init__(self, name, purpose, socket=None, patience=60.0):
        super().__init__(name, purpose, socket, patience)

    # Whether the program is let

    @property
    def is_allowed(self):
        return self._allowed.is_set()

    async def wait_until_allowed(self, within=600.0):
        """Waits until somebody lets the program, so many seconds; then raises what stands in the way."""
        if not await self._until(self._allowed, within):
            self._refuse_if_denied()

    # Locations

    async def locations(self, accuracy="bestForNavigation", distance_filter=None, pauses=True,
                        activity="automotiveNavigation"):
        """Every location; the first is what is known already, with "cached" among its sources."""
        settings = {"type": "configure", "desiredAccuracy": accuracy, "pausesAutomatically": pauses,
                    "activity": activity}
        if distance_filter:
            settings["distanceFilter"] = distance_filter
        async for location in self._service("standard", settings, "start", "stop"):
            yield location

    async def significant_changes(self):
        """Moves of some 500 m. Leaving the loop ends the service; a program that was cut off is told what happened meanwhile."""
        async for location in self._service("significantChange", None, "startSignificantChange",
                                            "stopSignificantChange"):
            yield location

    async def visits(self):
        """Where the car parks; raises Denied with reduced accuracy. Leaving the loop ends the service; a program that was cut off is told what happened meanwhile."""
        async for visit in self._service("visits", None, "startVisits", "stopVisits"):
            yield visit

    async def headings(self, filter=1.0):
        """Which way the car points, each time it has turned by `filter` degrees (None: always); raises Denied with reduced accuracy."""
        async for heading in self._service("heading", None, "startHeading", "stopHeading", {"filter": filter}, 1):
            yield heading

    async def _service(self, service, settings, start, stop, more=None, most=6000):
        self._refuse_if_denied()
        session = self._next()
        messages = ([settings] if settings else []) + [{"type": start, "session": session, **(more or {})}]
        with self._listen(("locations", service, session), most) as queue:
            self._running[service] = messages
            try:
                self._say(*messages)
                while True:
                    yield await queue.get()
            finally:
                if self._running.get(service) is messages:
                    del self._running[service]
                    self._say({"type": stop, "session": session} if service == "standard" else {"type": stop})

    async def request_location(self, within=10.0):
        """The first location that is as accurate as desired, or the best there was within so many seconds."""
        return await self._ask({"type": "requestLocation", "within": within}, within)

    async def best_of(self, count, within):
        """The most accurate of so many new locations."""
        return await self._ask({"type": "bestOf", "count": count, "within": within}, within)

    async def request_temporary_full_accuracy(self, purpose_key):
        """With `accuracy` reduced, the full one for a while, where the owner has allowed it for that purpose; else raises
        FullAccuracyNotAllowed. Returns when it ends, in nanoseconds since boot; None where accuracy is full for good."""
        return await self._ask({"type": "requestTemporaryFullAccuracy", "purposeKey": purpose_key})

    async def start_keeping_history(self):
        """Has the places of the last 24 hours kept from now on, until stop_keeping_history, or until the program is denied."""
        await self._ask({"type": "startHistory"})

    async def stop_keeping_history(self):
        """Deletes what was kept for this program."""
        self._refuse_if_denied()
        self._say({"type": "stopHistory"})

    async def historical_locations(self, count=1000, since=None):
        """At most `count` places of the last 24 hours, evenly chosen, oldest first; `since` in nanoseconds of UTC, as `Location.utc`."""
        return await self._ask({"type": "requestHistory", "count": count, "since": since})

    # Regions

    async def start_monitoring(self, region: Region):
        """Monitors a region from now on, also while the program is away; returns once that is on the disk."""
        self._refuse_if_denied()
        await self._wait_in(self._regions, region.identifier, {"type": "startMonitoring", "region": region.members})

    async def stop_monitoring(self, identifier):
        """Monitors a region no longer; returns once that is on the disk."""
        self._refuse_if_denied()
        self._say({"type": "stopMonitoring", "identifier": identifier})
        await self.regions()

    async def regions(self):
        """The regions that the service monitors for this program, those of earlier runs included."""
        self._refuse_if_denied()
        return await self._wait_in_line(self._lists, {"type": "requestRegions"})

    async def region_state(self, identifier):
        """unknown, inside or outside."""
        self._refuse_if_denied()
        return await self._wait_in(self._states, identifier, {"type": "requestState", "identifier": identifier})

    async def region_events(self):
        """Crossings, those included that happened while the program was away. Each is acknowledged when the next is asked for."""
        with self._listen(("regionEvent",)) as queue:
            for event in self._events:
                queue.put(event)
            self._events.clear()
            while True:
                event = await queue.get()
                yield event
                self._seen.add(event.number)
                self._say({"type": "acknowledge", "event": event.number})

    # The service

    async def status(self):
        """How the service does: once a second, and at every change; while it is away, `unknown` is "serviceUnreachable", once."""
        with self._listen(("status",), 1) as queue:
            if not self.is_connected:
                queue.put(self._unreachable())
            while True:
                yield await queue.get()

    async def authorize(self, name, user, status="authorized", accuracy="full", purpose_keys=()):
        """Decides about a program (status None forgets); returns what is decided once it is on the disk, else raises NotStored.
        With reduced accuracy, `purpose_keys` are what it may have the full one for, for a while."""
        message = {"type": "authorize", "client": {"name": name, "user": user}}
        if status is not None:
            message["grant"] = {"status": status, "accuracy": accuracy, "fullAccuracyPurposeKeys": list(purpose_keys)}
        return (await self._wait_in_line(self._decisions, message))[0]

    async def authorizations(self):
        """What was decided, and who was told in the last 24 hours: lists of Authorization and of Usage."""
        return await self._wait_in_line(self._decisions, {"type": "requestAuthorizations"})
