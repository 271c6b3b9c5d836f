import Navigation
import SensorEvents
import Sensors
import TestParts

extension EventLog {
  /// The readings of an IMU, in order.
  var inertial: [InertialReading] {
    all.compactMap { if case .inertial(let reading) = $0.content { reading } else { nil } }
  }

  /// All samples said to be lost.
  var lost: Int {
    all.reduce(0) { if case .lost(let count) = $1.content { $0 + count } else { $0 } }
  }

  /// The temperatures.
  var temperatures: [Double] {
    all.compactMap { if case .temperature(let celsius) = $0.content { celsius } else { nil } }
  }
}

/// An ``IIOSource`` that reads a server, and that does not outlive the test.
final class RunningIMU {
  let log = EventLog()
  private let source: IIOSource

  init(_ uri: String, _ change: (inout IIOSettings) -> Void = { _ in }) throws {
    var settings = IIOSettings()
    guard let address = IIOAddress(uri) else { throw IIODFailure(text: "\(uri) is no address") }
    settings.address = address
    change(&settings)
    source = try IIOSource(id: SourceID(3), settings: settings, sink: log.sink)
    source.start()
  }

  deinit { source.stop(within: 5) }

  /// Whether its threads end in time.
  func stops(within seconds: Double) -> Bool { source.stop(within: seconds) }

  /// Waits for a status, from event `start` on.
  func says(_ state: SourceStatus.State, _ words: String = "", from start: Int = 0, within seconds: Double)
    -> Bool
  {
    becomesTrue(within: seconds) { log.has(state, words, from: start) }
  }
}
