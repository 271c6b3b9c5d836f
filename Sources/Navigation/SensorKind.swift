/// The kinds of sensor, and what is the same wherever one is handled: its place among samples of one time,
/// its file in a drive folder, its words for people, and what a value of it can be.
///
/// Counts, spans, latencies, verdicts, the time line and texts take it from here, so that a new sensor is a
/// case here and in ``SensorSample``, and the compiler leads to the few places that have to read or use it.
public enum SensorKind: UInt8, Sendable, CaseIterable {
  // The raw value is the rank of samples of one time: the IMU's first, fixes last, which use all that is
  // known by then.
  /// Gyroscope and accelerometer.
  case inertial
  /// Speed of the wheels.
  case wheel
  /// Air pressure.
  case pressure
  /// A receiver's fixes.
  case gnss

  /// Its table in a drive folder.
  public var file: String {
    switch self {
    case .inertial: "imu.csv"
    case .wheel: "wheel.csv"
    case .pressure: "barometer.csv"
    case .gnss: "gnss.csv"
    }
  }

  /// One of its samples, in a sentence.
  public var noun: String {
    switch self {
    case .inertial: "inertial sample"
    case .wheel: "wheel sample"
    case .pressure: "pressure sample"
    case .gnss: "fix"
    }
  }

  /// So many of its samples.
  public func counted(_ count: Int) -> String { "\(count) \(noun)\(self == .gnss ? "es" : "s")" }
}

/// A value for each kind of sensor, for tallies.
public struct ByKind<Value: Sendable>: Sendable {
  private var values: [Value]

  /// The same for each.
  public init(repeating value: Value) { values = Array(repeating: value, count: SensorKind.allCases.count) }

  /// That of one kind.
  public subscript(_ kind: SensorKind) -> Value {
    get { values[Int(kind.rawValue)] }
    set { values[Int(kind.rawValue)] = newValue }
  }
}

extension ByKind: Equatable where Value: Equatable {}
