import Drives
import Persistence

extension AtomicFile {
  /// ``replace(_:_:)`` for a track: what cannot be written is said by the name that was asked for.
  static func replaceTrack<Result>(_ path: String, _ body: (String) throws -> Result) throws -> Result {
    try replace(path) { partial in
      do { return try body(partial) } catch let error as DriveError {
        throw error.named(path, insteadOf: partial)
      }
    }
  }
}
