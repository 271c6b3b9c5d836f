import LinearAlgebra

/// A satellite receiver and its antenna.
public struct ReceiverModel: Sendable, Equatable {
  /// Kinds of receivers.
  public enum Preset: String, Sendable, CaseIterable {
    /// A car-grade module: 5 Hz, 110 ms (PX4 and ArduPilot take 110 and 120 ms for a u-blox M8).
    case module
    /// A phone's: 1 Hz, slower, more smoothed.
    case phone
    /// White errors of one size everywhere, no delay, honest: what a filter assumes,
    /// for tests of consistency.
    case white
  }
  /// What the receiver says of its own error.
  public enum StatedAccuracy: String, Sendable, CaseIterable {
    /// Too little where it matters.
    case optimistic
    /// The true standard deviation.
    case honest
    /// Nothing.
    case none
  }

  /// Which kind.
  public var preset: Preset
  /// Fixes per second.
  public var rate = 5.0
  /// Whether fixes have a velocity.
  public var hasVelocity = true
  /// What it says of its own error.
  public var statedAccuracy = StatedAccuracy.optimistic
  /// Seconds from the stated time to the arrival: 60 ms to 220 ms in all [published, measured].
  public var delay = 0.09
  /// Largest addition to it, evenly spread, s.
  public var delayJitter = 0.06
  /// Seconds by which the stated time is later than the true one [60 ms measured on one drive].
  public var validityLag = 0.0
  /// Seconds of the low-pass on the velocity: 0.125 s measured on one receiver.
  public var velocitySmoothing = 0.1
  /// Seconds of the low-pass on the position error: 0.3 s to 1 s [chosen].
  public var positionSmoothing = 0.5
  /// Speed in m/s below which the course stays what it was: about 0.1 m/s [chosen].
  public var courseFreezeSpeed = 0.1
  /// Whether it goes on for 2 s to 10 s with its last velocity where signals end [chosen].
  public var extrapolates = true
  /// Antenna from the middle of the rear axle, metres forward, right, down.
  public var antenna = Vector3(0.6, 0, -1.4)
  /// One error everywhere, instead of one by surroundings.
  public var uniform: ReceptionModel?

  /// A receiver of a kind.
  public init(preset: Preset = .module) {
    self.preset = preset
    switch preset {
    case .module: break
    case .phone:
      rate = 1
      delay = 0.15
      delayJitter = 0.07
      validityLag = 0.06
      velocitySmoothing = 0.3
      positionSmoothing = 1
    case .white:
      rate = 1
      statedAccuracy = .honest
      delay = 0
      delayJitter = 0
      velocitySmoothing = 0
      positionSmoothing = 0
      courseFreezeSpeed = 0
      extrapolates = false
      uniform = .white(horizontal: 1.5, vertical: 2.5, velocity: 0.05)
    }
  }

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    self.init(preset: try reader.name("preset", default: Preset.module))
    rate = try reader.number("rateHz", in: 0.01...50, default: rate)
    hasVelocity = try reader.bool("velocity", default: hasVelocity)
    statedAccuracy = try reader.name("statedAccuracy", default: statedAccuracy)
    delay = try reader.number("delaySeconds", in: 0...10, default: delay)
    delayJitter = try reader.number("delayJitterSeconds", in: 0...10, default: delayJitter)
    validityLag = try reader.number("validityLagSeconds", in: 0...5, default: validityLag)
    velocitySmoothing = try reader.number("velocitySmoothingSeconds", in: 0...10, default: velocitySmoothing)
    positionSmoothing = try reader.number("positionSmoothingSeconds", in: 0...10, default: positionSmoothing)
    courseFreezeSpeed = try reader.number("courseFreezeSpeed", in: 0...10, default: courseFreezeSpeed)
    extrapolates = try reader.bool("extrapolates", default: extrapolates)
    let place = try reader.triple("antennaMetres", limit: 10, default: (antenna.x, antenna.y, antenna.z))
    antenna = Vector3(place.0, place.1, place.2)
    if preset == .white {
      uniform = .white(
        horizontal: try reader.number("horizontalSigmaMetres", in: 0...1000, default: 1.5),
        vertical: try reader.number("verticalSigmaMetres", in: 0...1000, default: 2.5),
        velocity: try reader.number("velocitySigma", in: 0...100, default: 0.05))
    }
    try reader.finish()
  }

  /// How it does in some surroundings. No receiver hears satellites under a roof.
  func reception(in environment: RadioEnvironment) -> ReceptionModel {
    let usual = ReceptionModel.usual(in: environment)
    guard var uniform else { return usual }
    uniform.hasSignal = usual.hasSignal
    return uniform
  }
}
