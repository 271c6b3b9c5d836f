/// gpsd's numbers of how a fix was made: one list for a receiver that is read live and for a log that is
/// imported.
package enum GPSDStatus: Int, Sendable {
  // In gpsd's order.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  case unknown, gnss, differential, rtkFixed, rtkFloat, deadReckoning, gnssWithDeadReckoning, time,
    simulated, precise

  /// Whether satellites made it: not dead reckoning alone, no surveyed-in position, no simulation.
  package var isMeasured: Bool {
    switch self {
    case .deadReckoning, .time, .simulated: false
    default: true
    }
  }

  /// Whether corrections were applied.
  package var isCorrected: Bool { self == .differential || self == .rtkFixed || self == .rtkFloat }
}
