import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// VISS version 2 by WebSocket, asked by hand.
@Suite(.serialized) struct VISSTests {
  private let viss: VISSBench
  private let client: WebSocketByHand

  init() throws {
    viss = try VISSBench()
    client = viss.connect()
  }

  /// Says a place until it is told.
  private func waitForPlace(north: Double = 0) {
    #expect(
      becomesTrue(within: 5) {
        viss.publish(north: north)
        return client.answer(#"{"action":"get","path":"Vehicle.Speed","requestId":"wait"}"#)?["data"] != nil
      })
  }

  @Test func theUpgradeNamesTheProtocolAndItsAddressIsItsOwnersAlone() throws {
    #expect(client.status == "101")
    let head = client.head.lowercased()
    #expect(head.contains("sec-websocket-protocol: vissv2\r\n"))
    // The example of RFC 6455, 1.3.
    #expect(client.head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    var status = stat()
    #expect(stat(viss.addressFile, &status) == 0 && status.st_mode & 0o777 == 0o600)
    viss.bench.host.stop(within: 5)
    #expect(stat(viss.addressFile, &status) != 0)
  }

  @Test func getTellsASignalInItsUnit() throws {
    let nothing = client.answer(#"{"action":"get","path":"Vehicle.Speed","requestId":"1"}"#)
    #expect(nothing?.fault == "404 unavailable_data" && nothing?["requestId"]?.string == "1")
    waitForPlace()
    let answer = client.answer(#"{"action":"get","path":"Vehicle.Speed","requestId":"8756"}"#)
    let said = try #require(answer)
    #expect(said["action"]?.string == "get" && said["requestId"]?.string == "8756")
    #expect(
      said["data"]?.text
        == #"{"path":"Vehicle.Speed","dp":{"value":"36.0","ts":"2023-11-14T22:13:20.250Z"}}"#)
    #expect(said["ts"]?.string.flatMap { Timestamp(utcText: $0) } != nil)
    for (name, value) in [
      ("Latitude", "48.0"), ("Longitude", "11.0"), ("HorizontalAccuracy", "2.5"), ("Heading", "271.5"),
      ("Timestamp", "2023-11-14T22:13:20.250Z"),
    ] {
      let answer = client.answer(
        #"{"action":"get","path":"Vehicle.CurrentLocation.\#(name)","requestId":"2"}"#)
      #expect(answer?.vissValue == value, "\(name)")
    }
    let height = client.answer(
      #"{"action":"get","path":"Vehicle.CurrentLocation.Altitude","requestId":"3"}"#)
    #expect(height?.fault == "404 unavailable_data")
  }

  @Test(arguments: [
    (#""path":"Vehicle.CurrentLocation""#, 5), (#""path":"Vehicle/CurrentLocation""#, 5),
    (#""path":"Vehicle""#, 6),
    (#""path":"Vehicle","filter":{"type":"paths","parameter":"*.Latitude"}"#, 1),
    (#""path":"Vehicle","filter":{"type":"paths","parameter":["Speed","*.*itude","CurrentLocation"]}"#, 0),
    (#""path":"Vehicle","filter":{"type":"paths","parameter":["Speed","CurrentLocation.*","Speed"]}"#, 6),
    (
      #""path":"Vehicle.CurrentLocation","filter":{"variant":"paths","parameter":["Latitude","Longitude"]}"#,
      2
    ),
  ]) func branchesAndFiltersTellSeveral(members: String, count: Int) throws {
    waitForPlace()
    let answer = try #require(client.answer("{\"action\":\"get\",\(members),\"requestId\":\"1\"}"))
    if count == 0 {
      #expect(answer.fault == "404 invalid_path")
    } else {
      let data = try #require(answer["data"]?.array)
      #expect(data.count == count && Set(data.compactMap { $0["path"]?.string }).count == count)
    }
  }

  @Test(arguments: [
    (#"{"action":"get","path":"Vehicle.Cabin.DoorCount","requestId":"1"}"#, "404 invalid_path"),
    (#"{"action":"get","path":"","requestId":"1"}"#, "404 invalid_path"),
    (#"{"action":"get","path":"Vehicle.*","requestId":"1"}"#, "404 invalid_path"),
    (#"{"action":"get","path":"Vehicle.Speed.","requestId":"1"}"#, "404 invalid_path"),
    (#"{"action":"get","path":"Vehicle.Speed"}"#, "400 bad_request"),
    (#"{"action":"get","requestId":"1"}"#, "400 bad_request"),
    (#"{"action":"fly","path":"Vehicle.Speed","requestId":"1"}"#, "400 bad_request"),
    (#"{"path":"Vehicle.Speed","requestId":"1"}"#, "400 bad_request"), ("nonsense", "400 bad_request"),
    ("[]", "400 bad_request"), ("", "400 bad_request"), ("{\"a\":{\"a\":{\"a\":", "400 bad_request"),
    (#"{"action":"set","path":"Vehicle.Speed","value":"1","requestId":"1"}"#, "401 read_only"),
    (#"{"action":"set","path":"Vehicle.Wings","value":"1","requestId":"1"}"#, "404 invalid_path"),
    (#"{"action":"unsubscribe","subscriptionId":"7","requestId":"1"}"#, "404 invalid_subscriptionId"),
    (#"{"action":"unsubscribe","requestId":"1"}"#, "400 bad_request"),
    (
      #"{"action":"get","path":"Vehicle.Speed","filter":{"type":"history","parameter":"P1D"},"requestId":"1"}"#,
      "404 unavailable_data"
    ),
    (
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"timebased","parameter":{"period":"0"}},"requestId":"1"}"#,
      "400 invalid_duration"
    ),
    (
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"timebased","parameter":{"period":"soon"}},"requestId":"1"}"#,
      "400 invalid_duration"
    ),
    (
      #"{"action":"subscribe","path":"Vehicle","filter":{"type":"change","parameter":{"logic-op":"gt","diff":"1"}},"requestId":"1"}"#,
      "400 filter_invalid"
    ),
    (
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"change","parameter":{"logic-op":"is","diff":"1"}},"requestId":"1"}"#,
      "400 bad_request"
    ),
    (
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"curvelog","parameter":{}},"requestId":"1"}"#,
      "400 bad_request"
    ),
    (#"{"action":"subscribe","path":"Vehicle.Wings","requestId":"1"}"#, "404 invalid_path"),
  ]) func whatCannotBeDoneIsSaidAsTheSpecificationHasIt(request: String, fault: String) throws {
    let answer = try #require(client.answer(request))
    #expect(answer.fault == fault && answer["error"]?["message"]?.string != nil, "\(request): \(answer.text)")
    #expect(answer["ts"]?.string != nil)
    if request.contains(#""requestId":"1""#) { #expect(answer["requestId"]?.string == "1") }
    waitForPlace()
  }

  @Test func aSubscriptionByTimeComesAtItsPeriodUntilItIsEnded() throws {
    waitForPlace()
    let answer = client.answer(
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"timebased","parameter":{"period":"500"}},"requestId":"9"}"#
    )
    let id = try #require(answer?["subscriptionId"]?.string)
    #expect(answer?["requestId"]?.string == "9" && answer?["action"]?.string == "subscribe")
    #expect(client.event()?.vissValue == "36.0")
    let began = BootClock.now()
    for _ in 0..<4 { #expect(client.event()?["subscriptionId"]?.string == id) }
    #expect((1.5...3).contains(BootClock.now().seconds(since: began)))
    let end = client.answer(#"{"action":"unsubscribe","subscriptionId":"\#(id)","requestId":"10"}"#)
    #expect(end?["subscriptionId"]?.string == id && end?.fault == nil)
    #expect(client.event(within: 1.2) == nil)
    let again = client.answer(#"{"action":"unsubscribe","subscriptionId":"\#(id)","requestId":"11"}"#)
    #expect(again?.fault == "404 invalid_subscriptionId")
  }

  @Test func withoutAFilterEachNewPlaceComesOnce() throws {
    waitForPlace()
    _ = client.answer(#"{"action":"subscribe","path":"Vehicle.CurrentLocation","requestId":"1"}"#)
    #expect(client.event()?["data"]?.array?.count == 5)
    #expect(client.event(within: 0.6) == nil)
    viss.publish(north: 50)
    let event = try #require(client.event())
    let latitude = event["data"]?.array?.first { $0["path"]?.string?.hasSuffix("Latitude") == true }
    #expect(latitude?["dp"]?["value"]?.string.flatMap { Double($0) }.map { $0 > 48.0004 } == true)
  }

  @Test func aSubscriptionByChangeComesWhenTheValueHasChangedSo() throws {
    waitForPlace()
    _ = client.answer(
      #"{"action":"subscribe","path":"Vehicle.Speed","filter":{"type":"change","parameter":{"logic-op":"gt","diff":"10"}},"requestId":"1"}"#
    )
    #expect(client.event()?.vissValue == "36.0")
    // 9 km/h more are too few, less is not more; 18 km/h more are enough.
    for speed in [12.5, 5] {
      viss.publish(speed: speed)
      #expect(client.event(within: 0.5) == nil)
    }
    viss.publish(speed: 15)
    #expect(client.event()?.vissValue == "54.0")
  }

  /// Another site by its page, another site by its name, another user without the token, another protocol.
  @Test func whoMayNotIsToldNothing() throws {
    let wrong = "/?token=\(String(viss.token.reversed()))"
    for (attempt, status) in [
      (viss.connect(path: "/"), "403"), (viss.connect(path: wrong), "403"),
      (viss.connect(path: "/x?token=\(viss.token)"), "404"),
      (viss.connect(host: "evil.example"), "421"), (viss.connect(["Origin: http://evil.example"]), "403"),
      (viss.connect(["Sec-Fetch-Site: cross-site"]), "403"), (viss.connect(subprotocol: nil), "426"),
      (viss.connect(subprotocol: "wvss1.0"), "426"), (viss.connect(["Content-Length: 5"]), "405"),
    ] {
      #expect(attempt.status == status, "\(attempt.head)")
      #expect(!attempt.head.contains(viss.token) && attempt.ends(within: 5))
    }
    #expect(viss.connect(["Origin: http://127.0.0.1:\(viss.port)"]).status == "101")
    #expect(viss.connect(subprotocol: "other, VISSv2").status == "101")
    let plain = MetricsPage.answer(
      MetricsPage.connect(viss.port),
      to: "GET /?token=\(viss.token) HTTP/1.1\r\nHost: 127.0.0.1:\(viss.port)\r\n\r\n")
    #expect(plain?.hasPrefix("HTTP/1.1 426") == true)
    #expect(MetricsPage.connect(viss.port, 0x7F00_0002) == -1)
  }

  @Test func aDenialEndsSubscriptionsAtOnce() throws {
    waitForPlace()
    _ = client.answer(#"{"action":"subscribe","path":"Vehicle.Speed","requestId":"1"}"#)
    #expect(client.event()?.vissValue == "36.0")
    let identity = ClientIdentity(name: "reckon-viss", user: getuid())
    viss.bench.host.decide(.init(.denied), for: identity)
    #expect(client.event()?.fault == "403 user_forbidden")
    viss.publish(north: 10)
    #expect(client.event(within: 0.5) == nil)
    let get = client.answer(#"{"action":"get","path":"Vehicle.Speed","requestId":"2"}"#)
    #expect(get?.fault == "403 user_forbidden")
    viss.bench.host.decide(.init(.authorized), for: identity)
    waitForPlace()
    viss.bench.host.decide(.init(.authorized, .reduced), for: identity)
    let coarse = ReducedAccuracy.coarse(Made.location(north: 0, accuracy: 2.5, at: 0)).coordinate
    #expect(
      becomesTrue(within: 5) {
        viss.publish()
        let latitude = client.answer(
          #"{"action":"get","path":"Vehicle.CurrentLocation.Latitude","requestId":"3"}"#)
        return latitude?.vissValue.flatMap { Double($0) }.map { abs($0 - coarse.latitudeDegrees) < 1e-6 }
          == true
      })
    let speed = client.answer(#"{"action":"get","path":"Vehicle.Speed","requestId":"4"}"#)
    #expect(speed?.fault == "404 unavailable_data")
  }
}
