import Drives
import Navigation

/// How late an estimate is: regressions of its errors on how fast the truth changes.
struct Lateness: Sendable {
  private var lastCourse: (time: Timestamp, course: Double)?
  private var courseErrorTimesRate = 0.0
  private var courseRateSquared = 0.0
  private var alongTimesSpeed = 0.0
  private var speedSquared = 0.0

  /// Of the course, s; nil where the truth never turned.
  var ofCourse: Double? { courseRateSquared > 0 ? -courseErrorTimesRate / courseRateSquared : nil }
  /// Of the position, s; nil where the truth never moved.
  var ofPosition: Double? { speedSquared > 0 ? -alongTimesSpeed / speedSquared : nil }

  /// Adds an error ahead, m, at a speed of the truth, m/s.
  mutating func add(ahead: Double, speed: Double) {
    alongTimesSpeed += ahead * speed
    speedSquared += speed * speed
  }

  /// Adds the course of a velocity in NED, m/s, where that of the truth turns by over 5 °/s and
  /// its speed is above 2 m/s.
  mutating func add(course velocity: Vector3, truth: TruthSample) {
    guard let reference = truth.velocityNED, reference.horizontalNorm > 2, velocity.horizontalNorm > 0 else {
      lastCourse = nil
      return
    }
    let course = reference.courseAngle
    defer { lastCourse = (truth.time, course) }
    guard let last = lastCourse else { return }
    let step = truth.time.seconds(since: last.time)
    guard step > 0, step <= TruthTrack.longestGap else { return }
    let rate = Angle.wrapped(course - last.course) / step
    guard abs(rate) > Angle.radians(degrees: 5) else { return }
    courseErrorTimesRate += Angle.wrapped(velocity.courseAngle - course) * rate
    courseRateSquared += rate * rate
  }
}
