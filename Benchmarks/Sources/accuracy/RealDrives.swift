import Evaluation
import Foundation
import Navigation

/// Studies of the real drives beside what they should come to, all with the one default configuration.
struct RealDrives {
  private let folder: String
  private var targets: [Target] = []
  /// Coverage of the radii and duration of every drive, to be pooled.
  private var coverages: [(inside68: Double, inside95: Double, seconds: Double)] = []

  /// Runs all studies on the drives in `folder`; a drive that is not there is left out with a note.
  static func targets(in folder: String) throws -> [Target] {
    var drives = RealDrives(folder: folder)
    try drives.boulder()
    try drives.haifa()
    try drives.comma()
    try drives.canyons()
    drives.pool()
    return drives.targets
  }

  private init(folder: String) { self.folder = folder }

  private func figures(_ drive: String, _ configure: (inout EvaluationSettings) throws -> Void = { _ in })
    throws
    -> EvaluationFigures?
  {
    let path = folder + "/" + drive
    guard FileManager.default.fileExists(atPath: path) else {
      Accuracy.note("\(path) is not there: left out")
      return nil
    }
    var settings = EvaluationSettings()
    try configure(&settings)
    return try DriveEvaluator(settings: settings).evaluate(path: path).figures
  }

  private mutating func keep(_ figures: EvaluationFigures) {
    guard let c68 = figures.causal.coverage68, let c95 = figures.causal.coverage95, let d = figures.duration
    else { return }
    coverages.append((c68, c95, d))
  }

  private mutating func outages(
    _ study: String, _ figures: EvaluationFigures?, _ bounds: [(length: Double, p50: Double, p95: Double)],
    percent: Bool = false
  ) {
    for bound in bounds {
      let score = figures?.outages.first { $0.length == bound.length }
      let statistics = percent ? score?.percentOfDistance : score?.endError
      let unit = percent ? "% of distance" : "m"
      let name = "\(study), \(Int(bound.length)) s"
      targets.append(Target(name, "P50 \(unit)", statistics?.p50, most: bound.p50))
      targets.append(Target(name, "P95 \(unit)", statistics?.p95, most: bound.p95))
    }
  }

  private mutating func boulder() throws {
    let plain = try figures("boulder") {
      $0.outageLengths = [15, 30, 60]
      $0.outagesFrom = 90
    }
    if let plain { keep(plain) }
    outages("boulder, no fixes", plain, [(15, 0.7, 4.2), (30, 1.2, 7.3), (60, 3, 22)])
    let thinned = try figures("boulder") {
      $0.outageLengths = [15, 30, 60]
      $0.outagesFrom = 90
      $0.degradation = try Degradation(parsing: "thin:1,white:1.0,velocity:0.1")
    }
    outages("boulder thinned, no fixes", thinned, [(15, 1.2, 6), (30, 1.8, 8), (60, 5, 28)])
  }

  private mutating func haifa() throws {
    var withWheel: [Double] = []
    var without: [Double] = []
    for drive in ["haifa-02", "haifa-07", "haifa-08", "haifa-10"] {
      let wheel = try figures(drive) { $0.outageLengths = [30] }
      if let wheel { keep(wheel) }
      withWheel += Self.percentages(wheel)
      nearRaw(drive, wheel)
      let bare = try figures(drive) {
        $0.outageLengths = [30]
        $0.usesWheel = false
      }
      // Windows from 60 s after alignment on.
      if let after = bare?.causal.alignedAfter, let start = bare?.start?.seconds {
        without += Self.percentages(bare, from: start + after + 60)
      }
    }
    percentages("haifa-* together, no fixes, wheel, 30 s", withWheel, p50: 0.65, p95: 2.5)
    percentages("haifa-* together, no fixes, no wheel, 30 s", without, p50: 2.5, p95: 10)
  }

  /// Errors of the windows that start at `earliest` or later, in percent of the distance,
  /// where that is 20 m or more.
  private static func percentages(_ figures: EvaluationFigures?, from earliest: Double = -.infinity)
    -> [Double]
  {
    let windows = figures?.outages.first?.results ?? []
    return windows.filter { $0.start >= earliest && $0.distance >= 20 }.map {
      100 * $0.endError / $0.distance
    }
  }

  private mutating func percentages(_ study: String, _ values: [Double], p50: Double, p95: Double) {
    let statistics = ErrorStatistics(values)
    targets.append(Target(study, "P50 % of distance", statistics?.p50, most: p50))
    targets.append(Target(study, "P95 % of distance", statistics?.p95, most: p95))
  }

  /// Truth of these drives is little better than their fixes.
  private mutating func nearRaw(_ drive: String, _ figures: EvaluationFigures?) {
    guard let raw = figures?.gnss.horizontal?.p95 else { return }
    targets.append(Target(drive, "P95 m", figures?.causal.horizontal?.p95, most: raw + 0.1))
  }

  private mutating func comma() throws {
    let wheel = try figures("comma-highway") { $0.outageLengths = [20, 30] }
    if let wheel { keep(wheel) }
    nearRaw("comma-highway", wheel)
    targets.append(
      Target(
        "comma-highway, no fixes, wheel, 20 s", "P50 m",
        wheel?.outages.first { $0.length == 20 }?.endError?.p50, most: 0.8))
    outages("comma-highway, no fixes, wheel", wheel, [(30, 0.4, 0.8)], percent: true)
    let bare = try figures("comma-highway") {
      $0.outageLengths = [10, 20]
      $0.usesWheel = false
    }
    outages("comma-highway, no fixes, no wheel", bare, [(10, 0.7, 2), (20, 5, 10)])
  }

  private mutating func canyons() throws {
    if let hybrid = try figures("boulder-x-odaiba") {
      keep(hybrid)
      targets.append(Target("boulder-x-odaiba", "P50 m", hybrid.causal.horizontal?.p50, most: 3.4))
      targets.append(Target("boulder-x-odaiba", "P95 m", hybrid.causal.horizontal?.p95, most: 4.2))
    }
    if let tokyo = try figures("tokyo-odaiba") {
      keep(tokyo)
      ratios("tokyo-odaiba", tokyo.causal, tokyo, p50: 0.75, p95: 0.45)
      targets.append(Target("tokyo-odaiba", "available", tokyo.causal.availability, least: 1, most: 1))
    }
    let berlin = try figures("berlin-potsdamer") { $0.smoothers = [.fixedLag(seconds: 20), .full] }
    if let berlin {
      keep(berlin)
      ratios("berlin-potsdamer", berlin.causal, berlin, p50: 0.55, p95: 0.40)
      ratios("berlin-potsdamer, 20 s lag", berlin.fixedLag, berlin, p50: 0.35, p95: nil)
      ratios("berlin-potsdamer, full smoother", berlin.full, berlin, p50: 0.33, p95: 0.20)
    }
  }

  private mutating func ratios(
    _ study: String, _ score: EstimatorScore?, _ figures: EvaluationFigures, p50: Double, p95: Double?
  ) {
    let (own, raw) = (score?.horizontal, figures.gnss.horizontal)
    guard let raw else { return }
    targets.append(Target(study, "P50 / raw", own.map { $0.p50 / raw.p50 }, most: p50))
    guard let p95 else { return }
    targets.append(Target(study, "P95 / raw", own.map { $0.p95 / raw.p95 }, most: p95))
  }

  /// Shares of the time of all drives together.
  private mutating func pool() {
    let seconds = coverages.reduce(0) { $0 + $1.seconds }
    guard seconds > 0 else { return }
    let c68 = coverages.reduce(0) { $0 + $1.inside68 * $1.seconds } / seconds
    let c95 = coverages.reduce(0) { $0 + $1.inside95 * $1.seconds } / seconds
    targets.append(Target("real drives together", "inside 68 % radius", c68, least: 0.63, most: 0.73))
    targets.append(Target("real drives together", "inside 95 % radius", c95, least: 0.93, most: 0.97))
  }
}
