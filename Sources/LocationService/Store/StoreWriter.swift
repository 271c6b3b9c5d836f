import Location
import Synchronization

/// Writes on a thread of its own: a disk that takes its time delays no location.
final class StoreWriter: Sendable {
  private struct State {
    var queue: [(number: UInt64, changes: [StoreChange])] = []
    var isFinishing = false
    var hasFinished = false
  }

  private let state = Mutex(State())
  private let wakeup: Wakeup?
  private let store: any LocationStore
  private let done: @Sendable (UInt64, String?) -> Void

  /// `done` is called with the number of each write, and the reason if it failed.
  init(store: any LocationStore, done: @escaping @Sendable (UInt64, String?) -> Void) {
    self.store = store
    self.done = done
    wakeup = try? Wakeup()
    let hasThread = wakeup != nil && PlainThread.start { [self] in run() }
    if !hasThread { state.withLock { $0.hasFinished = true } }
  }

  func write(_ number: UInt64, _ changes: [StoreChange]) {
    let hasThread = state.withLock { state in
      state.queue.append((number, changes))
      return !state.hasFinished
    }
    if hasThread { wakeup?.wake() } else { writeAll() }
  }

  /// Writes what waits, and ends; waits for it at most 5 s.
  func finish() {
    state.withLock { $0.isFinishing = true }
    wakeup?.wake()
    for _ in 0..<2500 where !state.withLock({ $0.hasFinished }) { pause(milliseconds: 2) }
  }

  private func run() {
    while true {
      writeAll()
      let isOver = state.withLock { state in
        guard state.isFinishing, state.queue.isEmpty else { return false }
        state.hasFinished = true
        return true
      }
      if isOver { return }
      wakeup?.wait()
    }
  }

  /// All that waits at once: one transaction costs as much as many.
  private func writeAll() {
    let batch = state.withLock { state in
      defer { state.queue = [] }
      return state.queue
    }
    guard let last = batch.last else { return }
    do {
      try store.write(batch.flatMap(\.changes))
      done(last.number, nil)
    } catch {
      done(last.number, "\(error)")
    }
  }
}
