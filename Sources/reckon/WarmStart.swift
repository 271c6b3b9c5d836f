import Fusion
import Persistence

/// `--warm-start` and `--save-state`.
enum WarmStart {
  /// The state in the file at `path`; nil, with the reason on standard error, where it cannot be used.
  static func load(_ path: String?) -> SavedState? {
    guard let path else { return nil }
    do {
      // No age: the times of a drive that is replayed say nothing of today's clock, and the same files give the same bits.
      return try SavedStateFile.read(path)
    } catch {
      Terminal.error("note: \(error) Starting cold.")
      return nil
    }
  }

  /// Writes what a later engine can start from; false, with the reason on standard error, where that cannot be.
  static func save(_ state: SavedState?, to path: String) -> Bool {
    guard let state else {
      Terminal.error("note: \(path): not written, heading and mounting are not known at the end.")
      return true
    }
    do {
      try SavedStateFile.write(state, to: path)
      return true
    } catch {
      Terminal.error("error: \(error)")
      return false
    }
  }
}
