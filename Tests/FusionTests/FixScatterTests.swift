import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct FixScatterTests {
  private let start = GeodeticPosition(latitude: 0.6, longitude: 0.2, height: 100)

  /// Variance that is seen in `count` fixes, `interval` seconds apart, at `place` with white
  /// noise of `sigma` metres.
  private func variance(
    interval: Double, sigma: Double, count: Int = 60, place: (Double) -> Vector3
  ) -> Double {
    var scatter = FixScatter()
    var random = RandomSource(seed: 3, stream: "scatter")
    var sum = 0.0
    for i in 0..<count {
      let time = Double(i) * interval
      let noise = Vector3(random.normal(), random.normal(), 0) * sigma
      let position = start.moved(byNED: place(time) + noise)
      scatter.add(GNSSFix(time: Timestamp(seconds: time), position: position))
      if i >= 10 { sum += scatter.variance }
    }
    return sum / Double(count - 10)
  }

  /// A quarter of the variance is claimed; at 1 Hz an acceleration could explain some of it.
  @Test(arguments: [(0.1, 0.7, 1.4), (0.2, 0.7, 1.4), (1.0, 0.2, 1.4)])
  func whiteNoiseIsSeen(interval: Double, least: Double, most: Double) {
    let seen = variance(interval: interval, sigma: 5, count: 400) { Vector3(20 * $0, 0, 0) }
    #expect(seen > least * 25 / 4 && seen < most * 25 / 4, "\(seen) m²")
  }

  /// 4.9 m/s² in a bend, and braking.
  @Test(arguments: [0.1, 0.2, 1.0]) func noMotionOfACarIsScatter(interval: Double) {
    let bend = variance(interval: interval, sigma: 0) { Vector3(cos(0.49 * $0), sin(0.49 * $0), 0) * 20.4 }
    #expect(bend < 1e-6)
    let braking = variance(interval: interval, sigma: 0) { time in
      let t = min(time, 4)
      return Vector3(20 * t - 2.4 * t * t, 0, 0)
    }
    #expect(braking < 1e-6)
  }

  @Test func aJumpOfTheReceiverIsNone() {
    #expect(variance(interval: 0.2, sigma: 0) { $0 < 6 ? .zero : Vector3(0, 80, 0) } < 1e-6)
  }

  /// A receiver that says centimetres is not believed before it has shown them, nor doubted for long.
  @Test(arguments: [0.2, 1.0, 5.0]) func nothingIsKnownOfTheFirstFixes(interval: Double) {
    var scatter = FixScatter()
    for i in 0..<12 {
      let time = Double(i) * interval
      scatter.add(
        GNSSFix(time: Timestamp(seconds: time), position: start.moved(byNED: Vector3(10 * time, 0, 0))))
      #expect(i < 3 ? scatter.variance >= 1 : i < 6 || scatter.variance < 1e-6, "\(i): \(scatter.variance)")
    }
  }

  @Test func fixesFarApartAreNotCompared() {
    #expect(variance(interval: 2, sigma: 50) { Vector3(10 * $0, 0, 0) } == 0)
  }
}
