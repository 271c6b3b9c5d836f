import ArgumentParser
import Location
import LocationService
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
struct Reckond: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reckond",
    abstract: "The location service: one engine for every program in the car.",
    discussion: """
      Without --replay it reads the sensors that the configuration names: a receiver known to gpsd and an IMU known to the \
      kernel, unless it says otherwise. Sensors that are missing or lost are said, and tried again.

      SIGHUP reads the configuration again, SIGTERM and SIGINT end the service in order.

      Exits with 0, with 2 for arguments or a configuration that cannot be used and with 3 for what could not be opened.
      """)

  @Option(help: ArgumentHelp("The configuration; without it the defaults hold.", valueName: "file"))
  var config: String?
  @Flag(help: "Check the configuration, say what is wrong with it, and end.") var checkConfig = false
  @Option(help: ArgumentHelp("Play a drive folder instead of sensors.", valueName: "folder"))
  var replay: String?
  @Option(help: ArgumentHelp("So many times as fast as it was driven.", valueName: "times")) var speed = 1.0
  @Flag(name: .customLong("repeat"), help: "Play it again and again.") var repeats = false
  @Option(
    help: ArgumentHelp("Where clients connect, instead of what the configuration says.", valueName: "path"))
  var socket: String?
  @Option(
    help: ArgumentHelp(
      "The database, instead of what the configuration says; \"\" keeps nothing.", valueName: "path"))
  var database: String?

  func validate() throws {
    guard speed > 0, speed <= 100 else {
      throw ValidationError("--speed takes a number from above 0 to 100.")
    }
  }

  func run() throws {
    let settings = try load()
    if checkConfig {
      print("\(config ?? "the defaults"): good; \(settings.rules.count) clients are named")
      return
    }
    // Signals are waited for, not handled: blocked before any other thread is there.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    let systemd = SystemdNotifier()
    let daemon: LocationDaemon
    let outputs: OutputService?
    do {
      outputs = try OutputService(settings)
      let feed = try feed(settings, outputs)
      try outputs?.start()
      daemon = try LocationDaemon(settings, feed: feed, listener: systemd.listener, log: Self.log)
      try daemon.start()
    } catch {
      Self.log("error: \(error)")
      throw ExitCode(3)
    }
    systemd.notify("READY=1\nSTATUS=serving at \(settings.socket)")
    Self.log("serving at \(systemd.listener == nil ? settings.socket : "the socket of systemd")")
    loop(daemon, outputs, systemd, &signals)
    systemd.notify("STOPPING=1")
    let hasEnded = daemon.stop(within: 10)
    outputs?.stop(within: 2)
    guard hasEnded else {
      Self.log("error: did not end in time")
      throw ExitCode(3)
    }
    Self.log("ended")
  }

  private func feed(_ settings: ServiceConfiguration, _ outputs: OutputService?) throws -> any LocationFeed {
    guard let replay else { return try LiveFeed(settings.sensors, outputs: outputs, log: Self.log) }
    return try ReplayFeed(path: replay, speed: speed, repeats: repeats) { solution, utc, hasFix in
      outputs?.publish(simulated: solution, utc: utc, hasFix: hasFix)
    }
  }

  /// Until the service is to end.
  private func loop(
    _ daemon: LocationDaemon, _ outputs: OutputService?, _ systemd: SystemdNotifier,
    _ signals: inout sigset_t
  ) {
    let interval = min(1, (systemd.watchdog ?? 2) / 2)
    while true {
      var wait = timespec()
      wait.tv_sec = Int(interval)
      wait.tv_nsec = Int((interval - interval.rounded(.down)) * 1e9)
      switch sigtimedwait(&signals, nil, &wait) {
      case SIGTERM, SIGINT: return
      case SIGHUP:
        systemd.notify("RELOADING=1\nMONOTONIC_USEC=\(BootClock.now().nanoseconds / 1000)")
        reload(daemon, outputs)
        systemd.notify("READY=1")
      default: break
      }
      // A service that hangs is not said to be alive: systemd starts it anew.
      if daemon.beat() { systemd.notify("WATCHDOG=1") } else { Self.log("error: the host does not go on") }
    }
  }

  private func reload(_ daemon: LocationDaemon, _ outputs: OutputService?) {
    guard let settings = try? load() else { return Self.log("the configuration stays as it was") }
    let fixed = daemon.reload(settings)
    outputs?.setOn(settings.locationServicesEnabled)
    Self.log(
      "configuration read again"
        + (fixed.isEmpty ? "" : "; takes a restart: \(fixed.joined(separator: ", "))"))
  }

  private func load() throws -> ServiceConfiguration {
    var settings = ServiceConfiguration()
    if let config {
      guard let text = Self.read(config) else {
        Self.log("\(config): cannot be read: \(String(cString: strerror(errno)))")
        throw ExitCode(2)
      }
      do { settings = try ServiceConfiguration(text: text) } catch {
        Self.log("\(config): \(error)")
        throw ExitCode(2)
      }
    }
    if let socket { settings.socket = socket }
    if let database { settings.database = database }
    do {
      _ = try settings.sensors.settings()
      try OutputService.settings(settings.outputs)
    } catch {
      Self.log("\(config ?? "the defaults"): \(error)")
      throw ExitCode(2)
    }
    return settings
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0, bytes.count < 1 << 20 {
      bytes += buffer[..<count]
    }
    return ferror(file) == 0 ? String(validating: bytes, as: UTF8.self) : nil
  }

  @Sendable private static func log(_ message: String) {
    let line = Array("reckond: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
