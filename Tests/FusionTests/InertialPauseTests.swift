import Fusion
import Simulation
import Testing

/// An IMU that is unplugged, or switched off, while fixes go on, and that comes again.
@Suite struct InertialPauseTests {
  private static let ride = Ride(.town)

  /// The ride without IMU and wheels from 70 s on, for so long, with a fix a second meanwhile.
  private func paused(_ seconds: Double) -> Ride {
    var last = -1.0
    return Self.ride.changed { sample in
      let time = sample.time.seconds
      guard time > 70, time < 70 + seconds else { return sample }
      guard case .gnss = sample, time - last > 0.95 else { return nil }
      last = time
      return sample
    }
  }

  @Test(arguments: [8, 20, 60] as [Double])
  func positionIsTheFixesMeanwhileAndTheHeadingComesBack(seconds: Double) throws {
    let ride = paused(seconds)
    var worst = 0.0
    var alignedAfter: Double?
    var headings: [Double] = []
    let engine = ride.played { engine, sample in
      guard let solution = engine.solution(at: sample.arrival), sample.arrival.seconds < Self.ride.duration
      else { return }
      let time = sample.arrival.seconds
      if time > 71 { worst = max(worst, ride.positionError(solution)) }
      // Five seconds without an IMU, and no heading is claimed that nothing tells.
      if time > 76, time < 70 + seconds { #expect(!solution.isAligned, "\(time) s") }
      guard time > 70 + seconds, solution.isAligned else { return }
      alignedAfter = alignedAfter ?? time - 70 - seconds
      if time > 70 + seconds + 30 { headings.append(ride.headingError(solution)) }
    }
    // A fix in town is good for some metres, and between two of them, a second apart, the car turns.
    #expect(worst < 25, "\(worst) m")
    // Mounting and biases are known: it takes a stretch of road, not a start from nothing.
    #expect(try #require(alignedAfter) < 30)
    #expect(try #require(headings.max()) < 5)
    #expect(engine.recoveries == 0)
  }
}
