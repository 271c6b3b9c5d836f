import Fusion
import Live
import LocationService
import SensorEvents

extension LiveStatus {
  /// For those who look after the service.
  var engineHealth: EngineHealth {
    var health = EngineHealth()
    health.isRunning = true
    health.mode = solution?.mode
    health.horizontalAccuracy = solution.flatMap {
      $0.horizontalAccuracy.isFinite ? $0.horizontalAccuracy : nil
    }
    health.fixAge = fixAge
    health.recoveries = recoveries
    health.allocations = allocations
    health.sources = sources.map(\.engineHealth)
    health.measurements = MeasurementVerdict.Kind.allCases.map { measurements[$0].engineHealth($0.rawValue) }
    return health
  }
}

extension SourceHealth {
  fileprivate var engineHealth: EngineHealth.Source {
    var source = EngineHealth.Source(
      name: name, role: role.map { "\($0)" } ?? "unknown", isDelivering: isDelivering)
    source.rate = rate
    (source.received, source.lost) = (received, lost)
    (source.gaps, source.longestGap) = (gaps, longestGap)
    source.refused = [
      ("early", refusals.early), ("late", refusals.late), ("untimed", refusals.untimed),
      ("unusable", refusals.unusable), ("spare", refusals.spare),
    ]
    return source
  }
}

extension MeasurementTally.Count {
  fileprivate func engineHealth(_ kind: String) -> EngineHealth.Measurements {
    EngineHealth.Measurements(
      kind: kind,
      outcomes: [
        ("used", used), ("weighedDown", weighedDown), ("outlier", refusals.outlier),
        ("stale", refusals.stale),
        ("unusable", refusals.unusable), ("notMeasured", refusals.notMeasured),
        ("externallyMoved", refusals.externallyMoved), ("contradicted", refusals.contradicted),
      ], innovations: innovations, dimensions: dimensions)
  }
}

extension SourceHealth {
  /// Whether it gives something, or may be about to.
  var isDelivering: Bool {
    switch state {
    case .connecting, .connected, .streaming, .off: true
    case .faulty, .lost, .failed: false
    }
  }
}
