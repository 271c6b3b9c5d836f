import Fusion
import Simulation
import Testing

/// Fixes that are stamped later than they hold.
@Suite struct FixTimeOffsetTests {
  private static let town = Ride.sharp(sigma: 0.3, rate: 2, hasVelocity: true)

  /// The ride with fixes that are stamped, and come, so much later, s.
  private static func stamped(_ ride: Ride, late seconds: Double, hasVelocity: Bool = true) -> Ride {
    var late = ride.withFixes { fix in
      var fix = fix
      fix.received = fix.received?.advanced(bySeconds: seconds)
      fix.time = fix.time.advanced(bySeconds: seconds)
      if !hasVelocity { fix.velocityNED = nil }
      return fix
    }
    late.samples = late.samples.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    return late
  }

  /// Root mean square of the error in the ride's second half, m, by an engine of this configuration.
  private static func error(
    _ ride: Ride, _ configuration: FusionConfiguration = FusionConfiguration()
  ) -> (rootMeanSquare: Double, offset: Double) {
    var engine = FusionEngine(configuration: configuration)
    var (squares, count) = (0.0, 0.0)
    for sample in ride.samples {
      engine.process(sample)
      guard case .inertial = sample, sample.time.seconds > ride.duration / 2,
        let solution = engine.solution(at: sample.time)
      else { continue }
      let error = ride.positionError(solution)
      squares += error * error
      count += 1
    }
    return ((squares / max(count, 1)).squareRoot(), engine.timing.fixOffset)
  }

  @Test(arguments: [0.3, 0.6, 1.0], [true, false]) func itIsFoundAndSeenTo(late: Double, hasVelocity: Bool) {
    let ride = Self.stamped(Self.town, late: late, hasVelocity: hasVelocity)
    var without = FusionConfiguration()
    without.disabled = FusionModelSet([.receiverLag])
    let (seen, ignored) = (Self.error(ride), Self.error(ride, without))
    #expect(abs(seen.offset - late) < 0.15, "\(seen.offset) s")
    #expect(ignored.offset == 0)
    #expect(seen.rootMeanSquare < 0.4 * ignored.rootMeanSquare, "\(seen), \(ignored)")
  }

  @Test(arguments: [UInt64](1...4)) func fixesOnTimeStay(seed: UInt64) {
    #expect(Ride(Scenario.town, seed: seed).played().timing.fixOffset == 0)
  }

  /// A velocity that is late by itself is no offset of the fixes.
  @Test(arguments: [0.4, 1.2]) func aLateVelocityAloneIsNone(late: Double) {
    let ride = Self.town.withFixes { fix in
      var fix = fix
      fix.velocityNED = Self.town.truth(at: Timestamp(seconds: max(0, fix.time.seconds - late))).velocityNED
      return fix
    }
    #expect(ride.played().timing.fixOffset == 0)
  }

  /// With hindsight it takes the very same steps.
  @Test func theSmootherSeesToItToo() throws {
    let ride = Self.stamped(Self.town, late: 0.6)
    var smoother = FusionSmoother(reaches: [.full])
    var track: [SmoothedTrack] = []
    for sample in ride.samples { smoother.process(sample) { track.append($1) } }
    smoother.finish { track.append($1) }
    var (squares, count) = (0.0, 0.0)
    for second in stride(from: ride.duration / 2, to: ride.duration - 2, by: 1) {
      guard let solution = track.lazy.compactMap({ $0.solution(at: Timestamp(seconds: second)) }).first else {
        continue
      }
      let error = ride.positionError(solution)
      squares += error * error
      count += 1
    }
    try #require(count > 30)
    #expect((squares / count).squareRoot() < 1, "\((squares / count).squareRoot()) m")
  }

  /// Samples of the IMU are waited for only so long; and the navigators have to settle between two changes.
  @Test func itIsBoundedAndChangesSeldom() {
    var offset = FixTimeOffset()
    let start = Timestamp(seconds: 100)
    #expect(offset.set(back: -1, at: start) == -0.2)
    #expect(offset.set(back: 0.5, at: start.advanced(bySeconds: 1)) == nil)
    let change = offset.set(back: 5, at: start.advanced(bySeconds: 20))
    #expect(change.map { abs($0 - 1.7) < 1e-9 } == true)
    #expect(offset.set(back: 1, at: start.advanced(bySeconds: 40)) == nil)
    #expect(offset.value == 1.5)
  }
}
