import Navigation
import Sensors

/// Pushes noisy samples of an IMU at rest to an ``IIODServer``, in real time, from a thread of its own.
package final class IMUFeed: Sendable {
  private let thread: ReaderThread

  /// Feeds `server` `rate` times a second; `change` alters the raw values of each sample, given its number.
  /// Values are in the order of ``IIODDevice/imu(id:rate:accelScale:gyroScale:bits:)``: accelerometer,
  /// gyroscope, time on the boot clock.
  package init(
    _ server: IIODServer, device: String = "iio:device0", rate: Double = 100,
    change: @escaping @Sendable (inout [Int64], Int) -> Void = { _, _ in }
  ) throws {
    thread = try ReaderThread(name: "imu-feed")
    try thread.start { stop in
      let start = HostClock.now()
      var number = 0
      var noise = Dice(seed: 1)
      repeat {
        let time = start.advanced(bySeconds: Double(number) / rate)
        var values: [Int64] = (0..<6).map { axis in
          Int64(noise.next() >> 59) - 16 + (axis == 2 ? 8172 : 0)
        }
        values.append(time.nanoseconds)
        change(&values, number)
        server.push(values, device: device)
        number += 1
        let next = start.advanced(bySeconds: Double(number) / rate)
        guard stop.wait(atMost: max(0, next.seconds(since: HostClock.now()))) == .timedOut else { return }
      } while true
    }
  }

  deinit { stop() }

  /// Ends the feed.
  package func stop() { thread.stop(within: 5) }
}
