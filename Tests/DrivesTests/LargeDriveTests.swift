import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Reading a long drive, and fast. That memory does not grow with it is shown by a program of its own: see
/// LargeReplayTests.
struct LargeDriveTests {
  @Test func hourAtTwoHundredHertzReadsWholeAndSaysHowFast() throws {
    let scratch = ScratchFolder()
    let rows = 720_000
    var writer = try DriveWriter(path: scratch("hour"), description: DriveDescription(name: "hour"))
    for i in 0..<rows {
      let x = Double(i % 997) / 1000 - 0.5
      try writer.write(
        .inertial(
          InertialSample(
            time: Timestamp(nanoseconds: Int64(i) * 5_000_000), angularRate: Vector3(x, -x, 0.1234567),
            specificForce: Vector3(-x, x * 3, -9.806650 + x))))
    }
    try writer.finish()
    let clock = ContinuousClock()
    var count = 0
    let elapsed = try clock.measure {
      var samples = try DriveReader(path: scratch("hour")).samples()
      while try samples.next() != nil { count += 1 }
    }
    let bytes = try scratch.bytes("hour/imu.csv").count
    print("\(count) rows, \(bytes) bytes: read in \(elapsed)")
    #expect(count == rows)
  }
}
