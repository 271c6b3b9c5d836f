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

      Exits with 0 after --count locations, with 2 for arguments that cannot be used and with 3 where the service refuses.
      """)

  @OptionGroup var service: ServiceOptions
  @Option(help: ArgumentHelp("Locations to show; all, until stopped, without it.", valueName: "n"))
  var count: Int?
  @Option(help: ArgumentHelp("Metres between locations.", valueName: "m")) var distanceFilter: Double?
  @Option(
    help: ArgumentHelp(
      "\(DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "level"))
  var accuracy = DesiredAccuracy.bestForNavigation.rawValue
  @Flag(help: "Also the state of the service, once a second.") var status = false
  @Flag(help: "One JSON object a line.") var json = false

  func validate() throws {
    guard DesiredAccuracy(rawValue: accuracy) != nil else {
      throw ValidationError("--accuracy takes a level: see --help.")
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
    manager.startUpdatingLocation()
    var left = count ?? .max
    for await event in manager.updates {
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
        guard status else { continue }
        let lost = said.lostSources.isEmpty ? "" : ", lost: \(said.lostSources.joined(separator: ", "))"
        let mode = said.mode?.phrase
        let place = said.horizontalAccuracy < 0 ? "the place to some kilometres" : "by cells or access points"
        if json { continue }
        Terminal.error("status: \(mode ?? (said.unknown == nil ? place : "not begun"))\(lost)")
      case .paused: Terminal.error("note: paused, the car stands")
      case .resumed: Terminal.error("note: resumed")
      case .region(let crossing): Terminal.error("note: \(crossing.kind.rawValue) \(crossing.identifier)")
      case .significantChange, .authorizationChanged, .regionMonitoringStarted, .regionMonitoringFailed,
        .deferredFinished, .visit, .heading, .refused:
        break
      }
    }
  }

  /// As JSON, of locations at most so many; false where nobody takes it.
  private func show(_ event: LocationEvent, most: Int) -> Bool {
    if case .status = event, !status { return true }
    return WatchText.json(event).prefix(most).allSatisfy { Terminal.output("\($0)\n") }
  }
}
