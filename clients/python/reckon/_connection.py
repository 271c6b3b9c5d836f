"""The connection to the service. Nothing here waits without a limit."""

import asyncio
import json
import os
import time
from collections import deque
from contextlib import contextmanager

from ._errors import ServiceUnreachable
from ._messages import Messages
from ._values import Status

DEFAULT_SOCKET = "/run/reckon/location.sock"
# Bytes; of the protocol: "a line ... of the service 8 MiB".
_LONGEST_LINE = 8 << 20
# Bytes that the service has not taken: more is a service that reads nothing. [chosen: 16 of the longest lines of a client]
_MOST_WAITING = 1 << 20
# Seconds from one attempt to connect to the next. [chosen: as the library for Swift]
RETRY = 1.0
# Seconds without a line after which the service counts as gone: its status comes once a second. [chosen: ten of them]
SILENCE = 10.0
# The same while the program is denied: nothing comes until the service ends the connection, by default after 60 s.
DENIED_SILENCE = 70.0
# Seconds that an answer may take longer than the question says: the service waits for its disk for 3 s. [chosen]
ANSWER = 10.0


class _Queue:
    """What waits for one iterator: bounded where the newest counts, and then the oldest goes."""

    def __init__(self, most=None):
        self._items, self._ready = deque(maxlen=most), asyncio.Event()

    def put(self, item):
        self._items.append(item)
        self._ready.set()

    async def get(self):
        """The next; raises it where it is an error. The connection puts one when the service is away for too long."""
        while not self._items:
            self._ready.clear()
            await self._ready.wait()
        item = self._items.popleft()
        if isinstance(item, Exception):
            raise item
        return item


class Connection(Messages):
    """Looks for the service, speaks with it, and tells who waits when it is gone."""

    def __init__(self, name, purpose, socket, patience):
        self.name, self.purpose, self.patience = name, purpose, patience
        self.socket = socket or os.environ.get("RECKON_SOCKET") or DEFAULT_SOCKET
        self.accuracy = None
        self._writer = self._task = self._fault = self._denial = self._gone = None
        self._known, self._allowed = asyncio.Event(), asyncio.Event()
        self._number = 0
        self._answers, self._regions, self._states, self._lists, self._decisions = {}, {}, {}, deque(), deque()
        self._listeners = {}
        self._running = {}
        self._events, self._seen = deque(), set()

    async def __aenter__(self):
        """Connects; a service that is away, or says nothing, raises ServiceUnreachable."""
        streams = await self._connect()
        self._task = asyncio.ensure_future(self._run(streams))
        if not await self._until(self._known, 2 * SILENCE):
            await self.__aexit__()
            raise ServiceUnreachable(f"{self.socket}: the service does not answer")
        return self

    async def __aexit__(self, *_):
        # Again and again: before Python 3.12 wait_for may swallow one, where what it waits for comes at the same time.
        while self._task and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=0.1)
        closed = ServiceUnreachable("the client was closed")
        self._fail(closed)
        self._tell_all(closed)
        if self._writer:
            self._writer.close()

    @property
    def is_connected(self):
        """Whether the service is there; where it is not, it is looked for every second."""
        return self._writer is not None

    async def _connect(self):
        try:
            opening = asyncio.open_unix_connection(self.socket, limit=_LONGEST_LINE)
            return await asyncio.wait_for(opening, SILENCE)
        except asyncio.TimeoutError as error:
            raise ServiceUnreachable(f"{self.socket}: the service takes no connection for {SILENCE:g} s") from error
        except OSError as error:
            raise ServiceUnreachable(f"{self.socket}: {error.strerror or error}") from error

    async def _run(self, streams):
        away = time.monotonic()
        while True:
            if streams:
                reader, self._writer = streams
                self._gone = None
                self._say({"type": "hello", "version": 1, "name": self.name, "purpose": self.purpose})
                self._lose(ServiceUnreachable(f"{self.socket}: {await self._read(reader)}"))
                if self._fault:
                    return self._tell_all(self._fault)
                away = time.monotonic()
            elif self.patience is not None and not self._gone and time.monotonic() - away >= self.patience:
                self._gone = ServiceUnreachable(f"{self.socket}: the service has been away for {self.patience:g} s")
                self._tell_all(self._gone)
            await asyncio.sleep(RETRY)
            try:
                streams = await self._connect()
            except ServiceUnreachable:
                streams = None

    def _lose(self, error):
        """The connection is no more: whoever has asked is told, and so is who follows the status."""
        # Not closed in order: a service that reads nothing would keep it open.
        self._writer.transport.abort()
        self._writer = None
        self._allowed.clear()
        self._fail(error)
        self._tell(("status",), self._unreachable())
        if not self._known.is_set():
            # Whoever connects is to be told, and waits no longer.
            self._fault = self._fault or error
            self._known.set()

    async def _read(self, reader):
        """Takes what the service says, until the connection ends; why it does."""
        transport, silent = self._writer.transport, []

        def give_up(seconds):
            silent.append(seconds)
            transport.abort()

        while True:
            silence = DENIED_SILENCE if self._denial else SILENCE
            watch = asyncio.get_running_loop().call_later(silence, give_up, silence)
            try:
                line = await reader.readline()
            except ValueError:
                return f"a line of the service is longer than {_LONGEST_LINE} bytes"
            except OSError as error:
                return error.strerror or str(error)
            finally:
                watch.cancel()
            if silent:
                return f"the service says nothing for {silent[0]:g} s"
            if not line.endswith(b"\n"):
                return "the service ended the connection"
            try:
                message = json.loads(line)
            except ValueError:
                continue
            take = getattr(self, "_take_" + str(message.get("type")), None)
            if take:
                take(message)

    def _say(self, *messages):
        if not self._writer:
            return
        for message in messages:
            self._writer.write((json.dumps(message, allow_nan=False) + "\n").encode())
        if self._writer.transport.get_write_buffer_size() > _MOST_WAITING:
            self._writer.transport.abort()

    def _unreachable(self):
        """What `status` tells of a service that is away."""
        return Status(time.clock_gettime_ns(time.CLOCK_BOOTTIME), unknown="serviceUnreachable")

    def _next(self):
        self._number += 1
        return self._number

    @contextmanager
    def _listen(self, key, most=None):
        queue = _Queue(most)
        self._listeners.setdefault(key, []).append(queue)
        if self._gone or self._fault:
            queue.put(self._fault or self._gone)
        try:
            yield queue
        finally:
            self._listeners[key].remove(queue)

    async def _ask(self, message, within=0.0):
        """The answer to a question that may take `within` seconds."""
        self._refuse_if_denied()
        number = self._next()
        self._answers[number] = future = asyncio.get_running_loop().create_future()
        try:
            return await self._wait(future, {**message, "number": number}, within)
        finally:
            self._answers.pop(number, None)

    async def _wait_in(self, waiting, key, message):
        return await self._wait_in_line(waiting.setdefault(key, deque()), message)

    async def _wait_in_line(self, line, message):
        future = asyncio.get_running_loop().create_future()
        line.append(future)
        return await self._wait(future, message)

    async def _wait(self, future, message, within=0.0):
        if not self._writer:
            future.set_exception(ServiceUnreachable(f"{self.socket}: there is no connection"))
        self._say(message)
        try:
            return await asyncio.wait_for(future, within + ANSWER)
        except asyncio.TimeoutError as error:
            text = f"{self.socket}: the service has no answer to {message['type']} after {within + ANSWER:g} s"
            raise ServiceUnreachable(text) from error

    async def _until(self, event, within):
        """Waits for `event` so many seconds, or raises what ended the client for good. Whether it came."""
        waiting = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait({waiting, self._task}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._fault:
            raise self._fault
        return event.is_set()

    def _refuse_if_denied(self):
        if self._fault or self._denial:
            raise self._fault or self._denial
        if not self._writer:
            raise ServiceUnreachable(f"{self.socket}: there is no connection")
