import CLibrary
import Location
import Navigation
import TestParts
import Testing

@Suite struct RegionMonitorTests {
  private let home = Region(identifier: "home", center: Made.origin, radius: 100)

  private func monitor(_ regions: Region...) throws -> RegionMonitor {
    var monitor = RegionMonitor()
    for region in regions { try monitor.start(region) }
    return monitor
  }

  /// Drives along a line of distances to the centre, one a second.
  private func drive(
    _ monitor: inout RegionMonitor, _ distances: some Sequence<Double>, from start: Double = 0,
    accuracy: Double = 5
  ) -> [RegionEvent] {
    var events: [RegionEvent] = []
    for (i, north) in distances.enumerated() {
      let location = Made.location(north: north, accuracy: accuracy, at: start + Double(i))
      events += monitor.update(location).events
    }
    return events
  }

  @Test func regionEntryAndExitAreTold() throws {
    var monitor = try monitor(home)
    let events = drive(&monitor, stride(from: -500, through: 500, by: 10))
    #expect(events.map(\.kind) == [.entered, .exited])
    #expect(events.map(\.number) == [1, 2])
    #expect(events.allSatisfy { $0.identifier == "home" })
  }

  @Test func regionNotWantedCrossingsAreNotTold() throws {
    var quiet = home
    quiet.notifyOnEntry = false
    var monitor = try monitor(quiet)
    #expect(drive(&monitor, stride(from: -500, through: 500, by: 10)).map(\.kind) == [.exited])
  }

  /// A day at the very edge with honest errors of 5 m that last 20 s (10 Hz, moving as far as the engine
  /// knows, then standing): three standard deviations each way must be crossed, which such errors do some
  /// times a day; standing, six, never.
  @Test(arguments: [NavigationMode.aided, .stationary]) func regionNeverFlapsAtTheEdge(
    _ mode: NavigationMode
  ) throws {
    var monitor = try monitor(home)
    var dice = Dice(seed: 2)
    _ = drive(&monitor, [0, 0, 0, 0])
    #expect(monitor.state(of: "home") == .inside)
    let (sigma, tau, dt) = (5.0, 20.0, 0.1)
    let keep = exp(-dt / tau)
    var (north, east) = (0.0, 0.0)
    var events = 0
    for i in 0..<864_000 {
      north = keep * north + sigma * (1 - keep * keep).squareRoot() * dice.normal()
      east = keep * east + sigma * (1 - keep * keep).squareRoot() * dice.normal()
      let location = Made.location(
        north: 100 + north, east: east, accuracy: 1.50959 * sigma, at: 10 + Double(i) * dt, mode: mode)
      events += monitor.update(location).events.count
    }
    // From side to side a first passage at 3 standard deviations takes about 20 √(2π)
    // / 3 · exp(9/2) = 1500 s.
    #expect(mode == .stationary ? events == 0 : events < 86_400 / 1000)
  }

  @Test func regionASingleBadLocationIsNoCrossing() throws {
    var monitor = try monitor(home)
    let jump = [0.0, 0, 0, 900, 0, 0, 900, 0, 0]
    #expect(drive(&monitor, jump).isEmpty)
  }

  @Test func regionInaccurateLocationsDecideNothing() throws {
    var monitor = try monitor(home)
    #expect(drive(&monitor, [0, 0, 0, 0, 0], accuracy: 400).isEmpty)
    #expect(monitor.state(of: "home") == .unknown)
    // Far enough away even they are sure.
    #expect(drive(&monitor, [5000, 5000, 5000], from: 10, accuracy: 400).isEmpty)
    #expect(monitor.state(of: "home") == .outside)
    // And nothing is made of a tunnel's growing radius.
    #expect(drive(&monitor, [90, 80, 60, 60, 60, 60], from: 20, accuracy: 300).isEmpty)
  }

  @Test func regionStateCanBeAskedForInsideOutsideUnknown() throws {
    let far = Region(identifier: "far", center: Made.place(north: 5000), radius: 100)
    let edge = Region(identifier: "edge", center: Made.place(north: 100), radius: 100)
    var monitor = try monitor(home, far, edge)
    #expect(monitor.state(of: "home") == .unknown)
    _ = drive(&monitor, [0, 0, 0])
    #expect(monitor.state(of: "home") == .inside)
    #expect(monitor.state(of: "far") == .outside)
    #expect(monitor.state(of: "edge") == .unknown)
    #expect(monitor.state(of: "nowhere") == nil)
  }

  @Test func regionSetCanBeQueried() throws {
    let other = Region(identifier: "a", center: Made.origin, radius: 20)
    var monitor = try monitor(home, other)
    #expect(monitor.regions == [other, home])
    var moved = home
    moved.radius = 50
    try monitor.start(moved)
    #expect(monitor.regions == [other, moved])
    #expect(monitor.stop("a") && !monitor.stop("a"))
    #expect(monitor.regions == [moved])
  }

  @Test func regionFailureIsReportedPerRegion() throws {
    var monitor = RegionMonitor()
    for i in 0..<RegionMonitor.limit {
      try monitor.start(Region(identifier: "\(i)", center: Made.origin, radius: 100))
    }
    #expect(throws: LocationError.regionMonitoringFailed(.tooMany(limit: RegionMonitor.limit))) {
      try monitor.start(home)
    }
    // Replacing one is not one more.
    try monitor.start(Region(identifier: "0", center: Made.origin, radius: 200))
    #expect(throws: LocationError.self) {
      try monitor.start(Region(identifier: "1", center: Made.origin, radius: -1))
    }
    #expect(monitor.regions.count == RegionMonitor.limit)
  }

  @Test func regionIdentifiersSteerNoTerminal() {
    for bad in ["\0", "\n", "\u{1B}[2J", "\u{7F}", "\u{9B}2J", "\u{200F}", "\u{202E}", "\u{2066}"] {
      #expect(Region(identifier: "a\(bad)b", center: Made.origin, radius: 100).flaw != nil)
      #expect(!ClientIdentity.isPurpose("a\(bad)b"))
    }
    for good in ["Zürich", "家", "🚗", "a b"] {
      #expect(Region(identifier: good, center: Made.origin, radius: 100).flaw == nil)
      #expect(ClientIdentity.isPurpose(good))
    }
  }

  @Test func regionEventWaitsUntilItIsAcknowledgedAndIsToldOnce() throws {
    var monitor = try monitor(home)
    let events = drive(&monitor, stride(from: -500, through: 500, by: 10))
    #expect(monitor.pending == events)
    // As after a restart of the service: from what was stored.
    var back = RegionMonitor(
      watches: Array(monitor.watches.values), pending: monitor.pending, nextNumber: monitor.nextNumber)
    #expect(back.pending == events)
    #expect(back.acknowledge(1) && !back.acknowledge(1))
    #expect(back.pending.map(\.number) == [2])
    #expect(back.acknowledge(2) && back.pending.isEmpty)
    // Numbers are never used twice, also when nothing is pending any more.
    let next = drive(&back, stride(from: 500, through: 0, by: -10), from: 200)
    #expect(next.map(\.number) == [3])
  }

  @Test func regionCrossedWhileTheServiceWasOffIsTold() throws {
    // Known outside before the power went; inside when it comes back.
    var monitor = RegionMonitor(watches: [RegionWatch(region: home, state: .outside)])
    #expect(drive(&monitor, [0, 0, 0]).map(\.kind) == [.entered])
  }

  @Test func regionFirstDeterminationIsNoCrossing() throws {
    var monitor = try monitor(home)
    #expect(drive(&monitor, [0, 0, 0, 0]).isEmpty)
  }

  @Test func regionEventsForAClientThatStaysAwayAreBounded() throws {
    var monitor = try monitor(home)
    for lap in 0..<600 {
      _ = drive(&monitor, [0, 0, 0, 300, 300, 300], from: Double(lap) * 10)
    }
    #expect(monitor.pending.count == RegionMonitor.pendingLimit)
    #expect(monitor.pending.last?.number == monitor.nextNumber - 1)
  }
}
