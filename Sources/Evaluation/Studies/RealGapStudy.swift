import Drives
import Fusion

/// Finds the gaps that a drive's fixes really have, and compares what the engine, and another system, said
/// just before the first good fix with that fix.
///
/// The first fixes after a gap are often far off and say so: they are passed over until one states an error
/// below ``goodError``. Of a receiver that states none the first fix counts. The engine is asked at times at
/// which it did not know the good fix: of its solutions, kept through a gap, the newest before the moment is
/// moved on by its velocity for the few hundredths of a second that are left.
struct RealGapStudy: Sendable {
  /// Fixes farther apart than this have a gap between them, s.
  static let shortest = 10.0
  /// A fix is good whose stated horizontal standard deviation (the root of the sum of both axes' squares) is
  /// below this, m.
  static let goodError = 3.0
  /// How long before the good fix is compared, s.
  static let lead = 0.6
  /// Seconds between solutions that are kept.
  private static let step = 0.02

  private let arm: Vector3
  private let receiver: TruthTrack
  private var lastFix: Timestamp?
  /// The gap whose end has come but no good fix yet.
  private var open: (start: Timestamp, end: Timestamp)?
  private var kept: [NavigationSolution] = []
  /// The gaps so far.
  private(set) var gaps: [RealGap] = []

  /// A study with the antenna at `arm` from the IMU in vehicle axes; `receiver` is another system's solution.
  init(antenna arm: Vector3, receiver: TruthTrack) {
    self.arm = arm
    self.receiver = receiver
  }

  /// Hears of the next sample; `engine` is the drive's own before it takes it.
  mutating func take(_ sample: SensorSample, engine: FusionEngine) {
    if let lastFix, open != nil || sample.arrival.seconds(since: lastFix) > Self.shortest - 1 {
      keep(engine, at: sample.arrival)
    }
    guard case .gnss(let fix) = sample, fix.position.latitude.isFinite, fix.position.longitude.isFinite
    else { return }
    defer { lastFix = max(lastFix ?? fix.time, fix.time) }
    if let lastFix, fix.time.seconds(since: lastFix) > Self.shortest {
      open = (open?.start ?? lastFix, fix.time)
    }
    let stated = fix.positionSigma.map(\.horizontalNorm)
    guard let gap = open, (stated ?? 0) < Self.goodError else { return }
    gaps.append(result(gap, fix, stated))
    open = nil
    kept.removeAll(keepingCapacity: true)
  }

  private mutating func keep(_ engine: FusionEngine, at time: Timestamp) {
    if let last = kept.last, time.seconds(since: last.time) < Self.step { return }
    guard let solution = engine.solution(at: time), solution.isFinite else { return }
    // Twice the lead, and what a fix may be late by.
    if kept.count >= 200 { kept.removeFirst(100) }
    kept.append(solution)
  }

  private func result(_ gap: (start: Timestamp, end: Timestamp), _ fix: GNSSFix, _ stated: Double?) -> RealGap
  {
    let velocity = fix.velocityNED
    let lead = velocity == nil ? 0 : Self.lead
    let time = fix.time.advanced(bySeconds: -lead)
    var motion = (velocity ?? .zero) * -lead
    if !motion.z.isFinite { motion.z = 0 }
    let place = fix.position.displaced(byNED: motion)
    var result = RealGap(
      start: gap.start.seconds, end: gap.end.seconds, goodFix: fix.time.seconds, statedError: stated,
      lead: lead)
    if let solution = kept.last(where: { $0.time <= time }) {
      let here = solution.moved(byVehicleOffset: arm)
      let onward = here.velocityNED * time.seconds(since: here.time)
      let position = here.position.displaced(byNED: onward)
      result.causalError = position.displacement(from: place).horizontalNorm
      result.accuracy68 = here.horizontalAccuracy
      result.accuracy95 = here.horizontalAccuracy95
    }
    if let sample = receiver.sample(at: time) {
      result.receiverError = sample.position.displacement(from: place).horizontalNorm
    }
    return result
  }
}
