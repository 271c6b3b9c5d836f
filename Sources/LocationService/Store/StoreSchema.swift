import SQLite

/// The tables, and how each version becomes the next.
enum StoreSchema {
  /// SQLite's `application_id` of our databases: "RCKN".
  static let mark = 0x5243_4B4E

  /// The table of the versions that it went through. The name is that of the library that used to make it.
  static let versions = "grdb_migrations"

  /// What makes each version of the one before.
  private static let steps: [(version: String, sql: String)] = [
    (
      "1",
      """
      CREATE TABLE client (
        name TEXT NOT NULL, user INTEGER NOT NULL, nextEvent INTEGER NOT NULL,
        wantsSignificantChanges INTEGER NOT NULL, PRIMARY KEY (name, user)) WITHOUT ROWID;
      CREATE TABLE region (
        name TEXT NOT NULL, user INTEGER NOT NULL, identifier TEXT NOT NULL, state TEXT NOT NULL,
        latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL, radius REAL NOT NULL,
        notifyOnEntry INTEGER NOT NULL, notifyOnExit INTEGER NOT NULL,
        PRIMARY KEY (name, user, identifier),
        FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
      CREATE TABLE event (
        name TEXT NOT NULL, user INTEGER NOT NULL, number INTEGER NOT NULL,
        identifier TEXT NOT NULL, kind TEXT NOT NULL, timestamp INTEGER NOT NULL, utc INTEGER,
        PRIMARY KEY (name, user, number),
        FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
      CREATE TABLE significantChange (
        name TEXT NOT NULL, user INTEGER NOT NULL, place INTEGER NOT NULL, location TEXT NOT NULL,
        PRIMARY KEY (name, user, place),
        FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
      CREATE TABLE decision (
        name TEXT NOT NULL, user INTEGER NOT NULL, status TEXT NOT NULL, accuracy TEXT NOT NULL,
        PRIMARY KEY (name, user)) WITHOUT ROWID;
      CREATE TABLE audit (
        name TEXT NOT NULL, user INTEGER NOT NULL, purpose TEXT NOT NULL,
        began INTEGER NOT NULL, ended INTEGER NOT NULL, count INTEGER NOT NULL);
      CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      """
    ),
    // From where the next significant change is measured; and whose database it is.
    ("2", "ALTER TABLE client ADD COLUMN lastChange TEXT; PRAGMA application_id = \(mark)"),
    // For what a client with reduced accuracy may have the full one for a while, blanks between the keys.
    ("3", "ALTER TABLE decision ADD COLUMN fullAccuracyPurposeKeys TEXT NOT NULL DEFAULT ''"),
    // Where the car parks.
    (
      "4",
      """
      ALTER TABLE client ADD COLUMN wantsVisits INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE visit (
        name TEXT NOT NULL, user INTEGER NOT NULL, place INTEGER NOT NULL, visit TEXT NOT NULL,
        PRIMARY KEY (name, user, place),
        FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
      """
    ),
    // Where the car was in the last 24 hours, and since when a client has that kept.
    (
      "5",
      """
      ALTER TABLE client ADD COLUMN historySince INTEGER;
      CREATE TABLE history (
        utc INTEGER PRIMARY KEY, latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL,
        horizontalAccuracy REAL NOT NULL, sources INTEGER NOT NULL);
      """
    ),
  ]

  /// Whether a newer version than this has written it.
  static func isNewer(_ database: SQLiteConnection) throws -> Bool {
    try !done(database).isSubset(of: steps.map(\.version))
  }

  /// Makes it the database of this version, a transaction each step.
  static func migrate(_ file: SQLiteFile) throws {
    let done = try file.lend { database in
      try database.execute("CREATE TABLE IF NOT EXISTS \(versions) (identifier TEXT NOT NULL PRIMARY KEY)")
      return try Self.done(database)
    }
    for step in steps where !done.contains(step.version) {
      try file.write { database in
        try database.execute(step.sql)
        try database.execute("INSERT INTO \(versions) (identifier) VALUES (?)", [step.version])
      }
    }
  }

  private static func done(_ database: SQLiteConnection) throws -> Set<String> {
    guard try database.hasTable(versions) else { return [] }
    return Set(try database.all("SELECT identifier FROM \(versions)").compactMap { $0.value("identifier") })
  }
}
