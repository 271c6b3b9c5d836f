import Fusion
import Navigation
import Testing

/// What a receiver states of its course is kept, and not fused: how sure the velocity is across the way comes
/// from what it states of the speed, and from how its velocities scatter.
@Suite struct StatedCourseTests {
  @Test(arguments: [0.001, 0.5]) func statedCourseChangesNoBit(sigma: Double) throws {
    let ride = Ride(Ride.short)
    let stated = ride.withFixes { fix in
      var fix = fix
      fix.courseSigma = sigma
      return fix
    }
    #expect(stated.samples != ride.samples)
    let end = try #require(ride.samples.last).time
    let (plain, told) = (ride.played().solution(at: end), stated.played().solution(at: end))
    #expect(plain != nil && plain == told)
  }

  /// That of the speed is.
  @Test func statedSpeedCounts() throws {
    let ride = Ride(Ride.short)
    let stated = ride.withFixes { fix in
      var fix = fix
      fix.speedSigma = 1
      return fix
    }
    let end = try #require(ride.samples.last).time
    #expect(ride.played().solution(at: end) != stated.played().solution(at: end))
  }
}
