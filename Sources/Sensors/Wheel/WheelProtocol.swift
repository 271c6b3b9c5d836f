import Navigation
import SensorEvents

/// The line protocol by which a program that reads the car's bus hands over speed and gear.
///
/// A line is ASCII, ends in a line feed, and has at most 256 bytes. It is made of words: a key, then
/// its value, in any order.
///
///     speed 13.9                       m/s over ground by the wheels; negative backward
///     speed 13.9 yaw 0.05              with the yaw rate in rad/s, positive to the right
///     speed 13.9 time 81.25 boottime   with when it held: seconds on boottime, monotonic, realtime or tai
///     gear reverse                     from now on a speed without a sign means backward
///     gear forward                     until this line, or until the connection ends
///
/// Empty lines and lines that begin with # are passed over. A line that cannot be read is answered by a line
/// `error NUMBER REASON`, with its number in the connection, and changes nothing.
public struct WheelProtocol: Sendable {
  /// Longest line in bytes, its end not counted.
  public static let longestLine = 256
  /// Greatest speed, in m/s, and yaw rate, in rad/s, that a car is believed.
  static let greatestSpeed = 150.0, greatestYawRate = 10.0

  /// A line that cannot be read.
  public struct Refusal: Error, Sendable, Equatable {
    /// What is wrong with it.
    public let reason: String
  }

  /// Whether the gear is reverse.
  public private(set) var isReverse = false

  /// A connection that begins.
  public init() {}

  /// Takes a line without its end; gives the reading in it, or nil where it has none.
  public mutating func read(_ line: String) throws(Refusal) -> WheelReading? {
    var words = line.split(whereSeparator: \.isWhitespace)[...]
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    var speed: Double?
    var yawRate: Double?
    var stamp: (Timestamp, ClockKind)?
    var gear: Bool?
    while let key = words.popFirst() {
      guard let value = words.popFirst() else { throw Refusal(reason: "\(key.prefix(20)) has no value") }
      switch key {
      case "speed": speed = try number(value, of: key, limit: Self.greatestSpeed)
      case "yaw": yawRate = try number(value, of: key, limit: Self.greatestYawRate)
      case "time": stamp = (try time(value), try clock(words.popFirst()))
      case "gear": gear = try isReverseGear(value)
      default: throw Refusal(reason: "\(key.prefix(20)) is none of speed, yaw, time, gear")
      }
    }
    guard speed != nil || (yawRate == nil && stamp == nil) else { throw Refusal(reason: "there is no speed") }
    isReverse = gear ?? isReverse
    guard let speed else { return nil }
    return WheelReading(
      time: stamp?.0, clock: stamp?.1 ?? .host, speed: isReverse && speed > 0 ? -speed : speed,
      yawRate: yawRate)
  }

  private func number(_ text: Substring, of key: Substring, limit: Double) throws(Refusal) -> Double {
    guard let value = Double(text), value.isFinite else {
      throw Refusal(reason: "\(key) \(text.prefix(20)) is not a number")
    }
    guard abs(value) <= limit else { throw Refusal(reason: "\(key) \(text.prefix(20)) is beyond \(limit)") }
    return value
  }

  /// Seconds to the nanosecond: a Double would keep a time since 1970 to a quarter of a microsecond only.
  private func time(_ text: Substring) throws(Refusal) -> Timestamp {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1].prefix(9) : ""
    guard parts[0].allSatisfy(\.isDigit), (1...10).contains(parts[0].count),
      parts.count < 2 || (!parts[1].isEmpty && parts[1].allSatisfy(\.isDigit)),
      let seconds = Int64(parts[0]), seconds < 9_000_000_000,
      let nanoseconds = Int64(decimals + String(repeating: "0", count: 9 - decimals.count))
    else { throw Refusal(reason: "time \(text.prefix(20)) is not seconds") }
    return Timestamp(nanoseconds: seconds * 1_000_000_000 + nanoseconds)
  }

  private func clock(_ text: Substring?) throws(Refusal) -> ClockKind {
    switch text {
    case "boottime": return .host
    case "monotonic": return .monotonic
    case "realtime": return .realtime
    case "tai": return .tai
    default: throw Refusal(reason: "time needs its clock: boottime, monotonic, realtime or tai")
    }
  }

  private func isReverseGear(_ text: Substring) throws(Refusal) -> Bool {
    switch text {
    case "reverse": return true
    case "forward": return false
    default: throw Refusal(reason: "gear \(text.prefix(20)) is neither reverse nor forward")
    }
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
