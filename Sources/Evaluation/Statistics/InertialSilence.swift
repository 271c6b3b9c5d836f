import Fusion
import Navigation

/// Where an IMU says nothing while fixes come: in gaps, before its first sample and after its last.
struct InertialSilence: Sendable, Equatable {
  /// A gap that is worth a word, s: the engine bridges none that is longer.
  private static let longestBridge = GapConfiguration().longestBridge
  /// How much later than the fixes an IMU may begin, and how much sooner end, s.
  /// *[chosen: of 24 drives at hand none has more than 3.3]*
  private static let longestEdge = 10.0

  /// Longest time from one sample to the next, as a rule, of an IMU that is of use, s.
  /// *[chosen: none that is sold is so slow, and 200 Hz in ms seem 5 s]*
  private static let longestInterval = 0.9

  /// Samples, those that come so late after the one before, and the time that passes before these.
  private var samples = 0, slow = 0, slowTime = 0.0
  /// The newest sample, and whether a fix has come since.
  private var newest: Timestamp?, hasFixSince = false
  private var count = 0, total = 0.0, longest: ClosedRange<Timestamp>?

  /// Takes the next sample of the drive.
  mutating func add(_ sample: SensorSample) {
    switch sample.kind {
    case .gnss: hasFixSince = true
    case .inertial:
      samples += 1
      let gap = newest.map { sample.time.seconds(since: $0) } ?? 0
      if gap > Self.longestInterval { (slow, slowTime) = (slow + 1, slowTime + gap) }
      if let newest, hasFixSince, gap > Self.longestBridge {
        count += 1
        total += gap
        if gap > longest?.seconds ?? 0 { longest = newest...sample.time }
      }
      (newest, hasFixSince) = (sample.time, false)
    case .wheel, .pressure: break
    }
  }

  /// One sentence about all of them, for an IMU and fixes that hold for so long; nil where there are none.
  func remark(inertial: ClosedRange<Timestamp>, fixes: ClosedRange<Timestamp>) -> String? {
    let late = inertial.lowerBound.seconds(since: fixes.lowerBound)
    let early = fixes.upperBound.seconds(since: inertial.upperBound)
    let cell = { (seconds: Double) in TextTable.cell(seconds, digits: 1) }
    if samples > 20, slow * 2 > samples {
      let interval = cell(slowTime / Double(slow))
      return "imu.csv holds a sample every \(interval) s, which is too seldom: is its time_s in ms?"
    }
    var parts: [String] = []
    if late > Self.longestEdge { parts.append("begins \(cell(late)) s after the fixes") }
    if early > Self.longestEdge { parts.append("ends \(cell(early)) s before the fixes") }
    guard let longest else {
      guard !parts.isEmpty else { return nil }
      return "imu.csv \(parts.joined(separator: " and ")): there the fixes alone tell the place."
    }
    parts.append(
      count == 1
        ? "holds nothing from \(SampleSpans.text(longest)), while fixes come"
        : "has \(count) gaps while fixes come, \(cell(total)) s in all, the longest from \(SampleSpans.text(longest))"
    )
    return "imu.csv \(parts.joined(separator: " and ")): the IMU was silent, or its clock has leapt."
  }
}

extension ClosedRange<Timestamp> {
  /// How long it is.
  fileprivate var seconds: Double { upperBound.seconds(since: lowerBound) }
}
