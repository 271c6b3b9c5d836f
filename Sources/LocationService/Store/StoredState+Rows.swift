import JSON
import Location
import Navigation
import SQLite

extension StoredState {
  /// What stands in the tables, as far as they are there.
  init(_ database: SQLiteConnection) throws {
    self.init()
    guard try database.hasTable("client") else { return }
    try readClients(database)
    for (client, row) in try rows(database, "decision") {
      guard let status = row.text("status").flatMap(AuthorizationStatus.init(rawValue:)),
        let accuracy = row.text("accuracy").flatMap(AccuracyAuthorization.init(rawValue:))
      else { unreadableRows += 1; continue }
      let keys = (row.text("fullAccuracyPurposeKeys") ?? "").split(separator: " ").map(String.init)
      decisions[client] = .init(
        status, accuracy, fullAccuracyPurposeKeys: Set(keys.filter(TemporaryFullAccuracy.isPurposeKey)))
    }
    for (client, row) in try rows(database, "audit ORDER BY rowid") {
      guard let entry = UsageAudit.Entry(client, row) else { unreadableRows += 1; continue }
      audit.append(entry)
    }
    for row in try database.hasTable("history") ? database.all("SELECT * FROM history ORDER BY utc") : [] {
      guard let entry = LocationHistory.Entry(row) else { unreadableRows += 1; continue }
      history.append(entry)
    }
    lastLocation = try database.first("SELECT * FROM value WHERE key = 'lastLocation'")?
      .location("value")
    stay = VisitMonitor.Stay(
      json: try database.first("SELECT * FROM value WHERE key = 'stay'")?.json("value"))
  }

  private mutating func readClients(_ database: SQLiteConnection) throws {
    var (watches, events) = ([ClientIdentity: [RegionWatch]](), [ClientIdentity: [RegionEvent]]())
    for (client, row) in try rows(database, "region") {
      guard let watch = RegionWatch(row) else { unreadableRows += 1; continue }
      watches[client, default: []].append(watch)
    }
    for (client, row) in try rows(database, "event") {
      guard let event = RegionEvent(row) else { unreadableRows += 1; continue }
      events[client, default: []].append(event)
    }
    // Of a client whose own row is lost the regions go on.
    for client in Set(watches.keys).union(events.keys) {
      clients[client] = DurableClient(watches[client], events[client], nextNumber: 1)
    }
    for (client, row) in try rows(database, "client") {
      guard let nextNumber = row.number("nextEvent"), let wants: Bool = row.value("wantsSignificantChanges")
      else {
        unreadableRows += 1
        continue
      }
      var kept = DurableClient(watches[client], events[client], nextNumber: nextNumber)
      kept.wantsSignificantChanges = wants
      kept.lastChange = row.location("lastChange")
      kept.wantsVisits = row.value("wantsVisits") ?? false
      kept.historySince = row.time("historySince")
      clients[client] = kept
    }
    for (client, row) in try rows(database, "significantChange ORDER BY place") {
      guard let location = row.location("location") else { unreadableRows += 1; continue }
      clients[client]?.pendingChanges.append(location)
    }
    for (client, row) in try database.hasTable("visit") ? rows(database, "visit ORDER BY place") : [] {
      guard let visit = Visit(json: row.json("visit")) else { unreadableRows += 1; continue }
      clients[client]?.pendingVisits.append(visit)
    }
  }

  /// The rows that say of which client they are.
  private mutating func rows(_ database: SQLiteConnection, _ table: String) throws -> [(
    ClientIdentity, SQLiteRow
  )] {
    try database.all("SELECT * FROM \(table)").compactMap { row in
      guard let name = row.text("name"), ClientIdentity.isName(name), let user: UInt32 = row.value("user")
      else {
        unreadableRows += 1
        return nil
      }
      return (ClientIdentity(name: name, user: user), row)
    }
  }

  /// The last location in the time of this boot: by how long ago it was in UTC. None
  /// where the clocks do not tell.
  public func cached(now: Timestamp, utc: Timestamp) -> Location? {
    guard var location = lastLocation, let then = location.utc else { return nil }
    let age = utc.seconds(since: then)
    guard age >= 0, age <= StandardService.oldestCached else { return nil }
    location.timestamp = now.advanced(bySeconds: -age)
    return location
  }
}

// A damaged file may hold anything anywhere: what does not fit is nil, and numbers that
// could overflow do not fit.
extension SQLiteRow {
  fileprivate func text(_ column: String) -> String? { value(column) }

  /// A count of events or locations.
  fileprivate func number(_ column: String) -> Int64? {
    let number: Int64? = value(column)
    return number.flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
  }

  fileprivate func time(_ column: String) -> Timestamp? {
    let nanoseconds: Int64? = value(column)
    return nanoseconds.map { Timestamp(nanoseconds: $0) }
  }

  fileprivate func json(_ column: String) -> JSON? { text(column).flatMap { JSONParser.parse($0) } }

  fileprivate func location(_ column: String) -> Location? {
    Location(json: json(column))
  }
}

extension DurableClient {
  fileprivate init(_ watches: [RegionWatch]?, _ events: [RegionEvent]?, nextNumber: Int64) {
    self.init()
    regions = RegionMonitor(watches: watches ?? [], pending: events ?? [], nextNumber: nextNumber)
  }
}

extension RegionWatch {
  fileprivate init?(_ row: SQLiteRow) {
    guard let identifier = row.text("identifier"), let latitude: Double = row.value("latitudeDegrees"),
      let longitude: Double = row.value("longitudeDegrees"), let radius: Double = row.value("radius"),
      let entry: Bool = row.value("notifyOnEntry"), let exit: Bool = row.value("notifyOnExit")
    else { return nil }
    let region = Region(
      identifier: identifier, center: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      radius: radius, notifyOnEntry: entry, notifyOnExit: exit)
    guard region.flaw == nil else { return nil }
    self.init(region: region, state: row.text("state").flatMap(RegionState.init(rawValue:)) ?? .unknown)
  }
}

extension RegionEvent {
  fileprivate init?(_ row: SQLiteRow) {
    guard let number = row.number("number"), let identifier = row.text("identifier"),
      let kind = row.text("kind").flatMap(Kind.init(rawValue:)), let time = row.time("timestamp")
    else { return nil }
    self.init(number: number, identifier: identifier, kind: kind, timestamp: time, utc: row.time("utc"))
  }
}

extension LocationHistory.Entry {
  fileprivate init?(_ row: SQLiteRow) {
    guard let utc = row.time("utc"), let latitude: Double = row.value("latitudeDegrees"),
      let longitude: Double = row.value("longitudeDegrees"),
      let accuracy: Double = row.value("horizontalAccuracy"), let sources: Int64 = row.value("sources")
    else { return nil }
    let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard place.isValid, accuracy >= 0, accuracy.isFinite, let bits = UInt16(exactly: sources) else {
      return nil
    }
    self.init(
      utc: utc, coordinate: place, horizontalAccuracy: accuracy, sources: LocationSources(rawValue: bits))
  }
}

extension UsageAudit.Entry {
  fileprivate init?(_ client: ClientIdentity, _ row: SQLiteRow) {
    guard let purpose = row.text("purpose"), ClientIdentity.isPurpose(purpose),
      let from = row.time("began"), let until = row.time("ended"), let count = row.number("count")
    else { return nil }
    self.init(client: client, purpose: purpose, from: from, until: until, count: Int(count))
  }
}
