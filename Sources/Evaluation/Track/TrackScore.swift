import Drives
import JSON
import Navigation

/// How another system's track did against the truth, and what it is off by all the time.
public struct TrackScore: Sendable {
  /// The file, and what it holds.
  public var path: String, format: TrackFileFormat
  /// What its times count, and the seconds that were added to them because the user said so.
  public var base: TrackTimeBase, shift: Double
  /// Points that could be read, rows that could not, and points whose time is not after the one before.
  public var points = 0, rejected = 0, backward = 0
  /// First and last point, on the drive's clock.
  public var first = Timestamp(nanoseconds: 0), last = Timestamp(nanoseconds: 0)
  /// The point of the car that the track is of, and from there to the truth's, metres forward, right and
  /// down: by so much it was moved.
  public var point = TrackCarPoint.truth, arm = Vector3.zero
  /// Median seconds from one point to the next.
  public var interval = 0.0
  /// Whether it was scored at the times of the truth, else at its own.
  public var isAtTruth = true
  /// The same figures as of our own engine.
  public var score = EstimatorScore()
  /// Lever arm, fixed offset and lag; nil where the drive does not tell them apart.
  public var offsets: TrackOffsets?
  /// Errors of the poses as evo has them; of pairs at most so many seconds apart.
  public var poses = PoseErrors([]), pairing = 0.01
  /// What else is worth knowing, in sentences.
  public var notes: [String] = []

  init(_ file: TrackFile, base: TrackTimeBase, shift: Double) {
    (path, format, self.base, self.shift) = (file.path, file.format, base, shift)
  }

  /// Everything about the track that the tables have no row for, in sentences.
  public var sentences: [String] { lines + notes }

  /// Lines for a terminal.
  public var lines: [String] {
    func cell(_ estimate: TrackOffsets.Estimate, digits: Int) -> String {
      "\(TextTable.cell(estimate.value, digits: digits)) ± \(TextTable.cell(estimate.sigma, digits: digits))"
    }
    let span = "\(TextTable.cell(first.seconds, digits: 1)) to \(TextTable.cell(last.seconds, digits: 1)) s"
    let moved = shift == 0 ? "" : ", moved by \(shift) s as asked"
    let times = ["drive": "seconds of the drive", "utc": "UTC", "gps": "GPS time"][base.rawValue] ?? ""
    var lines = [
      "Track \(path): \(format.rawValue), \(points) points in \(times)\(moved), \(span) on the truth's clock, scored at "
        + "\(isAtTruth ? "the truth's times" : "its own times")."
    ]
    if arm != .zero {
      let cells = [arm.x, arm.y, arm.z].map { TextTable.cell($0) }
      lines.append(
        "It is of the IMU, and was moved to the truth's point by drive.json: \(cells[0]) m forward, \(cells[1]) right, "
          + "\(cells[2]) down (--point truth leaves it where it is).")
    }
    if let offsets {
      lines.append(
        "Lever arm m: \(cell(offsets.forward, digits: 2)) ahead and \(cell(offsets.right, digits: 2)) to the right of the truth's "
          + "point; up \(TextTable.cell(score.height?.mean, digits: 2)) in the mean.")
      lines.append(
        "Fixed offset m: \(cell(offsets.north, digits: 2)) north, \(cell(offsets.east, digits: 2)) east. "
          + "Time offset s: \(cell(offsets.lag, digits: 3)) late.")
    } else {
      lines.append(
        "Lever arm and time offset cannot be told apart: that takes a truth with velocity, turns and changes of speed. "
          + "Along the track it is \(TextTable.cell(score.lag, digits: 3)) s late.")
    }
    if let absolute = poses.absolute, let relative = poses.relative {
      lines.append(
        "ATE \(TextTable.cell(absolute.rmse, digits: 3)) m RMS, RPE \(TextTable.cell(relative.rmse, digits: 4)) m RMS a pose, of "
          + "\(absolute.count) pairs, as evo without alignment.")
    } else {
      lines.append("No ATE and RPE: no two poses lie within \(pairing) s of each other (--pairing).")
    }
    return lines + ["Nothing of these was removed from the figures."]
  }

  var json: JSON {
    func value(_ estimate: TrackOffsets.Estimate?) -> JSON {
      .members(["value": .figure(estimate?.value), "sigma": .figure(estimate?.sigma)])
    }
    return .members([
      "file": .string(path), "format": .string(format.rawValue), "time_base": .string(base.rawValue),
      "time_shift_s": .figure(shift), "points": .integer(points), "rejected": .integer(rejected),
      "out_of_order": .integer(backward), "first_s": .figure(first.seconds),
      "last_s": .figure(last.seconds), "interval_s": .figure(interval),
      "scored_at": .string(isAtTruth ? "truth" : "track"),
      "point": .string(point.rawValue), "moved_forward_m": .figure(arm.x),
      "moved_right_m": .figure(arm.y), "moved_down_m": .figure(arm.z),
      "lever_arm_forward_m": value(offsets?.forward), "lever_arm_right_m": value(offsets?.right),
      "fixed_offset_north_m": value(offsets?.north), "fixed_offset_east_m": value(offsets?.east),
      "time_offset_s": value(offsets?.lag),
      "pairing_s": .figure(pairing), "ate_m": poses.absolute?.json ?? .null,
      "ate_deg": poses.absoluteDegrees?.json ?? .null, "rpe_m": poses.relative?.json ?? .null,
      "rpe_deg": poses.relativeDegrees?.json ?? .null, "notes": .array(notes.map(JSON.string)),
    ])
  }
}
