import Fusion

/// Which smoother is asked for beside the causal engine.
public enum SmootherChoice: Sendable, Equatable {
  /// Each state corrected by what the next `seconds` bring.
  case fixedLag(seconds: Double)
  /// Each state corrected by the whole drive.
  case full

  /// Reads `lag:SECONDS` or `full`.
  public init(parsing text: String) throws(EvaluationError) {
    if text == "full" {
      self = .full
    } else if text.hasPrefix("lag:"), let seconds = Double(text.dropFirst(4)), seconds > 0, seconds.isFinite {
      self = .fixedLag(seconds: seconds)
    } else {
      throw .smoother(text)
    }
  }

  /// What it is, whatever its lag.
  public enum Kind: Sendable { case fixedLag, full }

  /// What it is, whatever its lag.
  public var kind: Kind {
    switch self {
    case .fixedLag: .fixedLag
    case .full: .full
    }
  }

  /// How far ahead the smoother looks.
  var reach: FusionSmoother.Reach {
    switch self {
    case .fixedLag(let seconds): .lag(seconds: seconds)
    case .full: .full
    }
  }

  /// Its part in a report.
  var role: ReportTrack.Role {
    switch self {
    case .fixedLag: .fixedLag
    case .full: .full
    }
  }
}
