/// A move from 0 to `total` at a rate that rises and falls without kinks, and is steady in between.
///
/// The rate rises by 6t⁵ − 15t⁴ + 10t³ over `ramp` seconds and falls in the same way at the end, so
/// that acceleration is continuous and 0 at both ends.
struct SmoothMove: Sendable, Equatable {
  let total: Double
  let seconds: Double
  let ramp: Double

  /// The move; a ramp takes at most half of it.
  init(total: Double, seconds: Double, ramp: Double) {
    self.total = total
    self.seconds = seconds
    self.ramp = min(ramp, seconds / 2)
  }

  /// How far it is at a time, its rate and acceleration.
  func evaluate(_ time: Double) -> (value: Double, rate: Double, acceleration: Double) {
    let top = total / (seconds - ramp)
    if time <= 0 { return (0, 0, 0) }
    if time >= seconds { return (total, 0, 0) }
    if time < ramp {
      let t = time / ramp
      return (
        top * ramp * t * t * t * t * (2.5 - t * (3 - t)), top * t * t * t * (10 - t * (15 - 6 * t)),
        top / ramp * 30 * t * t * (1 - t) * (1 - t)
      )
    }
    if time <= seconds - ramp { return (top * (time - ramp / 2), top, 0) }
    let rest = evaluate(seconds - time)
    return (total - rest.value, rest.rate, -rest.acceleration)
  }
}
