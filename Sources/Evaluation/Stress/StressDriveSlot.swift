import Locks

/// A drive that is read when the first of its variants is made, and dropped after the last.
final class StressDriveSlot: Sendable {
  /// The drive cannot be read; `reason` says why.
  struct Unusable: Error { let reason: String }

  private struct State {
    var drive: Result<StressDrive, Unusable>?
    var uses: Int
  }

  let path: String
  private let state: Mutex<State>

  init(path: String, uses: Int) {
    self.path = path
    state = Mutex(State(uses: uses))
  }

  /// The drive; who comes while another reads it waits.
  func drive() throws -> StressDrive {
    try state.withLock { state in
      if let drive = state.drive { return drive }
      let drive: Result<StressDrive, Unusable>
      do { drive = .success(try StressDrive(path: path)) } catch {
        drive = .failure(Unusable(reason: "\(error)"))
      }
      state.drive = drive
      return drive
    }.get()
  }

  /// Ends one use.
  func release() {
    state.withLock { state in
      state.uses -= 1
      if state.uses == 0 { state.drive = nil }
    }
  }
}
