import GRDB
import JSON
import Location
import Navigation

extension StoredState {
  init(_ database: Database) throws {
    self.init()
    var watches: [ClientIdentity: [RegionWatch]] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT * FROM region") {
      let region = Region(
        identifier: row["identifier"],
        center: Coordinate(
          latitudeDegrees: row["latitudeDegrees"], longitudeDegrees: row["longitudeDegrees"]),
        radius: row["radius"], notifyOnEntry: row["notifyOnEntry"], notifyOnExit: row["notifyOnExit"])
      guard region.flaw == nil else { continue }
      let state = RegionState(rawValue: row["state"]) ?? .unknown
      watches[ClientIdentity(row), default: []].append(RegionWatch(region: region, state: state))
    }
    var events: [ClientIdentity: [RegionEvent]] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT * FROM event") {
      guard let kind = RegionEvent.Kind(rawValue: row["kind"]) else { continue }
      let utc: Int64? = row["utc"]
      events[ClientIdentity(row), default: []].append(
        RegionEvent(
          number: row["number"], identifier: row["identifier"], kind: kind,
          timestamp: Timestamp(nanoseconds: row["timestamp"]),
          utc: utc.map { Timestamp(nanoseconds: $0) }))
    }
    for row in try Row.fetchAll(database, sql: "SELECT * FROM client") {
      let client = ClientIdentity(row)
      var kept = DurableClient()
      kept.wantsSignificantChanges = row["wantsSignificantChanges"]
      kept.regions = RegionMonitor(
        watches: watches[client] ?? [], pending: events[client] ?? [], nextNumber: row["nextEvent"])
      clients[client] = kept
    }
    for row in try Row.fetchAll(database, sql: "SELECT * FROM significantChange ORDER BY place") {
      guard let location = Location(json: JSONParser.parse(row["location"] as String)) else { continue }
      clients[ClientIdentity(row)]?.pendingChanges.append(location)
    }
    for row in try Row.fetchAll(database, sql: "SELECT * FROM decision") {
      guard let status = AuthorizationStatus(rawValue: row["status"]),
        let accuracy = AccuracyAuthorization(rawValue: row["accuracy"])
      else { continue }
      decisions[ClientIdentity(row)] = .init(status, accuracy)
    }
    audit = try Row.fetchAll(database, sql: "SELECT * FROM audit ORDER BY rowid").map { row in
      UsageAudit.Entry(
        client: ClientIdentity(row), purpose: row["purpose"],
        from: Timestamp(nanoseconds: row["began"]), until: Timestamp(nanoseconds: row["ended"]),
        count: row["count"])
    }
    let last = try String.fetchOne(database, sql: "SELECT value FROM value WHERE key = 'lastLocation'")
    lastLocation = last.flatMap { Location(json: JSONParser.parse($0)) }
  }

  /// The last location in the time of this boot: by how long ago it was in UTC. None where the clocks do not tell.
  public func cached(now: Timestamp, utc: Timestamp) -> Location? {
    guard var location = lastLocation, let then = location.utc else { return nil }
    let age = utc.seconds(since: then)
    guard age >= 0, age <= StandardService.oldestCached else { return nil }
    location.timestamp = now.advanced(bySeconds: -age)
    return location
  }
}

extension ClientIdentity {
  fileprivate init(_ row: Row) { self.init(name: row["name"], user: row["user"]) }
}
