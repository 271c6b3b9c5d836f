import Location

/// A table of comma-separated values that says where cells or access points are: which columns it
/// has, and what a row says.
///
/// - Cells, as OpenCelliD and the Mozilla Location Services give them out:
///   `radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal`. Needed
///   are radio, mcc, net, area, cell, lon and lat; range is metres, 0 where it is not known. Without a header
///   line the columns are those, in that order.
/// - Access points: `bssid,lat,lon` and, where it is known, `range` in metres.
struct CoarseTable {
  /// What a row says.
  enum Entry: Equatable {
    case accessPoint(AccessPointAddress, Coordinate, radius: Double)
    case cell(CellIdentity, Coordinate, radius: Double)
  }

  /// Why a row says nothing.
  struct Refusal: Error, Equatable { let reason: String }

  /// Metres about an access point that hold those who hear it with 68 %, where the table does not say;
  /// and bounds of what it says.
  static let usualReach = 60.0, leastReach = 30.0, greatestReach = 100_000.0

  private static let cellColumns = [
    "radio", "mcc", "net", "area", "cell", "unit", "lon", "lat", "range", "samples", "changeable", "created",
    "updated",
    "averagesignal",
  ]
  private static let accessPointColumns = ["bssid", "lat", "lon", "range"]

  private let columns: [String: Int]
  /// Whether the line that it was made of is a row itself.
  let hasNoHeader: Bool

  /// The table that begins with `line`.
  init(firstLine line: String) throws(Refusal) {
    let cells = Self.cells(line).map { $0.lowercased() }
    var names = cells
    if cells.contains("bssid") || cells.contains("radio") {
      hasNoHeader = false
    } else {
      hasNoHeader = true
      names = AccessPointAddress(cells[0]) == nil ? Self.cellColumns : Self.accessPointColumns
    }
    columns = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let needed = columns["bssid"] == nil ? ["mcc", "net", "area", "cell", "lon", "lat"] : ["lon", "lat"]
    for name in needed where columns[name] == nil { throw Refusal(reason: "there is no column \(name)") }
  }

  /// What a row says.
  func entry(_ line: String) throws(Refusal) -> Entry {
    let cells = Self.cells(line)
    func text(_ name: String) -> Substring? { columns[name].flatMap { $0 < cells.count ? cells[$0] : nil } }
    func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }
    func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
    guard let latitude = number("lat"), let longitude = number("lon"),
      case let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), place.isValid,
      // Nothing is at the origin; what was not known often is.
      latitude != 0 || longitude != 0
    else { throw Refusal(reason: "lat and lon are not a place on Earth (90°, 180°)") }
    let range = number("range") ?? 0
    guard range >= 0, range <= Self.greatestReach else { throw Refusal(reason: "range is 0 to 100000 m") }
    if columns["bssid"] != nil {
      guard let address = text("bssid").flatMap({ AccessPointAddress($0) }) else {
        throw Refusal(reason: "bssid is no address of an access point")
      }
      return .accessPoint(address, place, radius: range > 0 ? max(range, Self.leastReach) : Self.usualReach)
    }
    guard let name = text("radio")?.lowercased(), let radio = Radio(rawValue: name == "5g" ? "nr" : name)
    else {
      throw Refusal(reason: "radio is not gsm, umts, lte or nr")
    }
    guard let country = integer("mcc"), let network = integer("net"), let area = integer("area"),
      let number = integer("cell"),
      let cell = CellIdentity(radio: radio, country: country, network: network, area: area, cell: number)
    else { throw Refusal(reason: "mcc, net, area or cell is not a number in its range") }
    return .cell(cell, place, radius: range > 0 ? max(range, 100) : radio.usualRadius)
  }

  private static func cells(_ line: String) -> [Substring] {
    line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
      var cell = cell
      while cell.last?.isWhitespace == true { cell.removeLast() }
      return cell.drop { $0.isWhitespace }
    }
  }
}
