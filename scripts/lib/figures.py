"""Measures a reckond for scripts/figures: PROGRAM FOLDER SECONDS."""

import asyncio
import atexit
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "clients", "python"))
import reckon  # noqa: E402

program, folder, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
socket = folder + "/location.sock"
# Until the engine knows its heading, and all that is made at first use is made.
WARM_UP = 60


def start():
    log = open(folder + "/reckond.log", "ab")
    process = subprocess.Popen([program, "--config", folder + "/reckond.toml"], stderr=log)
    # Whatever ends this program ends that one.
    atexit.register(process.kill)
    return process


def cpu(process):
    """Seconds of a core: of all, and of the thread that has libiio read the IMU. By the scheduler's own count, in ns."""
    threads = {"iio": 0.0}
    for task in os.listdir(f"/proc/{process.pid}/task"):
        folder = f"/proc/{process.pid}/task/{task}"
        with open(folder + "/comm") as name, open(folder + "/schedstat") as file:
            key = name.read().strip()
            threads[key] = threads.get(key, 0.0) + int(file.read().split()[0]) * 1e-9
    return sum(threads.values()), threads["iio"]


def memory(process):
    """Resident and its own, in MB."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        lines = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
    return [int(lines[key].split()[0]) * 1024 / 1e6 for key in ("Rss", "Anonymous")]


async def connected(process):
    while True:
        try:
            return await reckon.Client("org.test.figures", "to measure", socket=socket).__aenter__()
        except reckon.ServiceUnreachable:
            if process.poll() is not None:
                raise
            await asyncio.sleep(0.002)


async def drive():
    """A client that navigates; processor time as a share of a core, how much of it reads the IMU, and memory at the end."""
    process = start()
    client = await connected(process)
    told = 0

    async def take():
        nonlocal told
        async for _ in client.locations():
            told += 1

    task = asyncio.create_task(take())
    await asyncio.sleep(WARM_UP)
    before, begin, first = cpu(process), time.monotonic(), told
    await asyncio.sleep(seconds)
    took, count = time.monotonic() - begin, told - first
    used, reading = (now - then for now, then in zip(cpu(process), before))
    resident, own = memory(process)
    task.cancel()
    await client.__aexit__()
    process.terminate()
    assert process.wait(15) == 0, "it did not end in order"
    return used / took, reading / took, count / took, resident, own


async def warm_start():
    """Seconds to the first answer, to the place that is kept, and to one that is of now."""
    begin = time.monotonic()
    process = start()
    client = await connected(process)
    answered = time.monotonic() - begin
    kept = None
    async for location in client.locations():
        now = time.monotonic() - begin
        if kept is None:
            kept = now
        if "cached" not in location.sources:
            break
    await client.__aexit__()
    process.terminate()
    process.wait(15)
    return answered, kept, now


async def main():
    share, reading, rate, resident, own = await asyncio.wait_for(drive(), WARM_UP + seconds + 60)
    starts = [await asyncio.wait_for(warm_start(), 60) for _ in range(10)]
    print(f"processor, IMU at 200 Hz      {share * 100:6.2f} % of a core, {reading * 100:.2f} % of them in libiio over the network; "
          f"{rate:.1f} positions a second to a client")
    print(f"memory                        {resident:6.1f} MB resident, {own:.1f} MB of them its own")
    for title, values in zip(("answers after", "a place of before after", "a place of now after"), zip(*starts)):
        print(f"{title:29} {statistics.median(values):6.2f} s, at worst {max(values):.2f} s of {len(values)} warm starts")


asyncio.run(main())
