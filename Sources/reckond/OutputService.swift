import CompatibleOutputs
import Drives
import Location
import LocationService
import Locks
import Navigation
import SensorEvents

/// The outputs for programs that expect a receiver, silent while location services are off.
final class OutputService: Sendable {
  private let outputs: CompatibleOutputs
  private let wanted: ServiceConfiguration.OutputConfiguration
  private let isOn: Atomic<Bool>

  /// The outputs that `configuration` names; nil where it names none.
  init?(_ configuration: ServiceConfiguration) throws {
    guard configuration.outputs.isAny else { return nil }
    wanted = configuration.outputs
    outputs = try CompatibleOutputs(Self.settings(wanted))
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

  /// Opens what is named. What cannot be opened is said with its key.
  func start() async throws {
    do throws(CompatibleOutputsError) { try await outputs.start() } catch {
      throw ServiceConfiguration.Unusable(key: key(of: error), reason: "\(error)")
    }
  }

  private func key(of error: CompatibleOutputsError) -> String {
    switch error {
    case .inUse, .cannotListen(wanted.nmeaSocket, _), .wouldOverwrite(wanted.nmeaSocket),
      .system(_, wanted.nmeaSocket, _):
      "nmea_socket"
    case .wouldOverwrite, .system: "terminal"
    case .cannotListen: "gpsd_port"
    case .setting: "[outputs]"
    }
  }

  /// Closes all of it, within so many seconds.
  func stop(within seconds: Double) async { await outputs.stop(within: seconds / 2) }

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
    report.geoidSeparation = solution.map { EGM96.separation($0.position) }
    publish(report)
  }
}
