"""python3 -m reckon: prints locations, one JSON object a line."""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict

from . import Client, ReckonError


async def watch(options):
    async with Client(options.name, "shows locations on a terminal", socket=options.socket) as client:
        shown = 0
        async for location in client.locations(distance_filter=options.distance_filter):
            members = {key: value for key, value in asdict(location).items() if value is not None}
            members["sources"] = sorted(location.sources)
            if location.time:
                members["time"] = location.time.isoformat()
            print(json.dumps(members), flush=True)
            shown += 1
            if shown == options.count:
                return


def main():
    parser = argparse.ArgumentParser(prog="python3 -m reckon", description=__doc__)
    parser.add_argument("--socket", help="where the service listens; else RECKON_SOCKET, else /run/reckon/location.sock")
    parser.add_argument("--as", dest="name", default="reckon-python", help="name of the client to be")
    parser.add_argument("--count", type=int, default=0, help="locations to show; all, until stopped, without it")
    parser.add_argument("--distance-filter", type=float, help="metres between locations")
    try:
        asyncio.run(watch(parser.parse_args()))
    except ReckonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except (KeyboardInterrupt, BrokenPipeError):
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
