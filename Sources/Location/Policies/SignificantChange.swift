import Navigation

/// Tells of a move of about 500 m, whatever the accuracy, and never of noise alone.
public struct SignificantChange: Sendable, Equatable {
  /// Metres from the last reported location.
  public static let distance = 500.0
  /// So many standard radii of both locations together the move must exceed, so that a bad fix is no
  /// move: the first where one location shows it, the other where two in a row do. (Of what was told by
  /// chance every next one is far.)
  static let certaintyOfOne = 4.0, certaintyOfTwo = 2.0
  /// A location this many times better than the reported one is told without a move: a
  /// start from a cell's position.
  static let improvedTimes = 10.0

  /// What was told last; nil before the first.
  public private(set) var last: Location?
  /// Whether the location before was far from it.
  private var wasFar = false

  /// Goes on from what was told last, be it by an earlier boot: its time then plays no part any more.
  public init(after last: Location? = nil) {
    self.last = last
    self.last?.timestamp = Timestamp(nanoseconds: .min)
  }

  /// Whether to tell `location`: the first, and each that has moved. Each report is where the next distance
  /// is measured from, so that going to and fro about the edge of 500 m tells once.
  public mutating func shouldReport(_ location: Location) -> Bool {
    guard location.isValid else { return false }
    guard let last else {
      self.last = location
      return true
    }
    guard location.timestamp > last.timestamp else { return false }
    let (r1, r2) = (location.horizontalAccuracy, last.horizontalAccuracy)
    let moved = location.distance(from: last)
    let times = moved < Self.distance ? 0 : moved / (r1 * r1 + r2 * r2).squareRoot()
    let isMove = times > (wasFar ? Self.certaintyOfTwo : Self.certaintyOfOne)
    wasFar = times > Self.certaintyOfTwo
    let isBetter = r2 >= Self.distance && r1 * Self.improvedTimes <= r2
    guard isMove || isBetter else { return false }
    self.last = location
    wasFar = false
    return true
  }
}
