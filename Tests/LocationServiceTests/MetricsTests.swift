import CLibrary
import Foundation
import Location
import LocationService
import Navigation
import Testing

/// The page for Prometheus, asked by hand.
@Suite(.serialized) struct MetricsTests {
  private let bench: HostBench
  private let port: UInt16

  init() throws {
    bench = try HostBench { $0.metricsPort = 0 }
    port = try #require(bench.host.metricsPort)
  }

  private func connect(_ address: UInt32 = 0x7F00_0001) -> Int32 { MetricsPage.connect(port, address) }

  private func answer(_ descriptor: Int32, to request: String) -> String? {
    MetricsPage.answer(descriptor, to: request)
  }

  @Test func prometheusGetsTheCountersInItsFormat() throws {
    let client = try bench.client()
    #expect(client.next() == .welcome(version: 1, accuracy: .full))
    let said = try #require(answer(connect(), to: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
    let parts = said.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
    try #require(parts.count == 2)
    #expect(parts[0].hasPrefix("HTTP/1.1 200 OK"))
    #expect(parts[0].lowercased().contains("content-type: text/plain; version=0.0.4"))
    #expect(parts[0].lowercased().contains("content-length: \(parts[1].utf8.count)"))
    for line in parts[1].split(separator: "\n") where !line.hasPrefix("# ") {
      let words = line.split(separator: " ")
      #expect(
        words.count == 2 && ["reckon_", "process_"].contains { words[0].hasPrefix($0) }
          && Double(words[1]) != nil, "\(line)")
    }
    #expect(parts[1].contains("\nreckon_connections 1.0\n"))
  }

  private func page() throws -> String { try #require(MetricsPage.text(port)) }

  private var health: EngineHealth {
    var health = EngineHealth()
    (health.isRunning, health.mode, health.horizontalAccuracy, health.fixAge) = (
      true, .deadReckoning, 12.5, 7
    )
    health.allocations = 12
    var imu = EngineHealth.Source(name: "imu \"left\"", role: "inertial", isDelivering: true)
    (imu.rate, imu.received, imu.lost, imu.gaps, imu.longestGap) = (99.5, 1000, 3, 2, 0.25)
    imu.refused = [("late", 4), ("unusable", 0)]
    health.sources = [imu, .init(name: "gpsd", role: "fix", isDelivering: false)]
    health.measurements = [
      .init(
        kind: "gnssPosition", outcomes: [("used", 90), ("outlier", 10)], innovations: 180.5, dimensions: 270)
    ]
    return health
  }

  @Test func prometheusGetsTheEngine() throws {
    let before = try page()
    #expect(before.contains("\nreckon_engine_running 0.0\n"))
    // Nobody counts: no figure is better than a wrong one.
    #expect(!before.contains("reckon_engine_allocations"))
    bench.host.publish(health: health)
    let page = try page()
    for line in [
      "reckon_engine_running 1.0", "reckon_mode{mode=\"deadReckoning\"} 1.0",
      "reckon_mode{mode=\"aided\"} 0.0",
      "reckon_engine_allocations_total 12.0", "reckon_horizontal_accuracy_meters 12.5",
      "reckon_fix_age_seconds 7.0",
      #"reckon_source_up{source="imu \"left\"",role="inertial"} 1.0"#,
      #"reckon_source_up{source="gpsd",role="fix"} 0.0"#,
      #"reckon_source_rate_hertz{source="imu \"left\"",role="inertial"} 99.5"#,
      #"reckon_source_refused_total{source="imu \"left\"",role="inertial",reason="late"} 4.0"#,
      #"reckon_measurements_total{kind="gnssPosition",outcome="outlier"} 10.0"#,
      #"reckon_innovations_squared_total{kind="gnssPosition"} 180.5"#,
    ] { #expect(page.contains("\n\(line)\n"), "\(line)") }
    let usage = page.split(separator: "\n").filter { $0.hasPrefix("process_") }
    #expect(usage.count == 2 && usage.allSatisfy { (Double($0.split(separator: " ")[1]) ?? 0) > 0 })
    // A figure is said once, with its type before it.
    let types = page.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    #expect(Set(types).count == types.count)
  }

  @Test func theAlertsAndTheDashboardAskForFiguresThatThereAre() throws {
    bench.host.publish(health: health)
    // These are there with a broker and with VISS only.
    var others = HostStatistics()
    (others.mqtt, others.vissClients) = (MQTTStatistics(), 0)
    let page = try page() + others.prometheus
    let known = Set(
      page.split(separator: "\n").compactMap { $0.split { " {".contains($0) }.first.map(String.init) })
    let folder = #filePath.replacing(/Tests\/.*/, with: "scripts/prometheus/")
    for file in ["alerts.yml", "dashboard.json"] {
      let text = try String(contentsOfFile: folder + file, encoding: .utf8)
      let asked = text.matches(of: /\b(reckon|process)_[a-z_]+/).map { String($0.output.0) }
      #expect(asked.count > 10)
      for name in asked { #expect(known.contains(name), "\(file): \(name)") }
    }
  }

  @Test(arguments: [
    ("GET /passwd HTTP/1.0\r\n\r\n", "404"), ("POST /metrics HTTP/1.0\r\n\r\n", "405"),
    ("HEAD / HTTP/1.0\r\n\r\n", "405"), ("nonsense\r\n\r\n", "400"), ("\u{0}\u{1}\r\n\r\n", "400"),
    ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", "421"),
    ("GET /metrics HTTP/1.1\r\nHost: localhost:9\r\nOrigin: http://evil.example\r\n\r\n", "403"),
    ("GET /metrics HTTP/1.1\r\nHost: localhost:9\r\nSec-Fetch-Site: cross-site\r\n\r\n", "403"),
    ("GET /metrics HTTP/1.0\r\nX: \(String(repeating: "a", count: 9000))\r\n\r\n", "400"),
  ])
  func whatIsNoQuestionForMetricsIsRefused(_ request: String, _ status: String) throws {
    let said = try #require(answer(connect(), to: request))
    #expect(said.split(separator: " ").dropFirst().first.map(String.init) == status, "\(said)")
  }

  @Test func whoAsksForEverOrNotAtAllIsHungUpOn() throws {
    // More than are let, none of which asks for anything: Prometheus is answered all the same.
    let idle = (0..<100).map { _ in connect() }
    defer { idle.forEach { close($0) } }
    let said = answer(connect(), to: "GET /metrics HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
    #expect(said?.hasPrefix("HTTP/1.1 200") == true)
    // One that does not end its request is hung up on.
    #expect(answer(connect(), to: "GET /metrics HTTP/1.1\r\nX: ") != nil)
  }

  @Test func aPortThatIsTakenIsSaidWithItsKey() {
    let reason = "metrics_port: 127.0.0.1:\(port): Address already in use"
    #expect(throws: LocationError.serviceUnreachable(reason)) {
      _ = try HostBench { $0.metricsPort = port }
    }
  }

  @Test func onlyTheLoopbackIsListenedAt() {
    // Another of this computer's own addresses, all of which are loopback.
    #expect(connect(0x7F00_0002) == -1)
  }
}
