import ArgumentParser
import CLibrary
import CompatibleOutputs
import Dispatch
import Location
import LocationService
import Logging
import Programs
import ServiceLifecycle
import UnixSignals

/// Opens the parts of the service one after the other, each only once those it rests on stand; `ServiceGroup`
/// then waits for a signal, and closes them in the opposite order within a limit of time. No part does its
/// work in a task: locations pass from thread to thread.
@main
struct Reckond: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reckond",
    abstract: "The location service: one engine for every program in the car.",
    discussion: """
      Without --replay it reads the sensors that the configuration names: a receiver known to gpsd and an IMU known to the \
      kernel, unless it says otherwise. Sensors that are missing or lost are said, and tried again.

      SIGHUP reads the configuration again, SIGTERM and SIGINT end the service in order.

      Exits with 0, with 2 for arguments or a configuration that cannot be used and with 3 for what could not be opened.
      """,
    version: ProgramVersion.text)

  @Option(help: ArgumentHelp("The configuration; without it the defaults hold.", valueName: "file"))
  var config: String?
  @Flag(help: "Check the configuration, say what is wrong with it, and end.") var checkConfig = false
  @Option(help: ArgumentHelp("Play a drive folder instead of sensors.", valueName: "folder"))
  var replay: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "So many times as fast as it was driven, up to 100; 1 if not given.", valueName: "times"))
  var speed: Double?
  @Flag(name: .customLong("repeat"), help: "Play it again and again; else its last place stays known.")
  var repeats = false
  @Option(
    help: ArgumentHelp("Where clients connect, instead of what the configuration says.", valueName: "path"))
  var socket: String?
  @Option(
    help: ArgumentHelp(
      "The database, instead of what the configuration says; \"\" keeps nothing.", valueName: "path"))
  var database: String?

  /// Seconds from being told to end to the end where something does not open: a receiver, a disk, a pipe.
  /// *[chosen: a third of what reckond.service gives it]*
  private static let patience = 5

  static func main() async { await runToTheEnd() }

  func validate() throws {
    guard !repeats || replay != nil else {
      throw ValidationError("--repeat is for a drive: name one with --replay.")
    }
    guard let speed else { return }
    guard replay != nil else { throw ValidationError("--speed is for a drive: name one with --replay.") }
    guard speed > 0, speed <= 100 else {
      throw ValidationError("--speed takes a number from above 0 to 100.")
    }
  }

  func run() async throws {
    let settings = try load()
    if checkConfig { return try check(settings) }
    signal(SIGPIPE, SIG_IGN)
    Self.log.info("version \(ProgramVersion.text)")
    let reloads = await UnixSignalsSequence(trapping: .sighup)
    // From here on: who is told to end while it opens does so in order once it is open, or
    // without what does not open.
    let ends = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let told = Task { for await _ in ends { return } }
    let patience = Task {
      await told.value
      try await Task.sleep(for: .seconds(Self.patience))
      Self.log.error(
        "told to end \(Self.patience) s ago, and what is being opened does not answer: ended without it")
      _exit(ExitStatus.unusableData.rawValue)
    }
    let systemd = SystemdNotifier()
    let (daemon, outputs) = try await open(settings, systemd)
    patience.cancel()
    systemd.notify("READY=1\nSTATUS=serving at \(settings.socket)")
    Self.log.info("serving at \(systemd.listener == nil ? settings.socket : "the socket of systemd")")
    let group = group([
      part("outputs") { await outputs?.stop(within: 2) },
      part("daemon") { try await Self.stop(daemon) },
      .init(service: Watch(daemon: daemon, systemd: systemd, log: Self.log)),
      .init(
        service: ClosureService {
          for await _ in reloads.cancelOnGracefulShutdown() { reload(daemon, outputs, systemd) }
        }, serviceName: "reload"),
      .init(
        service: ClosureService {
          await withGracefulShutdownHandler {
            await told.value
          } onGracefulShutdown: {
            told.cancel()
          }
        },
        successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "signals"),
    ])
    do { try await group.run() } catch {
      Self.log.error("\(error)")
      throw ExitStatus.unusableData
    }
    Self.log.info("ended")
  }

  /// Says whether a service could start.
  private func check(_ settings: ServiceConfiguration) throws {
    do { try LocationDaemon.check(settings) { Self.log.warning("\($0)") } } catch {
      throw Self.unopened(error)
    }
    print("\(config ?? "the defaults"): good; \(settings.rules.count) clients are named")
  }

  private func open(
    _ settings: ServiceConfiguration, _ systemd: SystemdNotifier
  ) async throws -> (LocationDaemon, OutputService?) {
    var outputs: OutputService?
    do {
      outputs = try OutputService(settings)
      let feed = try await Self.aside { [outputs] in try self.feed(settings, outputs) }
      try await outputs?.start()
      let daemon = try await Self.aside {
        let daemon = try LocationDaemon(settings, feed: feed, listener: systemd.listener, log: Self.log)
        do { try daemon.start() } catch {
          // What is open by then is closed: no socket is left that nobody serves.
          _ = daemon.stop(within: 2)
          throw error
        }
        return daemon
      }
      return (daemon, outputs)
    } catch {
      let end = Self.unopened(error)
      await outputs?.stop(within: 0)
      throw end
    }
  }

  /// Says what could not be opened; how the program ends then.
  private static func unopened(_ error: any Error) -> ExitCode {
    if case .serviceUnreachable(let reason)? = error as? LocationError {
      log.error("cannot be opened: \(reason)")
    } else {
      log.error("\(error)")
    }
    return ExitStatus.unusableData
  }

  private func feed(_ settings: ServiceConfiguration, _ outputs: OutputService?) throws -> any LocationFeed {
    guard let replay else {
      return try LiveFeed(settings.sensors, outputs: outputs, log: Self.log)
    }
    return try ReplayFeed(
      path: replay, speed: speed ?? 1, repeats: repeats, allocations: HeapCount.ofThread
    ) { solution, utc, hasFix in
      outputs?.publish(simulated: solution, utc: utc, hasFix: hasFix)
    }
  }

  /// Ends once a service of it says so, within what reckond.service gives it; what then still
  /// hangs ends with the process.
  private func group(_ services: [ServiceGroupConfiguration.ServiceConfiguration]) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(services: services, logger: Self.log)
    configuration.maximumGracefulShutdownDuration = .seconds(12)
    configuration.maximumCancellationDuration = .seconds(1)
    return ServiceGroup(configuration: configuration)
  }

  /// A part that is open, and is closed at the end.
  private func part(
    _ name: String, _ close: @escaping @Sendable () async throws -> Void
  ) -> ServiceGroupConfiguration.ServiceConfiguration {
    .init(
      service: ClosureService {
        try? await gracefulShutdown()
        try await close()
      }, serviceName: name)
  }

  private struct Unended: Error, CustomStringConvertible { let description = "it did not end in time" }

  /// Ends what ends in threads.
  private static func stop(_ daemon: LocationDaemon) async throws {
    if try await !aside({ daemon.stop(within: 10) }) { throw Unended() }
  }

  /// Does what may wait for others, without holding up a task: that would be all tasks
  /// where there is one processor.
  private static func aside<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
    }
  }

  private func reload(_ daemon: LocationDaemon, _ outputs: OutputService?, _ systemd: SystemdNotifier) {
    systemd.notifyReloading()
    defer { systemd.notify("READY=1") }
    guard let settings = try? load() else { return Self.log.error("the configuration stays as it was") }
    let fixed = daemon.reload(settings)
    outputs?.setOn(settings.locationServicesEnabled)
    Self.log.info(
      "configuration read again\(fixed.isEmpty ? "" : "; takes a restart: \(fixed.joined(separator: ", "))")")
  }

  private func load() throws -> ServiceConfiguration {
    var settings = ServiceConfiguration()
    if let config {
      guard let bytes = SystemFile.bytes(of: config, atMost: Self.longestFile + 1) else {
        Self.log.error("\(config): cannot be read: \(SystemError.text())")
        throw ExitStatus.unusableArguments
      }
      // What lies behind would be left out: the clients that it denies, for one.
      guard bytes.count <= Self.longestFile else {
        Self.log.error("\(config): is longer than \(Self.longestFile) bytes: leave out what is not needed")
        throw ExitStatus.unusableArguments
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        Self.log.error("\(config): is no text in UTF-8")
        throw ExitStatus.unusableArguments
      }
      do { settings = try ServiceConfiguration(text: text) } catch {
        Self.log.error("\(config): \(error)")
        throw ExitStatus.unusableArguments
      }
    }
    let others = settings.outputs.isAny ? 2 * CompatibleOutputsSettings().maximumClients : 0
    let room = Descriptors.room(for: settings.limits.connections, and: others)
    if room < settings.limits.connections {
      Self.log.warning(
        "the system has descriptors for \(room) connections; LimitNOFILE would let it have more")
      settings.limits.connections = room
    }
    if let socket { settings.socket = socket }
    if let database { settings.database = database }
    do {
      try settings.check()
      _ = try settings.sensors.settings()
      try OutputService.settings(settings.outputs)
    } catch {
      Self.log.error("\(config ?? "the defaults"): \(error)")
      throw ExitStatus.unusableArguments
    }
    return settings
  }

  /// Bytes of a configuration. *[chosen: ten thousand clients by name]*
  private static let longestFile = 1 << 20

  /// Made at its first use, by the main program.
  private static let log = {
    LoggingSystem.bootstrap(JournalLogHandler.init)
    return Logger(label: "reckond")
  }()
}
