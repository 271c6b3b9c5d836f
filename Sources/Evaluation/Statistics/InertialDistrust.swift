import Navigation

/// The IMU's samples that the engine left out, because it found the IMU broken.
public struct InertialDistrust: Sendable, Equatable {
  /// Time of the first of them; nil where there is none.
  public private(set) var first: Timestamp?
  /// Seconds that they make up.
  public private(set) var duration = 0.0
  private var last: Timestamp?
  private var count = 0, forces = 0.0, rates = 0.0

  /// Mean magnitude of the specific force in m/s² and of the angular rate in rad/s over them, by which units
  /// can be told.
  public var means: (force: Double, rate: Double) { (forces / Double(count), rates / Double(count)) }

  /// Nothing was left out.
  public init() {}

  mutating func add(_ sample: SensorSample, isTrusted: Bool) {
    guard case .inertial(let sample) = sample else { return }
    guard !isTrusted else { return last = nil }
    first = first ?? sample.time
    if let last { duration += max(0, sample.time.seconds(since: last)) }
    last = sample.time
    count += 1
    forces += sample.specificForce.norm
    rates += sample.angularRate.norm
  }
}
