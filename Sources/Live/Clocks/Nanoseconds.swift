import Navigation

// Times from outside may be any 64 bits: nothing here may trap on them.
extension Timestamp {
  /// Nanoseconds from `earlier` to `self`, clamped.
  func nanoseconds(since earlier: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (nanoseconds < 0 ? .min : .max) : difference
  }

  /// The point `offset` nanoseconds later, clamped.
  func advanced(byNanoseconds offset: Int64) -> Timestamp {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(offset)
    return Timestamp(nanoseconds: overflow ? (offset < 0 ? .min : .max) : sum)
  }
}

extension Int64 {
  /// The nearest whole number of nanoseconds to `seconds`, clamped.
  init(nanosecondsIn seconds: Double) { self = Timestamp(seconds: seconds).nanoseconds }

  /// `self − other`, clamped.
  func clampedMinus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  /// `self + other`, clamped.
  func clampedPlus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }
}
