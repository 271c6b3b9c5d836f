import CompatibleOutputs
import Location
import LocationService
import Navigation
import SensorEvents
import Synchronization

/// The outputs for programs that expect a receiver, for a program without tasks. Silent while location services are off.
final class OutputService: Sendable {
  private let outputs: CompatibleOutputs
  private let isOn: Atomic<Bool>

  /// The outputs that `configuration` names; nil where it names none.
  init?(_ configuration: ServiceConfiguration) throws {
    guard configuration.outputs.isAny else { return nil }
    outputs = try CompatibleOutputs(Self.settings(configuration.outputs))
    isOn = Atomic(configuration.locationServicesEnabled)
  }

  /// What `wanted` asks for, checked; nothing is opened.
  @discardableResult
  static func settings(_ wanted: ServiceConfiguration.OutputConfiguration) throws -> CompatibleOutputsSettings
  {
    var settings = CompatibleOutputsSettings()
    settings.gpsd =
      wanted.gpsdPort == 0 ? nil : .init(host: wanted.gpsdHost, port: Int(wanted.gpsdPort))
    if !wanted.nmeaSocket.isEmpty {
      settings.nmeaSocket = .init(path: wanted.nmeaSocket, permissions: wanted.mode)
    }
    if !wanted.terminal.isEmpty {
      settings.terminal = .init(link: wanted.terminal, permissions: wanted.mode)
    }
    try settings.check()
    return settings
  }

  /// Opens what is named, in at most 10 s.
  func start() throws {
    let shared = Shared<Result<Void, CompatibleOutputsError>?>(nil)
    Task { [outputs] in
      do throws(CompatibleOutputsError) {
        try await outputs.start()
        shared.value.withLock { $0 = .success(()) }
      } catch {
        shared.value.withLock { $0 = .failure(error) }
      }
    }
    for _ in 0..<5000 {
      if let result = shared.value.withLock({ $0 }) { return try result.get() }
      pause(milliseconds: 2)
    }
    throw LocationError.serviceUnreachable("the outputs did not open in time")
  }

  /// Closes all of it, within so many seconds.
  func stop(within seconds: Double) {
    let isDone = Shared(false)
    Task { [outputs] in
      await outputs.stop(within: seconds / 2)
      isDone.value.withLock { $0 = true }
    }
    for _ in 0..<Int(seconds * 500) where !isDone.value.withLock({ $0 }) { pause(milliseconds: 2) }
  }

  /// Whether location services are on.
  func setOn(_ isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

  /// Hands over a report, and the satellites where there is something new of them. Never waits.
  func publish(_ report: PositionReport, sky: SkyReading? = nil) {
    guard isOn.load(ordering: .relaxed) else {
      return outputs.publish(PositionReport(utcNanoseconds: report.utcNanoseconds, solution: nil))
    }
    if let sky { outputs.publish(sky: sky, utcNanoseconds: report.utcNanoseconds) }
    outputs.publish(report)
  }

  /// A replayed solution.
  func publish(simulated solution: NavigationSolution?, utc: Timestamp?, hasFix: Bool) {
    var report = PositionReport(utcNanoseconds: utc?.nanoseconds, solution: solution, isAided: hasFix)
    report.isSimulated = true
    publish(report)
  }
}

/// What a task and a thread share.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}
