"""What the service says, and who waits for it."""

import asyncio
from collections import deque

from ._errors import Denied, error_of
from ._values import Authorization, Heading, Location, Region, RegionEvent, Status, Usage, Visit


class Messages:
    """What each message of the service does to a client's questions and iterators."""

    def _tell(self, key, item):
        queues = self._listeners.get(key, [])
        for queue in queues:
            queue.put(item)
        return bool(queues)

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

    def _tell_all(self, error):
        """Ends every iterator."""
        for queues in self._listeners.values():
            for queue in queues:
                queue.put(error)

    def _fail(self, error, are_decisions_open=False):
        """Ends every open question, but for those of administrators, who need not be let, where the connection stands."""
        for future in self._answers.values():
            if not future.done():
                future.set_exception(error)
        lines = [*self._regions.values(), *self._states.values(), self._lists]
        for line in lines + ([] if are_decisions_open else [self._decisions]):
            while line:
                self._settle(line, error)

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
