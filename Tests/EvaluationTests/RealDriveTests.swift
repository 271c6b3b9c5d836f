import Drives
import Evaluation
import Foundation
import Testing

/// Every real drive there is, by the environment variable RECKON_DRIVES.
@Suite(
  .enabled(
    if: !RealDrives.paths.isEmpty, "no drives in \(RealDrives.folder): set RECKON_DRIVES to their folder"))
struct RealDriveTests {
  @Test(.timeLimit(.minutes(15)), arguments: RealDrives.paths)
  func everyDriveRunsWithFiniteFigures(path: String) throws {
    var settings = EvaluationSettings()
    settings.outageLengths = [10]
    settings.outageSpacing = 60
    let evaluation = try DriveEvaluator(settings: settings).evaluate(path: path)
    let figures = evaluation.figures
    #expect(figures.nonFiniteSolutions == 0)
    #expect(figures.outages.allSatisfy { $0.lost == 0 })
    #expect(try #require(figures.causal.availability) > 0.8)
    #expect(figures.causal.count > 100)
    for score in [figures.gnss, figures.causal] {
      for errors in [score.horizontal, score.along, score.cross, score.height, score.speed].compactMap(\.self)
      {
        #expect(errors.max.isFinite && errors.rms.isFinite && errors.p50 <= errors.p95)
      }
    }
    #expect(evaluation.rejections.allSatisfy { $0.accepted > 0 })
  }
}

enum RealDrives {
  static let folder = ProcessInfo.processInfo.environment["RECKON_DRIVES"] ?? "../shared/drives"
  static let paths: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter {
      FileManager.default.fileExists(atPath: $0 + "/drive.json")
    }
  }()
}
