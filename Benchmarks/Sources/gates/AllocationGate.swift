import CAllocations
import Fusion
import Measuring

/// No allocation from sample to sample, from the second fix on: neither while the
/// heading is sought nor after.
enum AllocationGate {
  static func run() {
    guard allocations_are_counted() else { Gates.stop("allocations are counted with glibc only") }
    proveCounter()
    // Swift's runtime makes its tables of types at their first use, once a process.
    _ = CountedRun(SyntheticDrive())
    var updates = 0
    var allocations: UInt64 = 0
    for (wheel, lateness) in [(0, 0.0), (10, 0.0), (0, 0.3), (10, 0.3)] {
      var run = CountedRun(SyntheticDrive(.init(wheel: wheel), lateness: lateness))
      run.advance(updates: 250_000)
      print(
        "wheel speed \(wheel) Hz, fixes \(lateness) s late: \(run.allocationsAtStart) allocations in two minutes from the second fix on, then \(run.allocations) in \(run.updates) updates"
      )
      updates += run.updates
      allocations += run.allocations + run.allocationsAtStart
    }
    allocations += allocationsOfLateness()
    reportRecovery()
    guard allocations == 0 else {
      Gates.stop("\(allocations) allocations in \(updates) updates, and none is allowed")
    }
    print("0 allocations in \(updates) updates")
    let live = LiveAllocations.run()
    guard live == 0 else { Gates.stop("\(live) allocations in the live loop, and none is allowed") }
  }

  /// A counter that finds nothing proves nothing: it has to find what is there.
  private static func proveCounter() {
    let before = allocation_count()
    allocate_by_each()
    let byEach = allocation_count() - before
    guard byEach == 6 else { Gates.stop("the counter saw \(byEach) of 6 allocations in C") }
    let start = allocation_count()
    var numbers = [Int](repeating: 1, count: 1)
    numbers.append(contentsOf: repeatElement(2, count: 1000))
    let bySwift = allocation_count() - start
    guard bySwift >= 2, numbers.count == 1001 else {
      Gates.stop("the counter saw \(bySwift) of 2 allocations in Swift")
    }
    print(
      "control: the counter sees 6 of 6 allocations in C, and \(bySwift) where a Swift array is made and grows"
    )
  }

  /// Fixes that are late by anything, so that some of them come just after a snapshot while the heading is
  /// sought: until it has been copied, the state in use reads what the snapshot has.
  private static func allocationsOfLateness() -> UInt64 {
    var allocations: UInt64 = 0
    for hundredths in 1...25 {
      allocations += CountedRun(SyntheticDrive(lateness: Double(hundredths) / 100)).allocationsAtStart
    }
    print("fixes 0.01 to 0.25 s late: \(allocations) allocations in two minutes each")
    return allocations
  }

  /// Somebody moves the IMU: the headings that are then tried beside the solution take
  /// memory. Stated, not judged.
  private static func reportRecovery() {
    let drive = SyntheticDrive()
    var run = CountedRun(drive)
    run.advance(updates: 30_000)
    run.drive.turn = Quaternion(roll: 0, pitch: 0, yaw: 1.5)
    run.advance(updates: 60_000)
    print(
      "for the record, IMU turned by 86°: \(run.recoveries) recoveries, \(run.allocations) allocations in \(run.updates) updates"
    )
  }
}

/// Feeds an engine and counts what it allocates: from the second fix on while it finds its heading and its
/// memory fills, and after that.
private struct CountedRun {
  var drive: SyntheticDrive
  private(set) var updates = 0
  private(set) var allocations: UInt64 = 0
  private(set) var allocationsAtStart: UInt64 = 0
  private var engine = FusionEngine()

  var recoveries: Int { engine.recoveries }

  init(_ drive: SyntheticDrive) {
    self.drive = drive
    var fixes = 0
    for sample in self.drive.samples(seconds: 120) {
      let allocated = take(sample)
      if fixes >= 2 { allocationsAtStart += allocated }
      if case .gnss = sample { fixes += 1 }
    }
    guard engine.solution(at: Timestamp(seconds: 120))?.isAligned == true else {
      Gates.stop("the heading is not known after two minutes: there is nothing to measure")
    }
  }

  mutating func advance(updates count: Int) {
    var left = count
    while left > 0 {
      for sample in drive.samples(seconds: 60).prefix(left) {
        allocations += take(sample)
        updates += 1
        left -= 1
      }
    }
  }

  /// Gives a sample to the engine and asks for all that a user asks for; returns the allocations of that.
  private mutating func take(_ sample: SensorSample) -> UInt64 {
    let before = allocation_count()
    engine.process(sample)
    while engine.nextVerdict() != nil {}
    let answer = engine.solution(at: sample.arrival)
    let after = allocation_count()
    sink += answer?.position.height ?? 0
    return after - before
  }

  private var sink = 0.0
}
