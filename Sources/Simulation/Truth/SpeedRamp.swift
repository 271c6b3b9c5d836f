/// A change of speed with limited acceleration and jerk that starts and ends without acceleration.
struct SpeedRamp: Sendable {
  let from: Double
  let to: Double
  /// Seconds of growing, of steady and of fading acceleration; the first and last are equal.
  let jerkTime: Double
  let steadyTime: Double
  /// Jerk in the first part, m/s³, negative when braking.
  let jerk: Double

  /// The quickest ramp within `acceleration` and `jerk`, both positive.
  init(from: Double, to: Double, acceleration: Double, jerk: Double) {
    self.from = from
    self.to = to
    let change = abs(to - from)
    if change >= acceleration * acceleration / jerk {
      jerkTime = acceleration / jerk
      steadyTime = change / acceleration - jerkTime
    } else {
      jerkTime = (change / jerk).squareRoot()
      steadyTime = 0
    }
    self.jerk = to < from ? -jerk : jerk
  }

  var duration: Double { 2 * jerkTime + steadyTime }

  /// Metres driven: the ramp is symmetric, so its mean speed is the middle.
  var distance: Double { (from + to) / 2 * duration }
}
