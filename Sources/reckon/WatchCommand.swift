import ArgumentParser
import Drives
import JSON
import Location
import Programs

/// `reckon watch`
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what the location service says, line by line.",
    discussion: """
      A line begins with the time in UTC, or since boot where nobody has told it. With --json every line on \
      standard output is an object: "type" is location, status (with --status), failed, regionEvent and so on \
      as in the protocol, times are ISO 8601. The first line is of type provenance: by which version, with which \
      options and when.

      The first location may be cached: the last that was known, with its own time. Where the service replays a drive, \
      watching ends about a second after the drive has.

      Exits with 0 after --count locations or, without --count, at the end of a replayed drive; with 2 for arguments that \
      cannot be used; and with 3 where the service refuses, or a replayed drive ends before --count locations.
      """)

  private static let levels = DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", ")

  @OptionGroup var service: ServiceOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Locations to show; all, until stopped, without it.", valueName: "n"))
  var count: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp("Metres between locations.", valueName: "m"))
  var distanceFilter: Double?
  @Option(
    help: ArgumentHelp(
      "\(Self.levels).", valueName: "level"))
  var accuracy = DesiredAccuracy.bestForNavigation.rawValue
  @Flag(help: "Also the state of the service, once a second.") var status = false
  @Flag(help: "One JSON object a line.") var json = false

  func validate() throws {
    guard DesiredAccuracy(rawValue: accuracy) != nil else {
      throw ValidationError("--accuracy: there is no '\(accuracy)'; it takes \(Self.levels).")
    }
    if let count, count < 1 { throw ValidationError("--count takes a whole number from 1.") }
    if let distanceFilter, !(distanceFilter > 0) {
      throw ValidationError("--distance-filter takes a number above 0.")
    }
  }

  func run() async throws {
    let manager: LocationManager
    do {
      manager = try LocationManager(
        identifier: service.client, purpose: "shows locations on a terminal", socket: service.path)
    } catch {
      Terminal.error("error: \(error)")
      throw ExitStatus.unusableArguments
    }
    if json {
      let made = Provenance.now(command: Self.configuration.commandName)
      let line = JSON.message("provenance", ["provenance": made.json]).text
      guard Terminal.output("\(line)\n") else { throw ExitStatus.unusableData }
    }
    manager.desiredAccuracy = DesiredAccuracy(rawValue: accuracy) ?? .bestForNavigation
    manager.distanceFilter = distanceFilter
    // Taken from before the wish: the first answer may come at once.
    var updates = manager.updates.makeAsyncIterator()
    manager.startUpdatingLocation()
    var left = count ?? .max
    var isEnding = false
    while let event = await updates.next() {
      if json, !show(event, most: left) { throw ExitStatus.unusableData }
      switch event {
      case .locations(let locations):
        for location in locations.prefix(json ? 0 : left) {
          guard Terminal.output("\(WatchText.line(location))\n") else { throw ExitStatus.unusableData }
        }
        left -= locations.count
        if left <= 0 { return manager.close() }
      case .failed(let error):
        Terminal.error("note: \(error)")
        if !error.isTransient { throw ExitStatus.unusableData }
      case .status(let said):
        if status, !json { Terminal.error(Self.text(said)) }
        guard said.unknown == .replayEnded else { continue }
        // The first may overtake the last place, which is told once the service has heard the wish.
        guard isEnding else {
          isEnding = true
          continue
        }
        if count != nil { throw ExitStatus.unusableData }
        return manager.close()
      case .paused: Terminal.error("note: paused, the car stands")
      case .resumed: Terminal.error("note: resumed")
      case .region(let crossing): Terminal.error("note: \(crossing.kind.rawValue) \(crossing.identifier)")
      case .significantChange, .authorizationChanged, .regionMonitoringStarted, .regionMonitoringFailed,
        .deferredFinished, .visit, .heading, .refused:
        break
      }
    }
  }

  private static func text(_ said: LocationStatus) -> String {
    let lost = said.lostSources.isEmpty ? "" : ", lost: \(said.lostSources.joined(separator: ", "))"
    let place = said.horizontalAccuracy < 0 ? "the place to some kilometres" : "by cells or access points"
    let unknown = said.unknown.map { $0 == .replayEnded ? "the drive has ended" : "not begun" }
    return "status: \(said.mode?.phrase ?? unknown ?? place)\(lost)"
  }

  /// As JSON, of locations at most so many; false where nobody takes it.
  private func show(_ event: LocationEvent, most: Int) -> Bool {
    if case .status = event, !status { return true }
    return WatchText.json(event).prefix(most).allSatisfy { Terminal.output("\($0)\n") }
  }
}
