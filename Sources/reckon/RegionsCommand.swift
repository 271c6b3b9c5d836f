import ArgumentParser
import Location
import Programs

/// `reckon regions`
struct RegionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regions",
    abstract: "List, add and remove the regions that the service monitors for a client.",
    discussion: """
      Without --add and --remove it lists them. Regions belong to a client's name and its user. \
      To remove one that is not there is no error: a note says so.
      """)

  @OptionGroup var service: ServiceOptions
  @Option(
    help: ArgumentHelp("Monitor a circle.", valueName: "name,lat_deg,lon_deg,radius_m"),
    transform: Self.region)
  var add: [Region] = []
  @Option(help: ArgumentHelp("Monitor it no longer.", valueName: "name")) var remove: [String] = []

  func run() throws {
    let connection = try ServiceConnection(
      path: service.path, name: service.client, purpose: "shows and changes regions")
    if let denial = connection.denial { throw denial }
    let known = remove.isEmpty ? [] : try regions(connection)
    for identifier in remove where !known.contains(where: { $0.identifier == identifier }) {
      Terminal.error("note: \(service.client) has no region \(identifier): nothing was removed")
    }
    for identifier in remove { try connection.say(.stopMonitoring(identifier: identifier)) }
    for region in add { try connection.say(.startMonitoring(region)) }
    for region in try regions(connection) {
      let place = "\(region.center.latitudeDegrees),\(region.center.longitudeDegrees)"
      Terminal.output("\(region.identifier),\(place),\(region.radius)\n")
    }
  }

  /// Those of the client, once all that was said before is on the disk.
  private func regions(_ connection: ServiceConnection) throws -> [Region] {
    try connection.say(.requestRegions)
    return try connection.answer { message -> Result<[Region], LocationError>? in
      switch message {
      case .regions(let regions): .success(regions)
      case .regionFailed(_, let failure): .failure(.regionMonitoringFailed(failure))
      default: nil
      }
    }.get()
  }

  private static func region(_ text: String) throws -> Region {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let latitude = Double(parts[1]), let longitude = Double(parts[2]),
      let radius = Double(parts[3])
    else { throw ValidationError("\(text) is not name,latitude,longitude,radius.") }
    let region = Region(
      identifier: parts[0],
      center: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), radius: radius)
    if let flaw = region.flaw { throw ValidationError("\(text): \(flaw).") }
    return region
  }
}
