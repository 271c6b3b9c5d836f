/// For how long which error stood against which stated 95 % radius: a Stanford diagram.
///
/// Both are sorted into bins that double: up to 0.125 m, up to 0.25 m, and so on; the last one holds what is
/// beyond 4096 m or no number.
public struct StressDiagram: Sendable, Equatable, Codable {
  /// Upper ends of the bins but the last, m.
  public static let edges = (0...15).map { 0.125 * Double(1 << $0) }
  /// Bins of the radius, and of the error.
  public static let count = edges.count + 1

  /// Seconds by bin, those of a radius side by side; bins without any are left out.
  private var seconds: [Int: Double] = [:]

  init() {}

  mutating func add(error: Double, radius: Double, for interval: Double) {
    seconds[Self.bin(radius) * Self.count + Self.bin(error), default: 0] += interval
  }

  /// Seconds with the radius in the one bin and the error in the other.
  public func time(radius: Int, error: Int) -> Double { seconds[radius * Self.count + error] ?? 0 }

  /// Share of the time with errors up to 4 m in which the stated radius is above 64 m, and warns of nothing;
  /// nil without such errors.
  public var vagueShare: Double? {
    var (vague, all) = (0.0, 0.0)
    for radius in 0..<Self.count {
      for error in 0...Self.bin(4) {
        all += time(radius: radius, error: error)
        if radius > Self.bin(64) { vague += time(radius: radius, error: error) }
      }
    }
    return all > 0 ? vague / all : nil
  }

  static func += (a: inout StressDiagram, b: StressDiagram) {
    for (bin, time) in b.seconds { a.seconds[bin, default: 0] += time }
  }

  static func bin(_ metres: Double) -> Int { edges.firstIndex { metres <= $0 } ?? edges.count }
}
