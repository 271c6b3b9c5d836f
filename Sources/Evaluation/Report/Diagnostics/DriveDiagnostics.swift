import Drives
import Fusion

/// What the figures of a report are drawn from besides the tracks, all on the drive's time line.
public struct DriveDiagnostics: Sendable {
  /// Errors of the live solution, at most ten a second.
  public var errors: [ErrorMoment] = []
  /// What became of each measurement, in order.
  public var measurements: [MeasurementMoment] = []
  /// Fixes less what was predicted for them, in order.
  public var fixes: [FixMoment] = []
  /// What had been learned of the sensors, once a second from the moment heading was known.
  public var calibration: [CalibrationMoment] = []
  /// How far each outage of the study ran off.
  public var outages: [OutageTrace] = []
  /// The satellites that the receiver saw, in order of time, where the drive has them.
  public var sky: [SatelliteSample] = []
  /// Time that the engine took, where it was measured.
  public var latencies: SampleLatencies?

  /// Nothing collected.
  public init() {}
}

/// The error of the live solution at one time, and what it says of itself; what cannot be had is nil.
public struct ErrorMoment: Sendable {
  /// Seconds on the drive's time line.
  public var time: Double
  /// An error with its stated standard deviation.
  public struct Part: Sendable {
    /// Solution less truth.
    public var error: Double
    /// Stated standard deviation, in the same unit.
    public var sigma: Double

    /// An error with its stated standard deviation.
    public init(error: Double, sigma: Double) {
      self.error = error
      self.sigma = sigma
    }
  }
  /// Metres ahead (+) and to the right (+) along the true direction of motion, and too high (+).
  public var along: Part?, across: Part?, height: Part?
  /// Metres a second too fast (+).
  public var speed: Part?
  /// Degrees clockwise (+).
  public var heading: Part?
  /// eᵀP⁻¹e / 2 of the horizontal position.
  public var nees: Double?

  /// A moment with nothing known yet.
  public init(time: Double) { self.time = time }
}

/// What became of one measurement.
public struct MeasurementMoment: Sendable {
  /// How it ended, as a figure tells them apart.
  public enum Fate: Sendable, CaseIterable {
    case used, weighedDown, rejected
  }
  /// Seconds on the drive's time line.
  public var time: Double
  /// Which measurement model.
  public var kind: MeasurementVerdict.Kind
  /// How it ended.
  public var fate: Fate
  /// Normalized innovation squared over its dimension; nil where none was computed.
  public var nisPerDimension: Double?
  /// Number of components of the innovation.
  public var dimension: Int

  /// The moment of a verdict.
  public init(_ verdict: MeasurementVerdict) {
    time = verdict.time.seconds
    kind = verdict.kind
    dimension = verdict.dimension
    fate =
      switch verdict.outcome {
      case .accepted: .used
      case .weighedDown: .weighedDown
      case .outlier, .stale, .nonFinite, .repeated, .extrapolated, .carried, .contradicted: .rejected
      }
    let nis = verdict.normalizedInnovationSquared
    nisPerDimension = nis.isFinite && dimension > 0 ? nis / Double(dimension) : nil
  }
}

/// What had been learned of the sensors at one time.
public struct CalibrationMoment: Sendable {
  /// Seconds on the drive's time line.
  public var time: Double
  /// What had been learned.
  public var calibration: Calibration

  /// What had been learned at `time`.
  public init(time: Double, calibration: Calibration) {
    self.time = time
    self.calibration = calibration
  }
}

/// How the error grew in one outage.
public struct OutageTrace: Sendable {
  /// Seconds on the drive's time line when the fixes stopped.
  public var start: Double
  /// Horizontal error and stated 95 % radius in metres, at multiples of ``step`` from the start;
  /// not-a-number where there is no truth or no solution.
  public var errors: [Double], radii95: [Double]
  /// Seconds from one value to the next.
  public var step: Double

  /// An outage that begins at `start`.
  public init(start: Double, step: Double) {
    self.start = start
    self.step = step
    errors = []
    radii95 = []
  }
}
