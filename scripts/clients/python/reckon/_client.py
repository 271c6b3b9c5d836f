"""The connection to the service, and what runs on it."""

import asyncio
import json
import os
from collections import deque
from contextlib import contextmanager

from ._errors import Denied, ServiceUnreachable, error_of
from ._values import Authorization, Heading, Location, Region, RegionEvent, Status, Usage, Visit

DEFAULT_SOCKET = "/run/reckon/location.sock"
_LONGEST_LINE = 8 << 20
_RETRY = 1.0


class _Queue:
    """What waits for one iterator: bounded where the newest counts, and then the oldest goes."""

    def __init__(self, most=None):
        self._items, self._most, self._ready = deque(maxlen=most), most, asyncio.Event()

    def put(self, item):
        self._items.append(item)
        self._ready.set()

    async def get(self):
        while not self._items:
            self._ready.clear()
            await self._ready.wait()
        return self._items.popleft()


class Client:
    """A program's access to location, by the name that it is authorized by and what it needs location for.

    Used with `async with`. Without `socket`, the environment's RECKON_SOCKET counts, else /run/reckon/location.sock.
    """

    def __init__(self, name, purpose, socket=None):
        self.name, self.purpose = name, purpose
        self.socket = socket or os.environ.get("RECKON_SOCKET") or DEFAULT_SOCKET
        self.accuracy = None
        self._writer = self._task = self._fault = self._denial = None
        self._known, self._allowed = asyncio.Event(), asyncio.Event()
        self._number = 0
        self._answers, self._regions, self._states, self._lists, self._decisions = {}, {}, {}, deque(), deque()
        self._listeners = {}
        self._running = {}
        self._events, self._seen = deque(), set()

    async def __aenter__(self):
        """Connects; a service that is away raises ServiceUnreachable."""
        streams = await self._connect()
        self._task = asyncio.ensure_future(self._run(streams))
        await self._until(self._known)
        return self

    async def __aexit__(self, *_):
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(ServiceUnreachable("the client was closed"))
        if self._writer:
            self._writer.close()

    # Whether the program is let

    @property
    def is_allowed(self):
        return self._allowed.is_set()

    async def wait_until_allowed(self):
        """Waits until somebody lets the program."""
        await self._until(self._allowed)

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
                    item = await queue.get()
                    if isinstance(item, Exception):
                        raise item
                    yield item
            finally:
                if self._running.get(service) is messages:
                    del self._running[service]
                    self._say({"type": stop, "session": session} if service == "standard" else {"type": stop})

    async def request_location(self, within=10.0):
        """The first location that is as accurate as desired, or the best there was within so many seconds."""
        return await self._ask({"type": "requestLocation", "within": within})

    async def best_of(self, count, within):
        """The most accurate of so many new locations."""
        return await self._ask({"type": "bestOf", "count": count, "within": within})

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

    async def _ask(self, message):
        self._refuse_if_denied()
        number = self._next()
        self._answers[number] = future = asyncio.get_running_loop().create_future()
        try:
            self._say({**message, "number": number})
            return await future
        finally:
            self._answers.pop(number, None)

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
        """How the service does: once a second, and at every change."""
        with self._listen(("status",), 1) as queue:
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

    # The connection

    async def _connect(self):
        try:
            return await asyncio.open_unix_connection(self.socket, limit=_LONGEST_LINE)
        except OSError as error:
            raise ServiceUnreachable(f"{self.socket}: {error.strerror or error}") from error

    async def _run(self, streams):
        while True:
            if streams:
                reader, self._writer = streams
                self._say({"type": "hello", "version": 1, "name": self.name, "purpose": self.purpose})
                await self._read(reader)
                self._writer.close()
                self._writer = None
                self._allowed.clear()
                self._fail(ServiceUnreachable(f"{self.socket}: the service ended the connection"))
                if self._fault:
                    return
            await asyncio.sleep(_RETRY)
            try:
                streams = await self._connect()
            except ServiceUnreachable:
                streams = None

    async def _read(self, reader):
        while True:
            try:
                line = await reader.readline()
            except (OSError, ValueError):
                return
            if not line.endswith(b"\n"):
                return
            try:
                message = json.loads(line)
            except ValueError:
                continue
            take = getattr(self, "_take_" + str(message.get("type")), None)
            if take:
                take(message)

    def _say(self, *messages):
        if self._writer:
            for message in messages:
                self._writer.write((json.dumps(message, allow_nan=False) + "\n").encode())

    def _next(self):
        self._number += 1
        return self._number

    @contextmanager
    def _listen(self, key, most=None):
        queue = _Queue(most)
        self._listeners.setdefault(key, []).append(queue)
        try:
            yield queue
        finally:
            self._listeners[key].remove(queue)

    def _tell(self, key, item):
        queues = self._listeners.get(key, [])
        for queue in queues:
            queue.put(item)
        return bool(queues)

    async def _wait_in(self, waiting, key, message):
        future = asyncio.get_running_loop().create_future()
        waiting.setdefault(key, deque()).append(future)
        return await self._wait(future, message)

    async def _wait_in_line(self, line, message):
        future = asyncio.get_running_loop().create_future()
        line.append(future)
        return await self._wait(future, message)

    async def _wait(self, future, message):
        if not self._writer:
            future.set_exception(ServiceUnreachable(f"{self.socket}: there is no connection"))
        self._say(message)
        return await future

    async def _until(self, event):
        """Waits for `event`, or raises what ended the client for good."""
        waiting = asyncio.ensure_future(event.wait())
        done, _ = await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if waiting not in done:
            waiting.cancel()
        if self._fault:
            raise self._fault

    def _refuse_if_denied(self):
        if self._fault or self._denial:
            raise self._fault or self._denial
        if not self._writer:
            raise ServiceUnreachable(f"{self.socket}: there is no connection")

    @staticmethod
    def _settle(line, value):
        """Answers the first who waits and still wants it."""
        while line:
            future = line.popleft()
            if future.done():
                return
            if isinstance(value, Exception):
                future.set_exception(value)
            else:
                future.set_result(value)
            return

    def _fail(self, error, are_decisions_open=False):
        """Ends every open question, but for those of administrators, who need not be let, where the connection stands."""
        for future in self._answers.values():
            if not future.done():
                future.set_exception(error)
        lines = [*self._regions.values(), *self._states.values(), self._lists]
        for line in lines + ([] if are_decisions_open else [self._decisions]):
            while line:
                self._settle(line, error)

    # What the service says, by its type

    def _take_welcome(self, message):
        self.accuracy, self._denial = message.get("accuracy"), None
        self._known.set()
        self._allowed.set()
        for messages in self._running.values():
            self._say(*messages)

    def _take_failed(self, message):
        failure = message.get("failure", {})
        error = error_of(failure)
        if failure.get("error") == "notStored":
            return self._settle(self._decisions, error)
        if isinstance(error, Denied):
            if self._known.is_set() and self._decisions:
                # The answer to who wishes to decide and may not.
                return self._settle(self._decisions, error)
            self._denial = error
            self._allowed.clear()
            self._fail(error, are_decisions_open=True)
            for (kind, *_), queues in self._listeners.items():
                for queue in queues if kind == "locations" else ():
                    queue.put(error)
            return self._known.set()
        if failure.get("error") in ("purposeMissing", "purposeInvalid", "identifierInvalid", "protocolViolation"):
            self._fault = error
            self._fail(error)
            self._known.set()

    def _take_locations(self, message):
        key = ("locations", message.get("service"), message.get("session"))
        for members in message.get("locations", ()):
            self._tell(key, Location.of(members))

    def _take_visits(self, message):
        for members in message.get("visits", ()):
            self._tell(("locations", "visits", message.get("session")), Visit.of(members))

    def _take_heading(self, message):
        self._tell(("locations", "heading", message.get("session")), Heading.of(message["heading"]))

    def _take_refused(self, message):
        for (kind, *which), queues in self._listeners.items():
            if (kind, which[:1]) == ("locations", [message.get("service")]):
                for queue in queues:
                    queue.put(error_of(message.get("failure", {})))

    def _take_status(self, message):
        self._tell(("status",), Status.of(message["status"]))

    def _take_answer(self, message):
        future = self._answers.get(message.get("number"))
        if future is None or future.done():
            return
        if "location" in message:
            future.set_result(Location.of(message["location"]))
        else:
            future.set_exception(error_of(message.get("failure", {})))

    def _take_temporaryFullAccuracy(self, message):
        future = self._answers.get(message.get("number"))
        if future is None or future.done():
            return
        if "failure" in message:
            future.set_exception(error_of(message["failure"]))
        else:
            future.set_result(message.get("until"))

    def _take_history(self, message):
        future = self._answers.get(message.get("number"))
        if future is None or future.done():
            return
        if "failure" in message:
            future.set_exception(error_of(message["failure"]))
        else:
            future.set_result([Location.of(members) for members in message.get("locations", ())])

    def _take_authorization(self, message):
        grant = message.get("grant", {})
        if grant.get("status") == "authorized":
            self.accuracy = grant.get("accuracy")

    def _take_regionStarted(self, message):
        self._settle(self._regions.get(message.get("identifier"), deque()), None)

    def _take_regionFailed(self, message):
        error = error_of(message.get("failure", {}))
        for waiting in (self._regions, self._states):
            line = waiting.get(message.get("identifier"))
            if line:
                return self._settle(line, error)
        # A region could not be ended: who waits for the list is told, and the list, which comes all the same, is nobody's.
        if self._lists:
            self._settle(self._lists, error)
            nobody = asyncio.get_running_loop().create_future()
            nobody.cancel()
            self._lists.appendleft(nobody)

    def _take_regionState(self, message):
        self._settle(self._states.get(message.get("identifier"), deque()), message.get("state"))

    def _take_regions(self, message):
        self._settle(self._lists, [Region.of(members) for members in message.get("regions", ())])

    def _take_regionEvent(self, message):
        event = RegionEvent.of(message["event"])
        if event.number in self._seen:
            self._say({"type": "acknowledge", "event": event.number})
        elif not self._tell(("regionEvent",), event):
            self._events.append(event)

    def _take_authorizations(self, message):
        decisions = [Authorization.of(members) for members in message.get("decisions", ())]
        self._settle(self._decisions, (decisions, [Usage.of(members) for members in message.get("audit", ())]))
