import LinearAlgebra
import Sensors
import TestParts
import Testing

@Suite struct IMUWatchTests {
  private static let limits = [ClosedRange<Int64>](repeating: -32768...32767, count: 3)

  /// A watch of a 16-bit IMU of ±2000 °/s and ±16 g at 100 Hz, and what drives it.
  private struct Drive {
    var watch: IMUWatch
    var time = 0.0
    var dice = Dice(seed: 7)
    /// Standard deviation of the noise in steps, about.
    var noise = 3.0

    init(rateResolution: Double = 0.001065, forceResolution: Double = 0.0048) {
      watch = IMUWatch(
        rateLimits: IMUWatchTests.limits, forceLimits: IMUWatchTests.limits, rateResolution: rateResolution,
        forceResolution: forceResolution)
    }

    mutating func step() -> Int64 { Int64((dice.uniform() - 0.5) * 3.5 * noise) }

    /// Runs for `seconds`; `change` alters each sample (gyroscope, accelerometer). When the fault
    /// first showed, if it did.
    mutating func run(
      _ seconds: Double, _ change: (inout RawTriad, inout RawTriad) -> Void = { _, _ in }
    ) -> Double? {
      let start = time
      var first: Double?
      for _ in 0..<Int(seconds * 100) {
        var rate = RawTriad(step(), step(), step())
        var force = RawTriad(step(), step(), 2048 + step())
        change(&rate, &force)
        watch.add(rate: rate, at: time)
        watch.add(force: force, at: time)
        if watch.fault != nil, first == nil { first = time - start }
        time += 0.01
      }
      return first
    }
  }

  @Test func noisyIMUAtRestIsBelieved() {
    var drive = Drive()
    #expect(drive.run(600) == nil)
  }

  @Test func coarseQuietIMUAtRestIsBelieved() {
    // Steps as of an 8-bit accelerometer and a rough gyroscope, and no noise at all.
    var drive = Drive(rateResolution: 0.01, forceResolution: 0.15)
    drive.noise = 0.3
    var count = 0
    #expect(
      drive.run(60) { rate, _ in
        count += 1
        if count % 300 == 0 { rate.x += 1 }
      } == nil)
  }

  @Test(arguments: 0..<6)
  func frozenAxisIsNamedWithinTwoAndAHalfSeconds(axis: Int) throws {
    var drive = Drive()
    #expect(drive.run(10) == nil)
    let found = try #require(
      drive.run(5) { rate, force in if axis < 3 { rate[axis] = 5 } else { force[axis - 3] = 5 } })
    #expect((1.9...2.5).contains(found))
    let fault = try #require(drive.watch.fault)
    #expect(fault.contains(axis < 3 ? "gyroscope" : "accelerometer"))
    #expect(fault.contains(["x", "y", "z"][axis % 3]) && fault.contains("does not move"))
    _ = drive.run(2)
    #expect(drive.watch.fault == nil, "it moves again")
  }

  @Test func wholeGyroscopeThatFreezesWhileTheCarMovesIsNamed() throws {
    var drive = Drive()
    drive.noise = 60
    _ = drive.run(5)
    let found = try #require(drive.run(6) { rate, _ in rate = RawTriad(3, -2, 7) })
    #expect(found < 3)
    #expect(drive.watch.fault?.contains("the whole gyroscope") == true)
  }

  @Test func driverThatRepeatsItselfIsFound() throws {
    var drive = Drive()
    _ = drive.run(5)
    let found = try #require(
      drive.run(8) { rate, force in
        rate = RawTriad(3, -2, 7)
        force = RawTriad(1, 2, 2048)
      })
    #expect(found < 5.5)
    #expect(drive.watch.fault?.contains("every axis") == true)
  }

  @Test func twitchOfAFrozenAxisDoesNotRestoreIt() {
    var drive = Drive()
    _ = drive.run(5)
    var count = 0
    _ = drive.run(4) { rate, _ in rate.z = 1 }
    #expect(drive.watch.fault != nil)
    let healthy = drive.run(4) { rate, _ in
      count += 1
      rate.z = count % 100 == 0 ? 2 : 1
    }
    #expect(healthy == 0, "still faulty from the first sample on")
    #expect(drive.watch.fault != nil)
  }

  @Test func bumpsAtTheEndOfTheRangeAreCountedAndPassed() {
    var drive = Drive()
    var count = 0
    #expect(
      drive.run(60) { _, force in
        count += 1
        if count % 100 < 3 { force.z = 32767 }
      } == nil)
    #expect(drive.watch.saturations == 180)
  }

  @Test func axisThatHangsAtItsLimitIsNamedAtOnce() throws {
    var drive = Drive()
    _ = drive.run(5)
    let found = try #require(drive.run(2) { rate, _ in rate.y = -32768 })
    #expect(found < 0.3)
    #expect(drive.watch.fault?.contains("gyroscope y stays at the end of its range") == true)
    _ = drive.run(2)
    #expect(drive.watch.fault == nil)
  }
}
