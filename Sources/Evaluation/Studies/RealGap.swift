/// A stretch without fixes as the drive had it, and how far off the estimators were when the first good fix
/// came.
public struct RealGap: Sendable, Equatable {
  /// Seconds on the drive's time line of the last fix before it and of the first after it.
  public var start: Double, end: Double
  /// Seconds on the drive's time line of the first fix after it whose stated error is small.
  public var goodFix: Double
  /// Accuracy that fix states, metres; nil where the receiver states none.
  public var statedError: Double?
  /// Seconds before the good fix at which the estimators are compared with it, moved back by its own
  /// velocity; 0 where it has none.
  public var lead: Double
  /// Horizontal distance from there, metres, of the causal solution; nil where there was none.
  public var causalError: Double?
  /// Radii that the causal solution stated, metres.
  public var accuracy68: Double?, accuracy95: Double?
  /// The same distance of another system's solution, receiver.csv.
  public var receiverError: Double?

  /// Seconds without any fix.
  public var length: Double { end - start }
  /// Whether the causal solution lay inside its own 95 % radius.
  public var isInside95: Bool? {
    guard let causalError, let accuracy95 else { return nil }
    return causalError <= accuracy95
  }
}
