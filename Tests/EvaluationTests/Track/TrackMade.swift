import Drives
import Evaluation
import Foundation
import Navigation
import TestParts
import Testing

/// Tracks and truths for the tests of scoring, in a folder that goes with them.
final class TrackMade: Sendable {
  private let scratch = ScratchFolder()
  var folder: String { scratch.path }

  func callAsFunction(_ name: String) -> String { scratch(name) }

  func put(_ name: String, _ text: String) throws -> String {
    try scratch.put(name, text)
    return self(name)
  }

  /// Our own columns at full precision.
  static func csv(_ samples: [TruthSample], sigma: Double? = nil) -> String {
    func cell(_ value: Double?) -> String { value.map { $0.isFinite ? "\($0)" : "" } ?? "" }
    var text =
      "time_s,latitude_deg,longitude_deg,height_m,velocity_north_m_s,velocity_east_m_s,velocity_down_m_s,yaw_deg,"
      + "sigma_north_m,sigma_east_m,sigma_down_m\n"
    for s in samples {
      let values: [Double?] = [
        s.time.seconds, s.position.latitudeDegrees, s.position.longitudeDegrees, s.position.height,
        s.velocityNED?.x,
        s.velocityNED?.y, s.velocityNED?.z, s.yaw.map { $0 * 180 / .pi }, sigma, sigma, sigma,
      ]
      text += values.map(cell).joined(separator: ",") + "\n"
    }
    return text
  }

  /// The score of `track`, made into a file, against `truth`.
  func score(
    _ track: [TruthSample], truth: [TruthSample], sigma: Double? = nil, startUTC: Timestamp? = nil,
    _ adjust: (inout TrackEvaluator) -> Void = { _ in }
  ) throws -> TrackScore {
    let file = try TrackFile(path: try put("track.csv", Self.csv(track, sigma: sigma)))
    return try score(file, truth: truth, startUTC: startUTC, adjust)
  }

  func score(
    _ file: TrackFile, truth: [TruthSample], startUTC: Timestamp? = nil,
    _ adjust: (inout TrackEvaluator) -> Void = { _ in }
  ) throws -> TrackScore {
    var evaluator = TrackEvaluator()
    adjust(&evaluator)
    var description = DriveDescription(name: "made")
    description.startUTC = startUTC
    let alone = DriveEvaluation(description: description, figures: EvaluationFigures(), rejections: [])
    return try #require(try evaluator.score(file, beside: alone, truth: truth).figures.track)
  }

  /// 100 s of a circle of 100 m radius at 10 Hz, whose speed swings between 6 and 14 m/s.
  static func circle() -> [TruthSample] {
    (0...1000).map { i in
      let t = Double(i) / 10
      // The length driven, and its rate.
      let (s, v) = (10 * t - 40 * (cos(t / 10) - 1), 10 + 4 * sin(t / 10))
      let angle = s / 100
      let velocity = Vector3(v * cos(angle), v * sin(angle), 0)
      let place = Made.origin.moved(byNED: Vector3(100 * sin(angle), 100 * (1 - cos(angle)), 0))
      return TruthSample(
        time: Made.time(t), position: place, velocityNED: velocity, yaw: Angle.wrapped(angle))
    }
  }
}
