import GRDB

/// The tables, and how each version becomes the next.
enum StoreSchema {
  /// SQLite's `application_id` of our databases: "RCKN".
  static let mark = 0x5243_4B4E

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
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
          """)
    }
    migrator.registerMigration("2") { database in
      // From where the next significant change is measured; and whose database it is.
      try database.execute(sql: "ALTER TABLE client ADD COLUMN lastChange TEXT")
      try database.execute(sql: "PRAGMA application_id = \(mark)")
    }
    return migrator
  }
}
