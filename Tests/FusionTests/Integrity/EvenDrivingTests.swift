import Fusion
import Testing

@Suite struct EvenDrivingTests {
  private static let bin = 0.2

  /// What is known of a car that drove with its IMU steady for so many seconds at a time, again and again.
  private static func driven(_ spans: [Double], times: Int) -> EvenDriving {
    var even = EvenDriving()
    even.observe(steadyFor: 0, isDriving: true, elapsed: bin)
    for _ in 0..<times {
      for span in spans {
        for i in 1...Int((span / bin).rounded()) {
          even.observe(steadyFor: Double(i) * bin, isDriving: true, elapsed: bin)
        }
        even.observe(steadyFor: 0, isDriving: true, elapsed: bin)
      }
    }
    return even
  }

  @Test func aCarThatIsNeverSteadyForASecondStandsAfterFew() {
    let even = Self.driven([0.4, 0.2, 0.6], times: 60)
    #expect(even.rate(after: 8) < StandstillConfiguration().evenDrivingRate)
  }

  /// Of cars on smooth roads spans of eight seconds were seen while they went 5 m/s.
  @Test func aCarThatGoesEvenlyForSecondsDoesNot() {
    let even = Self.driven([0.4, 3, 1.6, 5], times: 10)
    #expect(even.rate(after: 8) > StandstillConfiguration().evenDrivingRate)
  }

  @Test func nothingIsBelievedBeforeItHasDriven() {
    #expect(EvenDriving().rate(after: 10) > StandstillConfiguration().evenDrivingRate)
  }

  /// A rest ends as the car drives off: it says nothing of driving.
  @Test func restsAreNotDriving() {
    var even = Self.driven([0.4, 0.2, 0.6], times: 60)
    let before = even.rate(after: 8)
    for _ in 0..<5 {
      even.observe(steadyFor: 0, isDriving: false, elapsed: Self.bin)
      for i in 1...100 { even.observe(steadyFor: Double(i) * Self.bin, isDriving: false, elapsed: Self.bin) }
      even.observe(steadyFor: 0, isDriving: true, elapsed: Self.bin)
    }
    #expect(even.rate(after: 8) < 1.1 * before)
  }

  @Test func theLongerItIsSteadyTheLessItDrives() {
    let even = Self.driven([0.4, 1.2], times: 20)
    let rates = [1.0, 2, 4, 8, 16].map { even.rate(after: $0) }
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 > $1 }, "\(rates)")
  }
}
