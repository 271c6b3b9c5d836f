import Drives
import Evaluation
import Foundation
import Navigation
import TestParts
import Testing

/// `reckon score` against evo (`pip install evo`) and numpy, on the same files.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct EvoTests {
  private let made = TrackMade()
  private static let script = """
    import sys, json
    from evo.core import metrics, sync
    from evo.tools import file_interface
    ref = file_interface.read_tum_trajectory_file(sys.argv[1])
    est = file_interface.read_tum_trajectory_file(sys.argv[2])
    ref, est = sync.associate_trajectories(ref, est)
    result = {}
    for name, metric in [("ate_m", metrics.APE(metrics.PoseRelation.translation_part)),
                         ("ate_deg", metrics.APE(metrics.PoseRelation.rotation_angle_deg)),
                         ("rpe_m", metrics.RPE(metrics.PoseRelation.translation_part)),
                         ("rpe_deg", metrics.RPE(metrics.PoseRelation.rotation_angle_deg))]:
        metric.process_data((ref, est))
        result[name] = {k: float(v) for k, v in metric.get_all_statistics().items()}
        result[name]["count"] = len(metric.error)
    print(json.dumps(result))
    """

  /// Poses on a winding way, off by noise of `sigma`, and by `jitter` seconds in time.
  private func tum(
    _ name: String, seed: UInt64, sigma: Double, every step: Int, jitter: Double, from zero: Double
  )
    throws -> String
  {
    var normal = NormalGenerator(seed: seed)
    var text = "# timestamp tx ty tz qx qy qz qw\n"
    for i in stride(from: 0, to: 3000, by: step) where i % 97 > 5 {
      let t = Double(i) / 20
      let time = zero + t + (i % 2 == 0 ? jitter : -jitter)
      let p =
        Vector3(300 * sin(t / 30), 12 * t, 5 * sin(t / 7)) + sigma
        * Vector3(normal.next(), normal.next(), normal.next())
      let q = Quaternion(roll: 0.1 * sin(t), pitch: 0.05 * cos(t) + 0.01 * sigma * normal.next(), yaw: t / 9)
      let values = [p.x, p.y, p.z, q.lanes.x, q.lanes.y, q.lanes.z, q.lanes.w]
      text += "\(String(format: "%.6f", time)) " + values.map { "\($0)" }.joined(separator: " ") + "\n"
    }
    return try made.put(name, text)
  }

  @Test(arguments: [(1, 0.0, 0.0), (2, 0.004, 0.0), (1, 0.003, 1_556_455_442.0)])
  func absoluteAndRelativeErrorsAreThoseOfEvo(step: Int, jitter: Double, zero: Double) throws {
    guard PythonTools.has("evo") else { return }
    // The truth has twice the poses, as many, or half as many.
    for (own, other) in [(step, 1), (1, step), (2, 1)] {
      let truth = try tum("truth.tum", seed: 1, sigma: 0, every: other, jitter: 0, from: zero)
      let track = try tum("track.tum", seed: 2, sigma: 0.8, every: own, jitter: jitter, from: zero)
      let evo = try PythonTools.run(Self.script, [truth, track])
      let run = try Tool.run(["score", track, "--truth", truth, "--json", made("score.json")])
      #expect(run.status == 0, "\(run.errors)")
      let array = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: made("score.json"))))
      let ours = try #require((array as? [[String: Any]])?[0]["track"] as? [String: Any])
      for metric in ["ate_m", "ate_deg", "rpe_m", "rpe_deg"] {
        let (a, b) = (
          try #require(ours[metric] as? [String: Any]), try #require(evo[metric] as? [String: Any])
        )
        #expect(a["count"] as? Int == b["count"] as? Int)
        for statistic in ["rmse", "mean", "median", "std", "min", "max"] {
          let (mine, theirs) = (try #require(a[statistic] as? Double), try #require(b[statistic] as? Double))
          // evo takes an angle from the trace of a matrix, which cannot tell angles below some 1e-6 degrees.
          let tolerance = metric.hasSuffix("deg") ? 2e-6 : 1e-9
          #expect(abs(mine - theirs) <= tolerance, "\(metric) \(statistic): \(mine), evo \(theirs)")
        }
      }
    }
  }

  @Test func percentilesAndCoverageAreThoseOfNumpy() throws {
    guard PythonTools.has("numpy") else { return }
    var normal = NormalGenerator(seed: 11)
    let truth = (0...777).map { Made.truth(Double($0) / 10) }
    var errors: [[Double]] = []
    let track = truth.map { sample in
      var sample = sample
      let error = Vector3(3 * normal.next(), 1.5 * normal.next(), 0)
      sample.position = sample.position.moved(byNED: error)
      errors.append([error.x, error.y])
      return sample
    }
    let score = try made.score(track, truth: truth, sigma: 2).score
    let script = """
      import sys, json, numpy as np
      e = np.array(json.load(open(sys.argv[1])))
      h = np.hypot(e[:, 0], e[:, 1])
      names = ["p50", "p68", "p95", "p99", "max"]
      result = {"along": e[:, 0], "cross": e[:, 1], "horizontal": h}
      result = {k: dict(zip(names, np.percentile(np.abs(v), [50, 68, 95, 99, 100]).tolist())) | {"rms": float(np.sqrt(np.mean(v**2))), "mean": float(np.mean(v))} for k, v in result.items()}
      # Radii of a circular normal distribution: sigma * sqrt(-2 ln(1 - p)).
      result["coverage"] = [float(np.mean(h <= 2 * np.sqrt(-2 * np.log(1 - p)))) for p in (0.68, 0.95)]
      print(json.dumps(result))
      """
    let file = made("errors.json")
    try JSONSerialization.data(withJSONObject: errors).write(to: URL(fileURLWithPath: file))
    let numpy = try PythonTools.run(script, [file])
    for (name, ours) in [("along", score.along), ("cross", score.cross), ("horizontal", score.horizontal)] {
      let theirs = try #require(numpy[name] as? [String: Double])
      let mine = try #require(ours)
      for (statistic, value) in [
        ("p50", mine.p50), ("p68", mine.p68), ("p95", mine.p95), ("p99", mine.p99), ("max", mine.max),
        ("rms", mine.rms),
        ("mean", mine.mean),
      ] {
        // The file has fifteen digits of a degree, 1e-8 m; a step of some metres is curved by 1e-6 of its
        // length.
        #expect(abs(value - (theirs[statistic] ?? .nan)) < 2e-5, "\(name) \(statistic)")
      }
    }
    let coverage = try #require(numpy["coverage"] as? [Double])
    // Shares of 778, whose last bit the way through JSON may change.
    #expect(abs(try #require(score.coverage68) - coverage[0]) < 1e-12)
    #expect(abs(try #require(score.coverage95) - coverage[1]) < 1e-12)
  }
}
