import JSON
import Location
import Navigation
import SQLite

extension SQLiteStore {
  static func write(_ change: StoreChange, _ database: SQLiteConnection) throws {
    switch change {
    case .client(let client, let kept): try write(client, kept, database)
    case .decision(let client, let grant?):
      try database.execute(
        "INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?, ?)",
        [
          client.name, client.user, grant.status.rawValue, grant.accuracy.rawValue,
          grant.fullAccuracyPurposeKeys.sorted().joined(separator: " "),
        ])
    case .decision(let client, nil):
      try database.execute(
        "DELETE FROM decision WHERE name = ? AND user = ?", [client.name, client.user])
    case .audit(let entries):
      try database.execute("DELETE FROM audit")
      for entry in entries {
        try database.execute(
          "INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?, ?)",
          [
            entry.client.name, entry.client.user, entry.purpose, entry.from.nanoseconds,
            entry.until.nanoseconds, entry.count,
          ])
      }
    case .lastLocation(let location): try write("lastLocation", location.json.text, database)
    case .history(let change): try write(change, database)
    case .stay(let stay?): try write("stay", stay.json.text, database)
    case .stay(nil): try database.execute("DELETE FROM value WHERE key = 'stay'")
    }
  }

  private static func write(
    _ client: ClientIdentity, _ kept: DurableClient, _ database: SQLiteConnection
  ) throws {
    let key: [any SQLiteArgument] = [client.name, client.user]
    try database.execute(
      "DELETE FROM client WHERE name = ? AND user = ?", key)
    if kept.isEmpty { return }
    try database.execute(
      "INSERT OR REPLACE INTO client VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        client.name, client.user, kept.regions.nextNumber, kept.wantsSignificantChanges,
        kept.lastChange?.json.text, kept.wantsVisits,
        kept.historySince?.nanoseconds,
      ])
    for watch in kept.regions.watches.values {
      let region = watch.region
      let values: [any SQLiteArgument] = [
        region.identifier, watch.state.rawValue, region.center.latitudeDegrees,
        region.center.longitudeDegrees, region.radius, region.notifyOnEntry, region.notifyOnExit,
      ]
      try database.execute(
        "INSERT OR REPLACE INTO region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        key + values)
    }
    for event in kept.regions.pending {
      try database.execute(
        "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          client.name, client.user, event.number, event.identifier, event.kind.rawValue,
          event.timestamp.nanoseconds, event.utc?.nanoseconds,
        ])
    }
    for (i, location) in kept.pendingChanges.enumerated() {
      try database.execute(
        "INSERT OR REPLACE INTO significantChange VALUES (?, ?, ?, ?)",
        key + [i, location.json.text])
    }
    for (i, visit) in kept.pendingVisits.enumerated() {
      try database.execute(
        "INSERT OR REPLACE INTO visit VALUES (?, ?, ?, ?)", key + [i, visit.json.text])
    }
  }

  private static func write(_ change: HistoryChange, _ database: SQLiteConnection) throws {
    if change.isCleared { try database.execute("DELETE FROM history") }
    if let first = change.added.first?.utc {
      try database.execute("DELETE FROM history WHERE utc > ?", [first.nanoseconds])
    }
    for entry in change.added {
      try database.execute(
        "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)",
        [
          entry.utc.nanoseconds, entry.coordinate.latitudeDegrees, entry.coordinate.longitudeDegrees,
          entry.horizontalAccuracy, Int64(entry.sources.rawValue),
        ])
    }
    if let oldest = change.oldest {
      try database.execute("DELETE FROM history WHERE utc < ?", [oldest.nanoseconds])
    }
  }

  static func write(_ key: String, _ value: String, _ database: SQLiteConnection) throws {
    try database.execute("INSERT OR REPLACE INTO value VALUES (?, ?)", [key, value])
  }
}
