import SensorEvents

/// How a source is doing, as lines for people.
struct SourceLine: Sendable {
  private let source: SourceHealth
  private let isUsed: Bool

  init(_ source: SourceHealth, isUsed: Bool) {
    self.source = source
    self.isUsed = isUsed
  }

  /// One line of figures, and one with what its reader says.
  func lines(_ columns: Int) -> [String] {
    var parts = [Figures.padded(source.state.name, 10)]
    if source.received > 0 {
      // A rate of samples of which most are left out would say that all is well.
      let rate = source.isMostlyRefused ? "unusable" : "\(Figures.fixed(source.rate, 1)) Hz"
      parts.append(Figures.padded(rate, 9, right: true))
      if let delay = source.delay { parts.append("\(Figures.short(seconds: delay)) late") }
      if source.gaps > 0 {
        parts.append("\(source.gaps) gaps to \(Figures.short(seconds: source.longestGap))")
      }
      if source.lost > 0 { parts.append("\(source.lost) lost") }
      if source.refusals.total > source.refusals.spare {
        let refused = source.refusals.total - source.refusals.spare
        parts.append(
          source.isMostlyRefused
            ? "\(refused) of \(source.received) refused for their times" : "\(refused) refused")
      }
      if let celsius = source.temperature { parts.append("\(Figures.fixed(celsius, 0)) °C") }
      if !isUsed, source.state == .streaming { parts.append("spare") }
    }
    var lines = [
      "  " + Figures.padded(Figures.cut(source.name, to: 24), 24) + " " + parts.joined(separator: " ")
    ]
    if !source.message.isEmpty {
      lines += Wrapping.lines(source.message, columns - 4).prefix(3).map { "    " + $0 }
    }
    return lines
  }
}

extension SourceStatus.State {
  /// The state in a word.
  public var name: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .streaming: "streaming"
    case .faulty: "faulty"
    case .lost: "lost"
    case .failed: "failed"
    case .off: "off"
    }
  }
}
