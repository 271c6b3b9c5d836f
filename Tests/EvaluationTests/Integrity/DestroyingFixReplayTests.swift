import Drives
import Fusion
import LinearAlgebra
import Navigation
import Testing

/// A bundled drive whose fixes lose their velocity, ten seconds of them, and then one is wrong: that once
/// destroyed the
/// engine for good.
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

  /// How many solutions were no numbers, or of no car, with one wrong fix after a gap.
  private func impossible(_ samples: [SensorSample], gap: Range<Double>, offset: Vector3) -> Int {
    var engine = FusionEngine()
    var isDone = false
    var impossible = 0
    for case var sample in samples where !(gap.contains(sample.time.seconds) && sample.isFix) {
      if !isDone, case .gnss(var fix) = sample, fix.time.seconds >= gap.upperBound {
        isDone = true
        fix.position = fix.position.moved(byNED: offset)
        sample = .gnss(fix)
      }
      engine.process(sample)
      guard let solution = engine.solution(at: sample.time) else { continue }
      let isPossible =
        solution.position.isValid && abs(solution.position.latitude) <= .pi / 2
        && solution.velocityNED.isFinite && solution.velocityNED.norm < 120
        && solution.positionCovariance.isFinite
      if !isPossible { impossible += 1 }
    }
    return impossible
  }

  @Test(arguments: [true, false])
  func oneWrongFixAfterAGapLeavesNumbersOfACar(hasIMU: Bool) throws {
    let samples = try Self.samples(hasIMU: hasIMU)
    for start in stride(from: 20.0, through: 180, by: 20) {
      for offset in [Vector3(200, 0, 0), Vector3(-120, 160, 0)] {
        #expect(impossible(samples, gap: start..<start + 10, offset: offset) == 0, "gap at \(start) s")
      }
    }
  }

  @Test(arguments: [true, false]) func aWrongFirstFixLeavesNumbersOfACar(hasIMU: Bool) throws {
    let samples = try Self.samples(hasIMU: hasIMU)
    for metres in [200.0, 5000, 3e6] {
      #expect(impossible(samples, gap: -1..<0, offset: Vector3(metres, 0, 0)) == 0, "\(metres) m")
    }
  }
}

extension SensorSample {
  fileprivate var isFix: Bool {
    if case .gnss = self { true } else { false }
  }
}
