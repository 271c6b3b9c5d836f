import Fusion
import Persistence
import Programs

/// `--warm-start` and `--save-state`.
enum WarmStart {
  /// The state in the file at `path`; nil, with the reason on standard error, where it cannot be used.
  ///
  /// `unixTime`, the time now, gives the state its age. A replay gives none: the times of a drive say nothing
  /// of today's clock, and the same files give the same bits.
  static func load(_ path: String?, unixTime: Double? = nil) -> SavedState? {
    guard let path else { return nil }
    do {
      return try SavedStateFile.read(path, unixTime: unixTime)
    } catch {
      Terminal.error("note: \(error) Starting cold.")
      return nil
    }
  }

  /// Writes what a later engine can start from; false, with the reason on standard
  /// error, where that cannot be.
  static func save(_ state: SavedState?, to path: String, unixTime: Double? = nil) -> Bool {
    guard let state else {
      Terminal.error("note: \(path): not written, heading and mounting are not known at the end.")
      return true
    }
    do {
      try SavedStateFile.write(state, to: path, unixTime: unixTime)
      return true
    } catch {
      Terminal.error("error: \(error)")
      return false
    }
  }
}
