"""Against a real reckond: RECKOND names the program."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from contextlib import contextmanager
from datetime import datetime, timezone

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import reckon  # noqa: E402
from reckon import _connection  # noqa: E402

BINARY = os.environ.get("RECKOND")


class Service:
    """A reckond in a folder of its own, which plays a car that stands."""

    def __init__(self, settings=""):
        self.folder = tempfile.mkdtemp(prefix="reckon-python-")
        self.socket = self.folder + "/s"
        drive = self.folder + "/drive"
        os.mkdir(drive)
        with open(drive + "/drive.json", "w") as file:
            file.write('{"name": "still", "kind": "simulated"}')
        with open(drive + "/gnss.csv", "w") as file:
            file.write("time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m,"
                       "velocity_north_m_s,velocity_east_m_s,velocity_down_m_s\n")
            for i in range(1200):
                file.write(f"{i / 10},48,11,500,1,1,2,0,0,0\n")
        self.drive = drive
        self.configure(settings)
        self.start()

    def configure(self, settings):
        with open(self.folder + "/reckond.toml", "w") as file:
            file.write(f'[service]\nsocket = "{self.socket}"\ndatabase = "{self.folder}/d.sqlite"\n{settings}')

    def start(self):
        self.process = subprocess.Popen(
            [BINARY, "--config", self.folder + "/reckond.toml", "--replay", self.drive, "--repeat"],
            stderr=subprocess.DEVNULL)

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def kill(self):
        self.process.kill()
        self.process.wait(20)

    def end(self):
        self.kill()
        shutil.rmtree(self.folder)


@contextmanager
def limits(silence, answer):
    """Shorter ones, in seconds, so that a test need not wait for those of the package."""
    kept = _connection.SILENCE, _connection.ANSWER
    _connection.SILENCE, _connection.ANSWER = silence, answer
    try:
        yield
    finally:
        _connection.SILENCE, _connection.ANSWER = kept


async def connected(service, name="com.example.test", **options):
    """A client, as soon as there is somebody to connect to."""
    for _ in range(500):
        try:
            return await reckon.Client(name, "to test", socket=service.socket, **options).__aenter__()
        except reckon.ServiceUnreachable:
            await asyncio.sleep(0.02)
    raise AssertionError("no service")


async def first(iterator, count=1):
    items = []
    async for item in iterator:
        items.append(item)
        if len(items) == count:
            break
    await iterator.aclose()
    return items


@unittest.skipUnless(BINARY, "RECKOND names no reckond")
class ClientTests(unittest.IsolatedAsyncioTestCase):
    settings = ""

    async def asyncSetUp(self):
        self.service = Service(self.settings)
        self.client = await connected(self.service)

    async def asyncTearDown(self):
        await self.client.__aexit__()
        self.service.end()

    async def within(self, awaitable, seconds=20): return await asyncio.wait_for(awaitable, seconds)
    async def test_locations_come_with_their_values(self):
        locations = await self.within(first(self.client.locations(), 5))
        newest = locations[-1]
        self.assertAlmostEqual(newest.latitude_degrees, 48, 4)
        self.assertIn("simulated", newest.sources)
        self.assertGreater(newest.horizontal_accuracy, 0)
        self.assertIsInstance(newest.timestamp, int)
        self.assertLess(abs((datetime.now(timezone.utc) - newest.time).total_seconds()), 60)
        times = [location.timestamp for location in locations]
        self.assertEqual(times, sorted(times))

    async def test_questions_are_answered(self):
        self.assertAlmostEqual((await self.within(self.client.request_location(within=10))).longitude_degrees, 11, 4)
        best = await self.within(self.client.best_of(3, within=10))
        self.assertAlmostEqual(best.latitude_degrees, 48, 4)
        self.assertIsInstance((await self.within(first(self.client.status())))[0].lost_sources, tuple)

    async def test_regions_outlive_kill_9(self):
        home = reckon.Region("home", 48, 11, 100, notify_on_exit=False)
        await self.within(self.client.start_monitoring(home))
        self.service.kill()
        self.service.start()
        while True:
            try:
                self.assertEqual(await self.within(self.client.regions()), [home])
                break
            except reckon.ServiceUnreachable:
                await asyncio.sleep(0.1)
        await self.within(self.client.stop_monitoring("home"))
        self.assertEqual((await self.within(self.client.regions()), await self.within(self.client.region_state("home"))),
                         ([], "unknown"))

    async def test_a_region_that_is_none_is_refused(self):
        with self.assertRaises(reckon.RegionError) as caught:
            await self.within(self.client.start_monitoring(reckon.Region("home", 48, 11, 1)))
        self.assertIn("radius", str(caught.exception))

    async def test_locations_go_on_over_a_restart(self):
        async def take():
            times = []
            async for location in self.client.locations():
                times.append(location.timestamp)
                if len(times) == 3:
                    self.service.kill()
                    self.service.start()
                if len(times) > 6:
                    return times

        self.assertEqual(len(await self.within(take(), 40)), 7)

    async def test_who_is_denied_is_told_and_waits(self):
        decisions = await self.within(self.client.authorize("com.example.spy", os.getuid(), status="denied"))
        self.assertEqual([(d.name, d.status, d.is_stored) for d in decisions],
                         [("com.example.spy", "denied", True)])
        spy = await connected(self.service, "com.example.spy")
        try:
            self.assertFalse(spy.is_allowed)
            with self.assertRaises(reckon.Denied) as caught:
                await self.within(spy.request_location())
            self.assertEqual(caught.exception.reason, "deniedForClient")
            with self.assertRaises(reckon.Denied):
                await self.within(first(spy.locations()))
            # A decision lets it at once.
            await self.within(self.client.authorize("com.example.spy", os.getuid()))
            await self.within(spy.wait_until_allowed())
            self.assertEqual(len(await self.within(first(spy.locations(), 2))), 2)
        finally:
            await spy.__aexit__()
        _, usage = await self.within(self.client.authorizations())
        self.assertTrue(all(entry.count > 0 for entry in usage))

    async def test_denied_while_it_runs_ends_the_iterator(self):
        async def run():
            async for _ in self.client.locations():
                self.service.configure('[[client]]\nname = "com.example.test"\nallow = "nothing"\n')
                self.service.reload()

        with self.assertRaises(reckon.Denied):
            await self.within(run())

    async def test_full_accuracy_for_a_while_is_given_for_allowed_purposes(self):
        await self.within(self.client.authorize(
            "com.example.map", os.getuid(), accuracy="reduced", purpose_keys=["navigate"]))
        client = await connected(self.service, "com.example.map")
        try:
            self.assertEqual(client.accuracy, "reduced")
            self.assertIn("reduced", (await self.within(client.request_location())).sources)
            for exact in (client.visits(), client.headings()):
                with self.assertRaises(reckon.Denied) as refused:
                    await self.within(first(exact))
                self.assertEqual(refused.exception.reason, "accuracyReduced")
            with self.assertRaises(reckon.FullAccuracyNotAllowed) as caught:
                await self.within(client.request_temporary_full_accuracy("spy"))
            self.assertEqual(caught.exception.reason, "spy")
            self.assertIsInstance(await self.within(client.request_temporary_full_accuracy("navigate")), int)
            self.assertEqual(client.accuracy, "full")
            self.assertNotIn("reduced", (await self.within(client.request_location())).sources)
        finally:
            await client.__aexit__()
        self.assertIsNone(await self.within(self.client.request_temporary_full_accuracy("any")))

    async def test_history_is_kept_for_who_asks_and_deleted_with_its_denial(self):
        self.assertEqual(await self.within(self.client.historical_locations()), [])
        await self.within(self.client.start_keeping_history())
        places = []
        while not places:
            await asyncio.sleep(0.2)
            places = await self.within(self.client.historical_locations(10))
        self.assertAlmostEqual(places[0].latitude_degrees, 48, 4)
        self.assertIn("cached", places[0].sources)
        self.assertEqual(await self.within(self.client.historical_locations(since=places[-1].utc + 1)), [])
        await self.client.stop_keeping_history()
        self.assertEqual(await self.within(self.client.historical_locations()), [])

    async def test_what_cannot_be_used_is_said(self):
        with self.assertRaises(reckon.ProtocolViolation):
            async with reckon.Client("no blanks", "to test", socket=self.service.socket):
                pass
        with self.assertRaises(reckon.ProtocolViolation) as caught:
            async with reckon.Client("a", "x" * 600, socket=self.service.socket):
                pass
        self.assertIn("512", str(caught.exception))
        with self.assertRaises(reckon.ServiceUnreachable):
            async with reckon.Client("a", "to test", socket=self.service.folder + "/nowhere"):
                pass

    async def test_a_service_that_hangs_is_told_and_waited_for_no_longer_than_allowed(self):
        with limits(silence=3, answer=1):
            status = self.client.status()
            await self.within(status.__anext__())
            self.service.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(0.3)  # until all its threads have stopped
            with self.assertRaises(reckon.ServiceUnreachable) as caught:
                await self.within(self.client.regions())
            self.assertIn("no answer to requestRegions after 1 s", str(caught.exception))
            while (await self.within(status.__anext__())).unknown != "serviceUnreachable": pass
            # A new connection is made, which nobody greets.
            with self.assertRaises(reckon.ServiceUnreachable):
                await self.within(self.client.request_location(within=0.1))
            self.service.process.send_signal(signal.SIGCONT)
            await self.within(self.client.wait_until_allowed())
            self.assertEqual(len(await self.within(first(self.client.locations(), 2))), 2)

    async def test_iterators_end_when_the_service_is_away_for_longer_than_their_patience(self):
        client = await connected(self.service, patience=0.5)
        try:
            iterators = [client.locations(), client.headings(), client.region_events(), client.visits()]
            waiting = [asyncio.ensure_future(first(iterator, 100_000)) for iterator in iterators]
            await asyncio.sleep(0.5)
            self.service.kill()
            ends = await self.within(asyncio.gather(*waiting, return_exceptions=True))
            self.assertEqual({type(end) for end in ends}, {reckon.ServiceUnreachable})
            self.assertIn("away for 0.5 s", str(ends[0]))
            self.assertFalse(client.is_connected)
            for late in (first(client.region_events()), client.wait_until_allowed(within=0.1)):
                with self.assertRaises(reckon.ServiceUnreachable):
                    await self.within(late)
        finally:
            await client.__aexit__()

    async def test_who_listens_and_says_nothing_is_no_service(self):
        path = self.service.folder + "/silent"
        with limits(silence=0.5, answer=1):
            async with await asyncio.start_unix_server(lambda reader, writer: None, path):
                with self.assertRaises(reckon.ServiceUnreachable) as caught:
                    async with reckon.Client("a", "to test", socket=path):
                        pass
        self.assertIn("says nothing for 0.5 s", str(caught.exception))

    async def test_nobody_waits_for_a_client_that_is_closed(self):
        client = await connected(self.service)
        waiting = asyncio.ensure_future(first(client.region_events()))
        await asyncio.sleep(0.1)
        await client.__aexit__()
        with self.assertRaises(reckon.ServiceUnreachable):
            await self.within(waiting)

    async def test_closing_ends_whatever_arrives_at_the_same_time(self):
        for _ in range(100):
            client = await connected(self.service)
            await self.within(first(client.locations()))
            await self.within(client.__aexit__(), 5)

    async def test_the_module_prints_locations(self):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "reckon", "--socket", self.service.socket, "--count", "3",
            cwd=os.path.join(os.path.dirname(__file__), ".."), stdout=subprocess.PIPE)
        output, _ = await self.within(process.communicate())
        lines = [json.loads(line) for line in output.splitlines()]
        self.assertEqual((process.returncode, len(lines)), (0, 3))
        self.assertAlmostEqual(lines[-1]["latitude_degrees"], 48, 4)


if __name__ == "__main__":
    unittest.main()
