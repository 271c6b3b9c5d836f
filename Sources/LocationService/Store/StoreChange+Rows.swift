import JSON
import GRDB
import Location
import Navigation

extension SQLiteStore {
  static func write(_ change: StoreChange, _ database: Database) throws {
    switch change {
    case .client(let client, let kept): try write(client, kept, database)
    case .decision(let client, let grant?):
      try database.execute(
        sql: "INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?)",
        arguments: [client.name, client.user, grant.status.rawValue, grant.accuracy.rawValue])
    case .decision(let client, nil):
      try database.execute(
        sql: "DELETE FROM decision WHERE name = ? AND user = ?", arguments: [client.name, client.user])
    case .audit(let entries):
      try database.execute(sql: "DELETE FROM audit")
      for entry in entries {
        try database.execute(
          sql: "INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [
            entry.client.name, entry.client.user, entry.purpose, entry.from.nanoseconds,
            entry.until.nanoseconds, entry.count,
          ])
      }
    case .lastLocation(let location): try write("lastLocation", location.json.text, database)
    }
  }

  private static func write(
    _ client: ClientIdentity, _ kept: DurableClient, _ database: Database
  ) throws {
    let key: [any DatabaseValueConvertible] = [client.name, client.user]
    try database.execute(
      sql: "DELETE FROM client WHERE name = ? AND user = ?", arguments: StatementArguments(key))
    if kept.isEmpty { return }
    try database.execute(
      sql: "INSERT OR REPLACE INTO client VALUES (?, ?, ?, ?, ?)",
      arguments: [
        client.name, client.user, kept.regions.nextNumber, kept.wantsSignificantChanges,
        kept.lastChange?.json.text,
      ])
    for watch in kept.regions.watches.values {
      let region = watch.region
      let values: [any DatabaseValueConvertible] = [
        region.identifier, watch.state.rawValue, region.center.latitudeDegrees,
        region.center.longitudeDegrees, region.radius, region.notifyOnEntry, region.notifyOnExit,
      ]
      try database.execute(
        sql: "INSERT OR REPLACE INTO region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: StatementArguments(key + values))
    }
    for event in kept.regions.pending {
      try database.execute(
        sql: "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          client.name, client.user, event.number, event.identifier, event.kind.rawValue,
          event.timestamp.nanoseconds, event.utc?.nanoseconds,
        ])
    }
    for (i, location) in kept.pendingChanges.enumerated() {
      try database.execute(
        sql: "INSERT OR REPLACE INTO significantChange VALUES (?, ?, ?, ?)",
        arguments: StatementArguments(key + [i, location.json.text]))
    }
  }

  static func write(_ key: String, _ value: String, _ database: Database) throws {
    try database.execute(sql: "INSERT OR REPLACE INTO value VALUES (?, ?)", arguments: [key, value])
  }
}
