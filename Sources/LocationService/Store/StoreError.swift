import CLibrary
import CSQLite
import SQLite

/// Why the database cannot be used, and what to do about it.
public enum StoreError: Error, Sendable, Equatable {
  /// The folder that it is to lie in is not there.
  case folderMissing(path: String)
  /// The file or its folder cannot be read or written by this user, or lies where nothing can be.
  case notPermitted(path: String)
  /// It is another program's database: it is left as it is.
  case foreign(path: String)
  /// Something is there that is no file: a folder, a device or a pipe. It is left as it is.
  case notAFile(path: String)
  /// A file of another kind is there: it is left as it is.
  case notDatabase(path: String)
  /// A newer version wrote it.
  case newer(path: String)
  /// What stands in the file is no whole database.
  case damaged(path: String, reason: String)
  /// It was removed or replaced while it was open; another is begun, and everything has to be written into
  /// it.
  case removed(path: String)
  /// It can be written again, as it was before; everything has to be written into it.
  case writableAgain(path: String)
  /// The file system lets nothing be written, as it does after a fault of the disk.
  case readOnly(path: String)
  /// There is no room on the disk, or as much is stored as may be.
  case full(path: String)
  /// Another process holds it.
  case busy(path: String)
  /// Anything else, in SQLite's words.
  case failed(path: String, reason: String)

  /// Whether the database is another than before, so that everything has to be written.
  var asksForEverything: Bool {
    switch self {
    case .removed, .writableAgain: true
    default: false
    }
  }

  /// What SQLite's `error` means for the database at `path`.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case _ where Self.isRefusal(error) && ReadOnlyDisk.holds(path): .readOnly(path: path)
      case _ where Self.isLackOfRoom(error): .full(path: path)
      // Statements of ours are right: one that fails as such meets tables, rows or a
      // format that are not ours.
      case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH,
        SQLITE_CONSTRAINT:
        .damaged(path: path, reason: error.message)
      case SQLITE_BUSY, SQLITE_LOCKED: .busy(path: path)
      case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
        Self.isThere(Self.folder(of: path)) ? .notPermitted(path: path) : .folderMissing(path: path)
      default: .failed(path: path, reason: error.message)
      }
  }

  private static func isRefusal(_ error: SQLiteError) -> Bool {
    [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_IOERR].contains(error.code)
  }

  /// A disk that is full, a quota or a limit of this process: it may pass by itself.
  static func isLackOfRoom(_ error: SQLiteError) -> Bool {
    error.code == SQLITE_FULL
      || [Self.writeFault, Self.sharedMemoryFault].contains(error.extendedCode)
  }

  // SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE, which Swift does not take over from the header.
  private static let writeFault = SQLITE_IOERR | 3 << 8, sharedMemoryFault = SQLITE_IOERR | 19 << 8

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension StoreError: CustomStringConvertible {
  /// What is wrong, and what to do about it, for people.
  public var description: String {
    switch self {
    case .folderMissing(let path):
      "\(path): there is no folder \(Self.folder(of: path)): make it, or name another database (database in [service])"
    case .notPermitted(let path):
      "\(path): cannot be read and written by user \(geteuid()): give it the file and its folder (chown), or name another database"
    case .foreign(let path): "\(path): is another program's database, and is left alone: name another one"
    case .notAFile(let path):
      "\(path): is a folder, a device or a pipe, and a database is a file: name another path (database in [service])"
    case .notDatabase(let path):
      "\(path): is no database of reckond, and is left alone: name another path (database in [service])"
    case .newer(let path):
      "\(path): was written by a newer version of reckond: install that one again to use it"
    case .damaged(let path, let reason): "\(path): damaged (\(reason))"
    case .removed(let path):
      "\(path): was removed or replaced while in use; a new one is made of all that is known, "
        + "what the engine learned included"
    case .writableAgain(let path): "\(path): can be written again; all that is known goes into it"
    case .readOnly(let path):
      "\(path): its file system lets nothing be written: regions, decisions and what was learned since "
        + "are kept in memory only; look after the disk (dmesg)"
    case .full(let path):
      "\(path): there is no room to write: regions, decisions and what was learned since are kept in memory only; make room on the disk"
    case .busy(let path): "\(path): is held by another process: is a second reckond running on it?"
    case .failed(let path, let reason): "\(path): \(reason)"
    }
  }
}
