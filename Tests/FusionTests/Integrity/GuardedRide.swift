import Fusion
import Simulation

/// A ride played to an engine with an eye on what it must never do.
struct GuardedRide {
  /// What came of it.
  struct Outcome {
    /// Solutions that were no numbers, or of no car.
    var impossible = 0
    /// Largest error of position after the first ten seconds, m.
    var worst = 0.0
    /// Seconds over 30 m off although the last three fixes, all within 5 s, lay within 10 m of the truth.
    var lost = 0.0
    /// Seconds with an error above 5 m and above twice the stated 95 % radius.
    var misleading = 0.0
    /// Seconds with a heading that is off by more than five of its standard deviations.
    var falseHeading = 0.0
    /// Seconds at a stand that was none: over 3 m/s.
    var falseStand = 0.0
    /// Seconds, and those with the truth inside the 68 % and the 95 % radius.
    var all = 0.0, inside68 = 0.0, inside95 = 0.0
    /// Time of the first heading, s.
    var alignedAt: Double?
    var recoveries = 0

    var coverage95: Double { inside95 / max(all, 1e-9) }
  }

  private static let interval = 0.1

  /// - Parameters:
  ///   - configuration: of the engine.
  ///   - from: what is before is not scored, s.
  static func outcome(
    _ ride: Ride, configuration: FusionConfiguration = FusionConfiguration(), from: Double = 10,
    check: (NavigationSolution, Double) -> Void = { _, _ in }
  ) -> Outcome {
    var engine = FusionEngine(configuration: configuration)
    var outcome = Outcome()
    var recent: [(time: Timestamp, error: Double)] = []
    var next = 0.0
    for sample in ride.samples {
      engine.process(sample)
      if case .gnss(let fix) = sample {
        let antenna = ride.truth(at: fix.time).position(at: ride.scenario.receiver.antenna)
        recent.append((fix.time, fix.position.ned(from: antenna).horizontalNorm))
        if recent.count > 3 { recent.removeFirst() }
      }
      guard sample.time.seconds >= next, sample.time.seconds < ride.duration else { continue }
      next = sample.time.seconds + interval
      guard let solution = engine.solution(at: sample.time) else { continue }
      let isPossible = solution.isSound && solution.velocityNED.norm < 120
      if !isPossible { outcome.impossible += 1 }
      if solution.isAligned, outcome.alignedAt == nil { outcome.alignedAt = sample.time.seconds }
      guard sample.time.seconds >= from, isPossible else { continue }
      let error = ride.positionError(solution)
      outcome.add(solution, error: error, ride: ride)
      let areGood =
        recent.count == 3
        && recent.allSatisfy { $0.error < 10 && sample.time.seconds(since: $0.time) < 5 }
      if areGood, error > 30 { outcome.lost += interval }
      check(solution, error)
    }
    outcome.recoveries = engine.recoveries
    return outcome
  }
}

extension GuardedRide.Outcome {
  fileprivate mutating func add(_ solution: NavigationSolution, error: Double, ride: Ride) {
    let step = 0.1
    worst = max(worst, error)
    all += step
    if error <= solution.horizontalAccuracy { inside68 += step }
    if error <= solution.horizontalAccuracy95 { inside95 += step }
    if error > 5, error > 2 * solution.horizontalAccuracy95 { misleading += step }
    if solution.isAligned {
      let sigma = Angle.degrees(radians: solution.headingAccuracy)
      if ride.headingError(solution) > 5 * sigma { falseHeading += step }
    }
    let speed = ride.truth(at: solution.time).velocityNED.horizontalNorm
    if solution.mode == .stationary, speed > 3 { falseStand += step }
  }
}

extension Ride {
  /// The ride without fixes from one time to another, s.
  func withoutFixes(from: Double, to: Double) -> Ride {
    withFixes { (from..<to).contains($0.time.seconds) ? nil : $0 }
  }

  /// The ride with fixes that state no velocity.
  var withoutVelocity: Ride {
    withFixes {
      var fix = $0
      fix.velocityNED = nil
      fix.speedSigma = nil
      return fix
    }
  }

  /// The ride with fixes that are off by `offset`, and say nothing of it, from one time to another, s.
  func wrong(from: Double, to: Double, by offset: Vector3) -> Ride {
    withFixes {
      var fix = $0
      if (from..<to).contains(fix.time.seconds) { fix.position = fix.position.moved(byNED: offset) }
      return fix
    }
  }
}
