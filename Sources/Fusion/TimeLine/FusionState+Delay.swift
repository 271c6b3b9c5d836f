import Navigation

/// How late the receiver is.
extension FusionState {
  /// Tells guard and navigator how late the receiver's velocity is.
  mutating func heedLag() {
    if settings.disabled.contains(.receiverLag) { return }
    let (value, variance) = (velocityLag.value, velocityLag.variance)
    planar?.velocityDelay = value
    planar?.velocityDelayVariance = variance
    guard isNavigating else { return }
    navigator.fixes.seemToLag = velocityLag.value > VelocityLag.least
    guard let lag = clearLag else { return }
    navigator.correctDelay(lag)
  }

  /// The lag of the receiver's velocity behind its positions, where it is clear.
  var clearLag: KnownLag? {
    velocityLag.clear.map { .init(value: $0.value, variance: $0.variance, share: lagShape.share) }
  }

  /// Looks when the fixes hold; if later than they are stamped, all goes on to where the car is by now.
  mutating func heedTime(of fix: GNSSFix) {
    if settings.disabled.contains(.receiverLag) { return }
    if lagShape.add(fix, lag: velocityLag.value), isNavigating, let lag = clearLag {
      navigator.forgetDelay()
      navigator.recallDelay(lag)
    }
    guard isNavigating, !isOnTrial, !isOdometry, navigator.mounting.isKnown else { return }
    let lag = (velocityLag.value, velocityLag.variance)
    guard
      let delay = navigator.clearDelay(
        velocity: fix.velocityNED == nil || velocityLag.clear != nil ? nil : lag),
      let change = fixTimeOffset.set(back: delay, at: fix.time)
    else { return }
    planar?.advance(by: change)
    bank?.advance(by: change)
    navigator.advance(by: change)
    lagShape = LagShape()
  }
}
