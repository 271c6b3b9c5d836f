/// For how long a truth lay inside what was stated, s.
public struct StressCoverage: Sendable, Equatable, Codable {
  /// Time over which it was judged.
  public var time = 0.0
  /// Time inside the 68 %, and inside the 95 %.
  public var inside68 = 0.0, inside95 = 0.0

  init() {}

  /// Adds `interval` seconds with an error against a standard deviation.
  mutating func add(error: Double, sigma: Double, for interval: Double) {
    add(abs(error), radius68: sigma, radius95: 1.96 * sigma, for: interval)
  }

  /// Adds `interval` seconds with a distance against radii; not-a-number is inside of nothing.
  mutating func add(_ distance: Double, radius68: Double, radius95: Double, for interval: Double) {
    time += interval
    if distance <= radius68 { inside68 += interval }
    if distance <= radius95 { inside95 += interval }
  }

  static func += (a: inout StressCoverage, b: StressCoverage) {
    a.time += b.time
    a.inside68 += b.inside68
    a.inside95 += b.inside95
  }

  /// Share of the time inside; nil where nothing was judged.
  public var share68: Double? { time > 0 ? inside68 / time : nil }
  /// Share of the time inside; nil where nothing was judged.
  public var share95: Double? { time > 0 ? inside95 / time : nil }
}
