import Foundation
import Fusion
import Live
import Measuring
import SensorEvents
import Synchronization

/// The whole live path as `reckon run` has it: a reader's thread posts a sample each 10 ms of real time, the
/// fusion thread takes it, and a subscriber has the position that rests on it. While nothing else of ours
/// runs, and while other threads keep every core busy.
enum LivePath {
  private static let seconds = 10

  static func rows() -> [LatencyRow] {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return rows("no load of ours", busy: 0, .shortTurns)
      + rows("\(cores) busy threads on \(cores) cores, usual turns", busy: cores, .ordinary)
      + rows("the same, short turns", busy: cores, .shortTurns)
      + rows("the same, real-time priority", busy: cores, .realTime)
  }

  /// What the threads of the path ask of the system.
  private enum Favour { case ordinary, shortTurns, realTime }

  /// The path, and beside it at the same time a bare thread that asks for the same.
  private static func rows(_ name: String, busy: Int, _ favour: Favour) -> [LatencyRow] {
    let isRealTime = favour == .realTime
    var drive = SyntheticDrive(lateness: 0.1)
    var engine = LiveEngine()
    let tape = LiveTape(drive.samples(seconds: 60 + seconds))
    let begin = Stopwatch.now
    // The first minute at once, so that heading and mounting are known.
    let origin = begin + 20_000_000 - 60_000_000_000
    for event in tape.events(before: 60, origin: origin) { engine.process(event) }
    let events = tape.events(from: 60, origin: origin)

    var loop = LoopConfiguration()
    loop.outputRate = 10_000
    loop.priority = isRealTime ? 50 : nil
    loop.shortensTurns = favour == .shortTurns
    loop.locksMemory = isRealTime
    let thread = FusionThread(engine: engine, loop: loop, clock: .benchmark)
    let readings = Mutex(Latencies())
    let isOver = Atomic(false)
    _ = thread.subscribe { output in
      readings.withLock { $0.add(output, now: Stopwatch.now) }
    }
    precondition(thread.start(), "there is no thread left")
    let load = Load(threads: busy)
    let bare = BareThread(isRealTime ? 50 : nil, shortensTurns: favour == .shortTurns)
    // As the reader of a device: it waits for the sample, stamps its arrival and posts it. What the system
    // does to the reader itself shows in any design, so the sample's time is that of its being in hand.
    let reader = { @Sendable in
      for var event in events {
        Stopwatch.sleep(until: Int(event.arrival.nanoseconds))
        event.arrival = Timestamp(nanoseconds: Int64(Stopwatch.now))
        readings.withLock { $0.expect(event) }
        thread.mailbox.post(event)
      }
      isOver.store(true, ordering: .releasing)
    }
    RealTime.startThread(priority: isRealTime ? 51 : nil, shortensTurns: favour == .shortTurns, reader)
    // Not by the lock of the readings: whoever waits here is held up by the load.
    while !isOver.load(ordering: .acquiring) { usleep(50_000) }
    usleep(50_000)
    let floor = bare.stop()
    load.stop()
    let ended = thread.stop(within: 5)
    precondition(ended?.solution(at: LoopClock.benchmark.now()) != nil, "the engine lost its way")
    let note = thread.messages.isEmpty ? "" : " (refused)"
    return [
      LatencyRow(name: name + note, readings: readings.withLock { $0.readings }),
      LatencyRow(name: "  a bare thread beside it", readings: floor),
    ]
  }

  /// Seconds from a sample's being in hand to the first position that rests on it.
  private struct Latencies: Sendable {
    var readings = Readings()
    private var waiting: [Int64] = []

    init() { readings.beginRepeat() }

    mutating func expect(_ event: SensorEvent) {
      if case .inertial = event.content { waiting.append(event.arrival.nanoseconds) }
    }

    mutating func add(_ output: LiveOutput, now: Int) {
      guard let newest = output.newestArrival?.nanoseconds, output.solution != nil else { return }
      while let first = waiting.first, first <= newest {
        readings.add(max(0, now - Int(first)))
        waiting.removeFirst()
      }
    }
  }

  /// Threads that do nothing, as fast as they can.
  private final class Load: Sendable {
    private let isOver = Atomic(false)

    init(threads: Int) {
      for _ in 0..<threads {
        Thread.detachNewThread { while !self.isOver.load(ordering: .relaxed) {} }
      }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }
}

extension RealTime {
  /// Starts a thread that asks for this before it runs `body`.
  static func startThread(priority: Int32?, shortensTurns: Bool, _ body: @escaping @Sendable () -> Void) {
    guard priority != nil || shortensTurns else { return Thread.detachNewThread(body) }
    forThreads(startedAt: priority) { Thread.detachNewThread(body) }
  }
}

extension LoopClock {
  /// The benchmark's own clock in the place of the host's.
  fileprivate static let benchmark = LoopClock(
    now: { Timestamp(nanoseconds: Int64(Stopwatch.now)) },
    read: { _ in Timestamp(nanoseconds: Int64(Stopwatch.now)) })
}
