import CLibrary
import Navigation
import SensorEvents
import Sensors

/// Plays a simulated drive in real time, on a thread of its own: fixes as the sentences of a receiver to
/// whoever connects, IMU samples to an ``IIODServer``. At the end the car stands, for as long as it runs.
package final class DrivePlayer: Sendable {
  /// The port that gpsd is given as its source.
  package let port: UInt16
  private let thread: ReaderThread
  private let played = Guarded(0.0)
  private let turn = Guarded(Quaternion.identity)

  /// What a thread takes over, and nobody else touches from then on.
  private struct Owned<Value>: @unchecked Sendable {
    let value: Value
  }

  /// Steps of the IMU that ``imu`` shows, rad/s and m/s².
  private static let rateStep = 1e-6, forceStep = 1e-5

  /// An IMU that is fine enough not to alter what is played.
  package static var imu: IIODDevice { .imu(accelScale: "0.00001", gyroScale: "0.000001", bits: 32) }

  /// Plays `samples` from now on; the last `rest` seconds of them, in which the car stands, again and again.
  package init(_ samples: [SensorSample], rest: Double, imu: IIODServer) throws {
    let listener = try Listener()
    port = listener.port
    thread = try ReaderThread(name: "drive")
    let owned = Owned(value: listener)
    try thread.start { [played, turn] stop in
      let listener = owned.value
      let zero = HostClock.now()
      // Whole seconds, as a receiver's fixes hold at.
      let utc = HostClock.read(.realtime).seconds.rounded()
      var (index, shift) = (0, 0.0)
      let end = samples.last?.arrival.seconds ?? 0
      let again = samples.firstIndex { $0.arrival.seconds > end - rest } ?? 0
      while !stop.isSet {
        if index == samples.count {
          index = again
          // Whole seconds, for the same reason.
          shift += rest.rounded()
        }
        let sample = samples[index]
        index += 1
        let due = zero.advanced(bySeconds: sample.arrival.seconds + shift)
        guard stop.wait(atMost: max(0, due.seconds(since: HostClock.now()))) != .stopped else { return }
        played.withLock { $0 = max($0, sample.arrival.seconds) }
        switch sample {
        case .inertial(let s):
          let turn = turn.withLock { $0 }
          let (force, rate) = (turn * s.specificForce, turn * s.angularRate)
          let values = (0..<3).map { force[$0] / Self.forceStep } + (0..<3).map { rate[$0] / Self.rateStep }
          imu.push(values.map { Int64($0.rounded()) } + [due.nanoseconds])
        case .gnss(let fix):
          let text = DriveAsNMEA.text(fix, unix: utc + fix.time.seconds + shift)
          if listener.peer < 0 || !listener.send(text) { _ = listener.accept(within: 0) }
        case .wheel, .pressure: break
        }
      }
    }
  }

  deinit { stop() }

  /// How much of the drive has been played, in seconds.
  package var seconds: Double { played.withLock { $0 } }

  /// Turns the IMU in its place from now on.
  package func turnIMU(_ turn: Quaternion) { self.turn.withLock { $0 = turn } }

  /// Ends it.
  package func stop() { thread.stop(within: 5) }
}
