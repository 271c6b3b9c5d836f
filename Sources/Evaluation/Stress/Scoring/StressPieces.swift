import Navigation

/// Collects stretches of time out of points that follow one another.
struct StressPieces: Sendable {
  private(set) var total = 0.0
  private(set) var first: StressFigures.Piece?
  private(set) var longest: StressFigures.Piece?
  private var current: StressFigures.Piece?
  private var end: Timestamp?

  /// A point that stands for `interval` seconds and belongs to a stretch, with its error and radius.
  mutating func add(_ time: Timestamp, interval: Double, error: Double, radius: Double) {
    // The next row of truth may lie a little off: a nanosecond of rounding parts no stretch.
    let goesOn = end.map { abs(time.seconds(since: $0)) < 1e-6 } ?? false
    if !goesOn { close() }
    var piece = current ?? StressFigures.Piece(start: time.seconds, length: 0, error: nil, radius: nil)
    piece.length += interval
    total += interval
    if error.isFinite, error > piece.error ?? -1 {
      piece.error = error
      piece.radius = radius.isFinite ? radius : nil
    }
    current = piece
    end = time.advanced(bySeconds: interval)
  }

  /// Ends the stretch that is open.
  mutating func close() {
    guard let piece = current else { return }
    first = first ?? piece
    if piece.length > longest?.length ?? 0 { longest = piece }
    current = nil
    end = nil
  }
}
