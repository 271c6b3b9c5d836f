import CLibrary
import Location
import Locks

/// Writes on a thread of its own: a disk that takes its time delays no location. What cannot be written
/// is kept and tried again.
final class StoreWriter: Sendable {
  /// Seconds after which what could not be written is tried again.
  static let retry = 5.0

  private struct State {
    var backlog = StoreBacklog()
    var isFinishing = false
    var hasFinished = false
    /// Why nothing can be written, as it was said; nil while it can be.
    var failure: String?
  }

  private let state = Mutex(State())
  private let wakeup: Wakeup?
  private let store: any LocationStore
  private let log: @Sendable (String) -> Void
  private let done: @Sendable (UInt64, Bool) -> Void
  private let begunAnew: @Sendable () -> Void

  /// `done` is called with the number of each write and whether it is on the disk; `begunAnew` where the
  /// database is another, so that everything has to be written; `log` once when nothing can be written and
  /// once when it is so again.
  init(
    store: any LocationStore, log: @escaping @Sendable (String) -> Void,
    begunAnew: @escaping @Sendable () -> Void, done: @escaping @Sendable (UInt64, Bool) -> Void
  ) {
    self.begunAnew = begunAnew
    self.store = store
    self.log = log
    self.done = done
    wakeup = Wakeup()
    let hasThread = wakeup != nil && PlainThread.start { [self] in run() } == 0
    if !hasThread { state.withLock { $0.hasFinished = true } }
  }

  func write(_ number: UInt64, _ changes: [StoreChange]) {
    let hasThread = state.withLock { state in
      state.backlog.add(number, changes)
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
      let outcome = writeAll()
      let isWritten = outcome == .written
      let isOver = state.withLock { state in
        // What could not be written a moment ago will not be by waiting for it.
        guard state.isFinishing, state.backlog.isEmpty || !isWritten else { return false }
        state.hasFinished = true
        return true
      }
      if isOver { return }
      switch outcome {
      case .written: wakeup?.wait()
      // What was to be written goes with everything else, which is on its way.
      case .begunAnew: wakeup?.wait(milliseconds: 100)
      case .failed: wakeup?.wait(milliseconds: Int32(Self.retry * 1000))
      }
    }
  }

  private enum Outcome { case written, begunAnew, failed }

  /// All that waits at once: one transaction costs as much as many.
  @discardableResult
  private func writeAll() -> Outcome {
    let batch = state.withLock { state in
      defer { state.backlog = StoreBacklog() }
      return state.backlog
    }
    guard let number = batch.number else { return .written }
    let failure: String?
    var isAnew = false
    do {
      try store.write(batch.changes)
      failure = nil
    } catch {
      failure = "\(error)"
      isAnew = (error as? StoreError)?.asksForEverything ?? false
    }
    let said = state.withLock { state in
      defer { state.failure = failure }
      if failure != nil {
        let later = state.backlog
        state.backlog = batch
        state.backlog.add(later)
      }
      return state.failure
    }
    if isAnew {
      if let failure, failure != said { log("storage: \(failure)") }
      begunAnew()
      return .begunAnew
    }
    if let failure, failure != said { log("storage: \(failure); trying again every \(Int(Self.retry)) s") }
    if failure == nil, said != nil { log("storage: everything is written again") }
    done(number, failure == nil)
    return failure == nil ? .written : .failed
  }
}
