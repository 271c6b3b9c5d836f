/// A point on the engine's one time line, in whole nanoseconds since an origin that the source chooses.
///
/// In a drive folder the origin is the drive's own zero; live it is the monotonic clock's.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Nanoseconds since the origin.
  public var nanoseconds: Int64

  /// The point `nanoseconds` after the origin.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The nearest nanosecond to `seconds`; values beyond ±292 years are clamped,
  /// not-a-number gives the origin.
  @inlinable public init(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    guard !scaled.isNaN else {
      self.init(nanoseconds: 0)
      return
    }
    self.init(nanoseconds: Int64(exactly: scaled) ?? (scaled < 0 ? .min : .max))
  }

  /// Seconds since the origin; exact to a microsecond for a century.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Seconds from `earlier` to `self`, negative if `earlier` is later.
  @inlinable public func seconds(since earlier: Timestamp) -> Double {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (nanoseconds < 0 ? -.infinity : .infinity) : Double(difference) * 1e-9
  }

  /// The point `seconds` later.
  @inlinable public func advanced(bySeconds seconds: Double) -> Timestamp {
    let step = Timestamp(seconds: seconds).nanoseconds
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    return Timestamp(nanoseconds: overflow ? (step < 0 ? .min : .max) : sum)
  }

  /// Whether `a` is earlier than `b`.
  @inlinable public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
}
