import Drives
import Fusion
import Testing

/// A bundled drive whose fixes lose their velocity, ten seconds of them, and then one is wrong: that once
/// destroyed the engine for good.
@Suite struct DestroyingFixReplayTests {
  private static let path = "datasets/open-sky-commute"
  private static let length = 220.0

  /// The first minutes, each fix without its velocity.
  private static func samples(hasIMU: Bool) throws -> [SensorSample] {
    var reader = try DriveReader(path: path).samples()
    var samples: [SensorSample] = []
    while let sample = try reader.next(), sample.time.seconds < length {
      switch sample {
      case .gnss(var fix):
        fix.velocityNED = nil
        fix.speedSigma = nil
        samples.append(.gnss(fix))
      default: if hasIMU { samples.append(sample) }
      }
    }
    return samples
  }

  /// What came of a drive with one wrong fix.
  private struct Outcome {
    var impossible = 0
    /// Largest distance from a fix, from the third good one after the wrong one on, and at which time, m
    /// and s.
    var farthest = 0.0, at = 0.0
  }

  private func outcome(_ samples: [SensorSample], gap: Range<Double>, offset: Vector3) -> Outcome {
    var engine = FusionEngine()
    var outcome = Outcome()
    var isDone = false
    var good = 0
    for case var sample in samples where !(gap.contains(sample.time.seconds) && sample.isFix) {
      if case .gnss(var fix) = sample, fix.time.seconds >= gap.upperBound {
        if !isDone {
          isDone = true
          fix.position = fix.position.moved(byNED: offset)
          sample = .gnss(fix)
        } else {
          good += 1
        }
      }
      engine.process(sample)
      guard let solution = engine.solution(at: sample.time) else { continue }
      let isPossible =
        solution.position.isValid && abs(solution.position.latitude) <= .pi / 2
        && solution.velocityNED.isFinite
        && solution.velocityNED.norm < 120 && solution.positionCovariance.isFinite
      if !isPossible { outcome.impossible += 1 }
      guard case .gnss(let fix) = sample, good >= 3 else { continue }
      let distance = fix.position.ned(from: solution.position).horizontalNorm
      if !(distance <= outcome.farthest) { (outcome.farthest, outcome.at) = (distance, fix.time.seconds) }
    }
    return outcome
  }

  @Test(arguments: [true, false])
  func oneWrongFixAfterAGapIsLeftByTheThirdGoodOne(hasIMU: Bool) throws {
    let samples = try Self.samples(hasIMU: hasIMU)
    for start in stride(from: 20.0, through: 180, by: 20) {
      for offset in [Vector3(200, 0, 0), Vector3(-120, 160, 0)] {
        let outcome = outcome(samples, gap: start..<start + 10, offset: offset)
        #expect(outcome.impossible == 0, "gap at \(start) s")
        #expect(outcome.farthest < 30, "gap at \(start) s: \(outcome.farthest) m at \(outcome.at) s")
      }
    }
  }

  @Test(arguments: [true, false])
  func aWrongFirstFixIsLeftByTheThirdGoodOne(hasIMU: Bool) throws {
    let samples = try Self.samples(hasIMU: hasIMU)
    for metres in [0.0, 200, 5000, 3e6] {
      let outcome = outcome(samples, gap: -1..<0, offset: Vector3(metres, 0, 0))
      #expect(outcome.impossible == 0, "\(metres) m")
      #expect(outcome.farthest < 30, "\(metres) m: \(outcome.farthest) m at \(outcome.at) s")
    }
  }
}

extension SensorSample {
  fileprivate var isFix: Bool {
    if case .gnss = self { true } else { false }
  }
}
