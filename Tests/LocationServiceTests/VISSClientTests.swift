import Foundation
import TestParts
import Testing

/// `reckond`, and a client of VISS by the `websockets` of PyPI, as others would write it.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is missing"))
struct VISSClientTests {
  private let scratch = ScratchFolder()
  private static let python = ProcessInfo.processInfo.environment["RECKON_PYTHON"] ?? "python3"

  private static let script = """
    import asyncio, json, sys
    import websockets

    async def ask(socket, **request):
        await socket.send(json.dumps(request))
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if message["action"] != "subscription":
                return message

    async def main(address):
        async with websockets.connect(address, subprotocols=["VISSv2"]) as socket:
            assert socket.subprotocol == "VISSv2"
            for _ in range(100):
                place = await ask(socket, action="get", path="Vehicle.CurrentLocation.Latitude", requestId="1")
                if "data" in place:
                    break
                await asyncio.sleep(0.1)
            assert abs(float(place["data"]["dp"]["value"]) - 48) < 1e-4, place
            begun = await ask(
                socket, action="subscribe", path="Vehicle.CurrentLocation", requestId="2",
                filter={"type": "timebased", "parameter": {"period": "200"}})
            for _ in range(5):
                event = json.loads(await asyncio.wait_for(socket.recv(), 10))
                assert event["subscriptionId"] == begun["subscriptionId"], event
                assert any(one["path"].endswith("Longitude") for one in event["data"]), event
            ended = await ask(socket, action="unsubscribe", subscriptionId=begun["subscriptionId"], requestId="3")
            assert ended["requestId"] == "3" and "error" not in ended, ended
            await (await socket.ping())
        print("OK")

    asyncio.run(main(open(sys.argv[1]).read().strip()))
    """

  @Test func aClientInPythonGetsAndSubscribes() throws {
    guard try Daemon.run("/usr/bin/env", [Self.python, "-c", "import websockets"]) == 0 else {
      print(
        "skipped: \(Self.python) has no websockets; pip install it in a venv, and set RECKON_PYTHON to its python3"
      )
      return
    }
    let folder = scratch.path
    let port = try Listener.freePort()
    let daemon = try Daemon(
      folder, drive: try StandingDrive.write(folder), settings: "[viss]\nport = \(port)\n")
    let address = folder + "/viss"
    #expect(becomesTrue(within: 20) { FileManager.default.fileExists(atPath: address) })
    let client = try ProgramRun(Self.python, ["-c", Self.script, address])
    #expect(client.status == 0 && client.output + client.errors == "OK\n", "\(client)")
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    #expect(!FileManager.default.fileExists(atPath: address))
  }
}
