import Testing

import CompatibleOutputs

@Suite struct GPSDSessionTests {
  private func state(_ report: PositionReport? = someReport()) -> GPSDSession.State {
    GPSDSession.State(
      reports: GPSDReports(device: "reckon"), release: "Reckon 1", activated: someUTC, now: someUTC,
      report: report, sky: SkyReport(utcNanoseconds: someUTC, reading: someSky), interval: 0.1)
  }

  /// The lines of an answer; each must end in CR LF and be an object.
  private func lines(_ bytes: [UInt8]) -> [[String: Any]] {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("\r\n"))
    return text.split(separator: "\r\n").map { parseJSON($0.utf8) }
  }

  @Test func versionNamesTheProtocol() {
    var session = GPSDSession()
    #expect(
      String(decoding: session.answer(.version, state()), as: UTF8.self)
        == "{\"class\":\"VERSION\",\"release\":\"Reckon 1\",\"rev\":\"Reckon 1\",\"proto_major\":3,\"proto_minor\":14}\r\n"
    )
  }

  @Test func devicesNamesTheOneDevice() {
    var session = GPSDSession()
    let device =
      "{\"class\":\"DEVICE\",\"path\":\"reckon\",\"driver\":\"Reckon\",\"activated\":\"2026-03-29T10:20:30.250Z\",\"flags\":1,"
      + "\"native\":0,\"cycle\":0.10}"
    #expect(
      String(decoding: session.answer(.devices, state()), as: UTF8.self)
        == "{\"class\":\"DEVICES\",\"devices\":[\(device)]}\r\n")
    #expect(
      String(decoding: session.answer(.device(path: nil), state()), as: UTF8.self) == "\(device)\r\n")
    #expect(lines(session.answer(.device(path: "/dev/x"), state()))[0].text("class") == "ERROR")
  }

  @Test func watchingTurnsReportsOnAndOff() {
    var session = GPSDSession()
    #expect(!session.wantsJSON && !session.wantsNMEA)
    var change = GPSDRequest.WatchChange()
    change.json = true
    let answer = lines(session.answer(.watch(change), state()))
    #expect(answer.map { $0.text("class") } == ["DEVICES", "WATCH"])
    #expect(answer[1]["enable"] as? Bool == true && answer[1]["json"] as? Bool == true)
    #expect(session.wantsJSON && !session.wantsNMEA)

    change = GPSDRequest.WatchChange()
    change.raw = 1
    _ = session.answer(.watch(change), state())
    #expect(session.wantsJSON && session.wantsNMEA)

    // Turned off, and on again as it was.
    _ = session.answer(.watch(GPSDRequest.WatchChange(enable: false)), state())
    #expect(!session.wantsJSON && !session.wantsNMEA)
    _ = session.answer(.watch(GPSDRequest.WatchChange()), state())
    #expect(session.wantsJSON && session.wantsNMEA)
    // Asking changes nothing.
    let before = session.policy
    _ = session.answer(.watch(nil), state())
    #expect(session.policy == before)
  }

  @Test func anotherDeviceCannotBeWatched() {
    var session = GPSDSession()
    var change = GPSDRequest.WatchChange()
    change.json = true
    change.device = "/dev/ttyUSB0"
    let answer = lines(session.answer(.watch(change), state()))
    #expect(answer.count == 1 && answer[0].text("message") == "No such device as /dev/ttyUSB0")
    #expect(!session.wantsJSON)
    change.device = "reckon"
    #expect(lines(session.answer(.watch(change), state()))[1].text("device") == "reckon")
    #expect(session.wantsJSON)
  }

  @Test func pollHoldsTheNewestOfBoth() throws {
    var session = GPSDSession()
    let poll = lines(session.answer(.poll, state()))[0]
    #expect(poll.text("class") == "POLL" && poll.number("active") == 1)
    #expect(poll.text("time") == "2026-03-29T10:20:30.250Z")
    let tpv = try #require(poll["tpv"] as? [[String: Any]])
    #expect(tpv.count == 1 && tpv[0].number("mode") == 3)
    let sky = try #require(poll["sky"] as? [[String: Any]])
    #expect(sky.count == 1 && sky[0].number("uSat") == 6)
    // Nothing seen yet: mode 0.
    let empty = try #require(lines(session.answer(.poll, state(nil)))[0]["tpv"] as? [[String: Any]])
    #expect(empty[0].number("mode") == 0)
  }
}
