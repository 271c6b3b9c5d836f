@_exported import Navigation

/// Fuses samples into a solution: the one entry point, for live use, replay and evaluation alike.
///
/// A value: a copy is an engine of its own. Samples are taken in order of arrival and applied in order of
/// their own time; the same samples give the same bits. It has no clock and never waits.
public struct FusionEngine: Sendable {
  /// What it was told at the start.
  public var configuration: FusionConfiguration { timeLine.state.settings }
  var timeLine: SampleTimeLine
  private var bursts = BurstStamps()
  private var verdicts = VerdictQueue()

  /// An engine that knows nothing yet, or what an earlier one knew.
  ///
  /// - Parameters:
  ///   - configuration: one for all cars.
  ///   - savedState: where to start from, as far as the samples bear it out; ``warmStart``
  ///     tells what became of it.
  public init(
    configuration: FusionConfiguration = FusionConfiguration(), savedState: SavedState? = nil
  ) {
    timeLine = SampleTimeLine(settings: configuration, saved: savedState)
  }

  /// Takes one sample, in order of arrival. One that cannot be used is refused by a verdict.
  public mutating func process(_ sample: SensorSample) {
    // Apart: as one of all sensors' an IMU's sample would be copied with the room that a
    // fix takes, time and again.
    if case .inertial(var inertial) = sample {
      inertial.time = bursts.corrected(inertial.time)
      if inertial.isUsable { timeLine.insert(inertial, verdicts: &verdicts) }
    } else {
      measure(sample)
    }
  }

  @inline(never) private mutating func measure(_ sample: SensorSample) {
    // Asked once for all: each question copies it.
    switch sample.usability {
    case .usable: timeLine.insert(sample, verdicts: &verdicts)
    case .withoutHeight: timeLine.insert(sample.withoutHeight, verdicts: &verdicts)
    case .unusable:
      if let kind = MeasurementVerdict.Kind(sample) { verdicts.append(.init(sample.time, kind, .nonFinite)) }
    }
  }

  /// The solution of the IMU's position at `time`, predicted from the newest samples;
  /// nil before the first fix.
  public func solution(at time: Timestamp) -> NavigationSolution? {
    timeLine.solution(at: time)
  }

  /// What became of the saved state that the engine was started from; nil where there was none.
  public var warmStart: WarmStartReport? { timeLine.state.warmStartReport }

  /// How often the fixes contradicted the solution until another heading, found beside it, took over, or the
  /// position was taken anew from them.
  public var recoveries: Int { timeLine.state.recoveries }

  /// What has been found of the times that samples are stamped with.
  public var timing: SensorTiming {
    var timing = SensorTiming()
    timing.fixOffset = timeLine.state.fixTimeOffset.value
    timing.wheelSpeedLag = timeLine.state.wheelSpeedLag.clear
    timing.inertialBurst = bursts.burst
    return timing
  }

  /// Whether the IMU's samples are used: not where gravity or the fixes show that it is broken.
  public var isInertialTrusted: Bool { timeLine.state.isInertialUsed }

  /// Takes the oldest verdict on a measurement that has not been read yet; the newest 256 are kept.
  public mutating func nextVerdict() -> MeasurementVerdict? { verdicts.next() }
}

extension InertialSample {
  /// Whether every value is a number in a sensible range.
  @inline(__always) fileprivate var isUsable: Bool {
    // An accelerometer that measures nothing at all is dead: no car falls freely.
    specificForce.norm > 0.5 && angularRate.norm < 100 && specificForce.norm < 1000
  }
}

extension GNSSFix {
  /// Heights that a car may have, m. [chosen: the lowest road is at -430 m, the highest at 5,800 m]
  private static let heights = -1000.0...10_000
  /// What is no height in any unit, m. [chosen: the highest road in mm is 5.8e6]
  private static let nonsense = 1e7

  /// Whether it is what a receiver or a file says that has nothing to say: exactly zero in both.
  private var isNothing: Bool { position.latitude == 0 && position.longitude == 0 }

  /// Whether its height is where no road is: one in mm, or a leap.
  private var hasImpossibleHeight: Bool {
    abs(position.height) < Self.nonsense && !(Self.heights ~= position.height)
  }

  @inline(__always) fileprivate var usability: SensorSample.Usability {
    let hasImpossibleHeight = hasImpossibleHeight
    var position = position
    if position.height.isNaN || hasImpossibleHeight { position.height = 0 }
    guard position.isValid, position.longitude.isFinite, !isNothing else { return .unusable }
    // Beyond 1000 km the square of a sigma would drown all other covariances.
    let sigmas = positionSigma ?? .zero
    guard min(sigmas.x, sigmas.y, sigmas.z) >= 0, sigmas.norm < 1e7, 0...1e6 ~= speedSigma ?? 0 else {
      return .unusable
    }
    if let v = velocityNED, !(v.horizontalNorm < 600) { return .unusable }
    return hasImpossibleHeight ? .withoutHeight : .usable
  }
}

extension SensorSample {
  /// What it can be used for.
  enum Usability {
    case usable, withoutHeight, unusable

    fileprivate init(_ isUsable: Bool) { self = isUsable ? .usable : .unusable }
  }

  /// The same without a height.
  var withoutHeight: SensorSample {
    guard case .gnss(var fix) = self else { return self }
    fix.position.height = .nan
    return .gnss(fix)
  }

  /// Whether every value that has to be a number in a sensible range is one.
  @inline(__always) var usability: Usability {
    switch self {
    case .inertial(let s): Usability(s.isUsable)
    case .wheel(let s): Usability(abs(s.speed) < 200 && (s.yawRate.map { abs($0) < 20 } ?? true))
    case .pressure(let s): Usability(s.isPossible)
    case .gnss(let fix): fix.usability
    }
  }
}
