import CompatibleOutputs
import Foundation
import Navigation
import SensorEvents
import Testing

/// gpsd's protocol on a port that the system chooses.
func someSettings() -> CompatibleOutputsSettings {
  var settings = CompatibleOutputsSettings()
  settings.gpsd = .init(port: 0)
  settings.release = "Reckon-test"
  return settings
}

/// Runs `body` with outputs that are started, and stops them whatever it does.
func withOutputs<T>(
  _ settings: CompatibleOutputsSettings = someSettings(),
  _ body: (CompatibleOutputs) async throws -> T
) async throws -> T {
  let outputs = try CompatibleOutputs(settings)
  try await outputs.start()
  do {
    let result = try await body(outputs)
    await outputs.stop()
    return result
  } catch {
    await outputs.stop()
    throw error
  }
}

/// Publishes a drive to the north from a thread of its own, as the engine does, until it is stopped.
final class Publisher: @unchecked Sendable {
  // Unchecked: `isStopped` is under the lock, all else is constant.
  private let lock = NSLock()
  private var isStopped = false
  private let done = DispatchSemaphore(value: 0)

  init(
    _ outputs: CompatibleOutputs, hertz: Double,
    _ change: @escaping @Sendable (inout PositionReport) -> Void = { _ in }
  ) {
    let thread = Thread { [self] in
      var i = 0
      while !lock.withLock({ isStopped }) {
        var report = Publisher.report(i, hertz: hertz)
        change(&report)
        outputs.publish(report)
        if i % max(1, Int(hertz)) == 0 {
          outputs.publish(sky: someSky, utcNanoseconds: report.utcNanoseconds)
        }
        i += 1
        Thread.sleep(forTimeInterval: 1 / hertz)
      }
      done.signal()
    }
    thread.start()
  }

  /// Report number `i`: 20 m/s to the north from 48.1°, so that a latitude and a time belong together.
  static func report(_ i: Int, hertz: Double) -> PositionReport {
    let seconds = Double(i) / hertz
    return someReport(
      someSolution(latitudeDegrees: latitude(after: seconds), velocityNED: Vector3(20, 0, 0)),
      utc: Publisher.start + Int64((seconds * 1e9).rounded()))
  }

  static func latitude(after seconds: Double) -> Double { 48.1 + seconds * 20 / 111_200 }

  /// Today at noon: gpsd mends dates that are far from its own.
  static let start: Int64 = (Int64(Date().timeIntervalSince1970) / 86_400 * 86_400 + 43_200) * 1_000_000_000

  func stop() {
    lock.withLock { isStopped = true }
    done.wait()
  }
}

extension Publisher {
  /// Runs `body` while reports are published.
  static func running<T>(
    _ outputs: CompatibleOutputs, hertz: Double = 20,
    _ change: @escaping @Sendable (inout PositionReport) -> Void = { _ in }, _ body: () async throws -> T
  ) async throws -> T {
    let publisher = Publisher(outputs, hertz: hertz, change)
    defer { publisher.stop() }
    return try await body()
  }
}
