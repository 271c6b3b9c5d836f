import Dispatch
import Locks

/// Numbered pieces of work on several threads, whose results are handed on in order.
package enum OrderedWork {
  private struct Progress<Result> {
    var next: Int
    var finished: [Int: Result] = [:]
    var told: Int
  }

  /// Does `work` for every number; `each` hears the results in order, one at a time, as soon
  /// as those before are there.
  package static func run<Result: Sendable>(
    _ numbers: Range<Int>, jobs: Int, _ work: @Sendable (Int) -> Result, each: @Sendable (Int, Result) -> Void
  ) {
    let progress = Mutex(Progress<Result>(next: numbers.lowerBound, told: numbers.lowerBound))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, numbers.count))) { _ in
      while true {
        let number = progress.withLock { progress in
          defer { progress.next += 1 }
          return progress.next
        }
        guard number < numbers.upperBound else { return }
        let result = work(number)
        progress.withLock { progress in
          progress.finished[number] = result
          while let ready = progress.finished.removeValue(forKey: progress.told) {
            each(progress.told, ready)
            progress.told += 1
          }
        }
      }
    }
  }
}
