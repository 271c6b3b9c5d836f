import CAllocations
import Foundation
import Live
import Measuring
import Navigation
import SensorEvents
import Synchronization

/// Allocations of the real-time loop: of a reader that posts an event, and of the fusion thread from taking
/// it out of the mailbox to the solution that it stores and hands to a subscriber. What another thread
/// allocates is not counted with them.
enum LiveAllocations {
  /// Events that are counted, after two minutes of drive.
  private static let counted = 60.0 * 20

  /// The rarest statuses that a loop can be told, a second: people's views, which do allocate.
  private static let rareStatus = 0.01

  /// Runs the loop with few statuses and with the usual ones; returns the allocations of posting, and of the
  /// rounds of the loop that are more than there were statuses.
  static func run() -> UInt64 {
    let plain = LoopRun(statusRate: rareStatus).count(seconds: counted)
    let statuses = Int((counted * rareStatus).rounded())
    print(
      "live loop: \(plain.posting) allocations in \(plain.events) posts; \(plain.rounds) rounds from mailbox to solution with \(plain.outputs) outputs, \(plain.allocating) of them allocated, and made the \(statuses) statuses"
    )
    let stated = LoopRun(statusRate: 5).count(seconds: 60)
    print(
      "for the record, a status for people: \(String(format: "%.0f", Double(stated.loop) / Double(60 * 5))) allocations, five a second"
    )
    return plain.posting + UInt64(max(0, plain.allocating - statuses))
  }
}

/// A fusion thread whose clock is the drive's.
private final class LoopRun: Sendable {
  struct Count {
    var events = 0, outputs = 0, rounds = 0, allocating = 0
    var posting: UInt64 = 0, loop: UInt64 = 0
  }

  private let time = Atomic<Int64>(0)
  private let statusRate: Double
  /// Of the fusion thread, which alone can read its count: allocations so far, events taken, outputs.
  private let allocations = Atomic<UInt64>(0)
  private let taken = Atomic(0)
  /// Rounds of the loop, and those that allocated.
  private let rounds = Atomic(0)
  private let allocating = Atomic(0)
  private let outputs = Atomic(0)

  init(statusRate: Double) { self.statusRate = statusRate }

  func count(seconds: Double) -> Count {
    var drive = SyntheticDrive(.init(wheel: 10), lateness: 0.1)
    let begin = 120.0
    let tape = LiveTape(drive.samples(seconds: Int(begin + seconds)))
    let origin = 1_000_000_000_000
    let early = tape.events(before: begin, origin: origin)
    let late = tape.events(from: begin, origin: origin)
    time.store(early[0].arrival.nanoseconds, ordering: .releasing)

    var loop = LoopConfiguration()
    loop.statusRate = statusRate
    let clock = LoopClock(
      now: { Timestamp(nanoseconds: self.time.load(ordering: .acquiring)) },
      read: { _ in Timestamp(nanoseconds: self.time.load(ordering: .acquiring)) })
    let thread = FusionThread(engine: LiveEngine(), loop: loop, clock: clock) { batch, _ in
      let before = self.allocations.exchange(allocation_count(), ordering: .relaxed)
      self.rounds.add(1, ordering: .relaxed)
      if allocation_count() != before { self.allocating.add(1, ordering: .relaxed) }
      self.taken.add(batch.count { $0.source != .loop }, ordering: .releasing)
    }
    _ = thread.subscribe { _ in self.outputs.add(1, ordering: .relaxed) }
    precondition(thread.start(), "there is no thread left")
    var count = Count()
    var posted = 0
    post(early, to: thread, &posted, &count)
    let before = allocations.load(ordering: .acquiring)
    let outputsBefore = outputs.load(ordering: .relaxed)
    let roundsBefore = rounds.load(ordering: .relaxed)
    let allocatingBefore = allocating.load(ordering: .relaxed)
    count = Count()
    post(late, to: thread, &posted, &count)
    count.loop = allocations.load(ordering: .acquiring) - before
    count.rounds = rounds.load(ordering: .relaxed) - roundsBefore
    count.allocating = allocating.load(ordering: .relaxed) - allocatingBefore
    count.outputs = outputs.load(ordering: .relaxed) - outputsBefore
    guard thread.stop(within: 10)?.solution(at: clock.now())?.isAligned == true else {
      Gates.stop("the live engine does not know its heading: there is nothing to measure")
    }
    return count
  }

  /// Posts each event at its time, and waits until it has been taken.
  private func post(
    _ events: [SensorEvent], to thread: FusionThread, _ posted: inout Int, _ count: inout Count
  ) {
    for event in events {
      time.store(event.arrival.nanoseconds, ordering: .releasing)
      let before = allocation_count()
      thread.mailbox.post(event)
      count.posting += allocation_count() - before
      count.events += 1
      posted += 1
      while taken.load(ordering: .acquiring) < posted { sched_yield() }
    }
  }
}
