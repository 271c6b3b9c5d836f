import Drives

/// Runs an engine over many variants of many drives, on as many threads as it is told; the results stand in
/// the order of drives and seeds whatever their number.
public struct StressStudy: Sendable {
  /// Folders of drives.
  public var drives: [String]
  /// One variant of each drive a seed.
  public var seeds: ClosedRange<UInt64>
  /// These changes instead of those that the seeds choose.
  public var only: [StressChange] = []
  /// Threads.
  public var jobs = 1
  /// Where each variant is written as a drive folder.
  public var keep: String?
  /// The part of all variants that is run; nil for all of them.
  public var shard: Shard?
  /// What was run before, and where more of it goes.
  public var state: StressState?

  /// A study of these drives.
  public init(drives: [String], seeds: ClosedRange<UInt64>) {
    self.drives = drives
    self.seeds = seeds
  }

  /// What came of one drive with one seed.
  public enum Outcome: Sendable {
    /// A result, of the drive in the folder `path`.
    case result(StressResult, path: String)
    /// None of the changes that were asked for applies to the drive.
    case unchanged(path: String)
    /// The drive could not be used, or the variant not written.
    case failed(String)
  }

  /// Which of the variants are run, the seeds of the first drive first.
  public var variants: Range<Int> {
    let total = drives.count * (Int(seeds.upperBound - seeds.lowerBound) + 1)
    return shard?.range(of: total) ?? 0..<total
  }

  /// Runs all of them; `outcome` hears each in order, one at a time, as soon as those before it are there.
  public func run(_ outcome: @Sendable (Outcome) -> Void) {
    let seedCount = Int(seeds.upperBound - seeds.lowerBound) + 1
    let part = variants
    let slots = drives.indices.map { drive in
      let uses = part.clamped(to: drive * seedCount..<(drive + 1) * seedCount).count
      return StressDriveSlot(path: drives[drive], uses: uses)
    }
    OrderedWork.run(part, jobs: jobs) { index in
      let slot = slots[index / seedCount]
      defer { slot.release() }
      let seed = seeds.lowerBound + UInt64(index % seedCount)
      return outcomes(of: slot, seed: seed, isFirst: index % seedCount == 0 || index == part.lowerBound)
    } each: { _, outcomes in
      outcomes.forEach(outcome)
    }
  }

  /// The outcome of one variant; what is wrong with the drive is told with its first seed only.
  private func outcomes(of slot: StressDriveSlot, seed: UInt64, isFirst: Bool) -> [Outcome] {
    do {
      let drive = try slot.drive()
      let changes = StressVariant.changes(of: drive, seed: seed, only: only)
      guard !changes.isEmpty else { return isFirst ? [.unchanged(path: slot.path)] : [] }
      let key = StressState.Key(
        drive: drive.description.name, digest: drive.digest, seed: seed, changes: changes)
      if keep == nil, let result = state?.result(key) { return [.result(result, path: slot.path)] }
      let variant = StressVariant(of: drive, seed: seed, only: only)
      if let keep { try variant.write(in: keep, seed: seed) }
      let result = state?.result(key) ?? StressResult(of: variant, seed: seed)
      try state?.add(result, key)
      return [.result(result, path: slot.path)]
    } catch let error as StressDriveSlot.Unusable {
      return isFirst ? [.failed(error.reason)] : []
    } catch {
      return [.failed("\(error)")]
    }
  }
}
