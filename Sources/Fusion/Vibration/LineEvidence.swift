// The gain of a window is the logarithm of how much likelier it is under what was believed before it than
// under all hypotheses alike. Without lines the exponential of the sum of gains has mean 1, whatever is
// believed, and rises above 1/α with a probability under α (Ville's inequality), if the noise of one window
// does not tell that of the next. It does where engine or body hum at a frequency of their own and the speed
// stays: so what one speed can show is bounded.
import CLibrary

/// Whether there are lines that go with the speed.
struct LineEvidence: Sendable {
  /// Gains of one speed count up to this, and down to its opposite: it takes two speeds to be sure. With
  /// 2.2, 2.8 an engine without wheels passes in 4, 6 of 370 simulated rides, and the P95 after 60 s without
  /// fixes is 13.6, 12.8 m. [measured on those; on boulder and five of ontario, geometric mean]
  private static let most = 2.8
  /// Logarithm of 1/α, α = 0.4 %. [chosen]
  private static let needed = 5.5
  /// Evidence fades over this many windows. [chosen]
  private static let memory = 50.0
  /// Logarithm of the ratio of one speed to the next, the first at 2 m/s. An engine is no noise, and its
  /// lines go with the speed as long as the gear does: one without wheels passes in 6 of 370 rides, and
  /// in 23 with 0.06 and a most of 2.2. [measured on simulated rides, the scenario of WheelVibrationTests]
  private static let width = 0.12

  private var gains = InlineArray<25, Double>(repeating: 0)

  /// Sum over the speeds.
  var total: Double {
    var sum = 0.0
    let gains = gains.span
    for i in 0..<25 { sum += gains[i] }
    return sum
  }

  var isEnough: Bool { total > Self.needed }
  var isLost: Bool { total < Self.needed / 2 }

  /// Adds the gain of a window at `speed`, m/s.
  mutating func add(_ gain: Double, speed: Double) {
    for i in 0..<25 { gains[i] *= 1 - 1 / Self.memory }
    let i = min(24, max(0, Int(log(speed / 2) / Self.width)))
    gains[i] = min(Self.most, max(-Self.most, gains[i] + gain))
  }
}
