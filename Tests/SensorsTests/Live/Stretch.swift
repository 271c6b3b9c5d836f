import Drives
import Foundation
import Fusion
import Testing

/// A minute of a bundled drive, with its own noise and quantisation.
struct Stretch {
  /// Steps in which the drive's files give rate (rad/s) and force (m/s²): raw values in them are exact.
  static let rateStep = "0.0000001", forceStep = "0.000001"

  /// When it begins, in seconds of the drive; whole, as fixes hold at fractions of UTC seconds.
  let begin: Double
  let seconds: Double
  /// In order of arrival.
  let samples: [SensorSample]
  /// What the IMU says in the 8 s before.
  let before: [InertialSample]

  init(of drive: String, from begin: Double, seconds: Double) throws {
    self.begin = begin
    self.seconds = seconds
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../datasets/\(drive)").standardized
    var stream = try DriveReader(path: root.path).samples()
    var (before, samples): ([InertialSample], [SensorSample]) = ([], [])
    while let sample = try stream.next() {
      guard sample.time.seconds >= begin else {
        if case .inertial(let sample) = sample, sample.time.seconds > begin - 8 { before.append(sample) }
        continue
      }
      guard sample.arrival.seconds < begin + seconds else { break }
      samples.append(sample)
    }
    (self.before, self.samples) = (before, samples)
  }

  /// What a replay says at each of `times`, which are in order, in seconds since the begin: from the
  /// samples that had arrived.
  ///
  /// - Parameter late: with the fixes as they come through gpsd: so many seconds later than they hold, and
  ///   without the vertical velocity, which gpsd 3.22 does not hand on.
  func replayed(at times: [Double], throughGPSDLate late: Double? = nil) -> [NavigationSolution?] {
    var engine = FusionEngine()
    var next = 0
    return times.map { time in
      while next < samples.count, samples[next].arrival.seconds - begin <= time {
        var sample = samples[next]
        if let late, case .gnss(var fix) = sample {
          fix.velocityNED?.z = .nan
          fix.time = fix.time.advanced(bySeconds: late)
          sample = .gnss(fix)
        }
        engine.process(sample)
        next += 1
      }
      return engine.solution(at: Timestamp(seconds: begin + time))
    }
  }
}
