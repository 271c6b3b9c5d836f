import Drives
import Fusion
import Live

extension DriveEvaluation {
  /// What a user should know of the drive's data, in sentences: keys and rows left out, an IMU that is
  /// broken, fixes and measurements that came too late.
  public var remarks: [String] {
    description.ignoredKeys + rejections.flatMap(\.remarks) + figures.measurements.compactMap(\.remark)
      + figures.spans.remarks + figures.places.remarks + figures.timing.remarks
      + [figures.inertialDistrust.remark, figures.warmStart?.text].compactMap(\.self)
  }
}

extension DriveReplay.Summary {
  /// What a user should know of the drive's data, in sentences: rows left out, an IMU that is broken, and
  /// measurements that came too late.
  public var remarks: [String] {
    description.ignoredKeys + rejections.flatMap(\.remarks) + measurements.compactMap(\.remark)
      + spans.remarks + places.remarks + timing.remarks
      + [inertialDistrust.remark, warmStart?.text].compactMap(\.self)
  }
}

extension SensorTiming {
  fileprivate var remarks: [String] { [bursts, fixes, wheels].compactMap(\.self) }

  private var bursts: String? {
    guard inertialBurst > 0 else { return nil }
    return
      "imu.csv: samples are stamped in bursts of about \(inertialBurst), as they were read and not as they were "
      + "taken; the engine spaces them evenly, from 1.5 s after the first on. Let the driver or gateway that reads "
      + "the IMU's FIFO stamp each sample: the time of the read, less a period for each that came after it."
  }

  private var fixes: String? {
    // Fixes that seem early are rather another sensor's fault, and such a note would mislead.
    guard fixOffset >= 0.05 else { return nil }
    return
      "gnss.csv: by the IMU's clock the fixes hold about \(TextTable.cell(fixOffset)) s "
      + "before their time_s; the engine sees to up to 1.5 s of it. Check what stamps them, and the IMU's "
      + "samples: the time that a fix holds at is the receiver's own, and not when it came."
  }

  private var wheels: String? {
    guard wheelSpeedLag > 0 else { return nil }
    return
      "wheel.csv: by the IMU's clock the wheel speeds are about \(TextTable.cell(wheelSpeedLag)) s old at their "
      + "time_s; the engine sees to up to 1 s of it. Stamp them when they are measured, or when they are asked for, "
      + "and not when the answer has come."
  }
}

extension RowRejections {
  var remarks: [String] {
    let counts = [
      (nonFinite, "with a value that is missing or not finite"),
      (
        outOfRange,
        "with \(file == "sky.csv" ? "a time, gnss_id or satellite" : "a time, latitude or longitude") out of range"
      ), (outOfOrder, "out of order"),
      (repeated, "repeated"),
      (truncated, "cut off"),
    ]
    let empty =
      accepted + total == 0 ? ["\(file) holds no row below its header: nothing is taken from it."] : []
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let rejected =
      parts.isEmpty
      ? []
      : [
        "\(file): rows left out: \(parts.joined(separator: ", ")) of \(accepted + total)."
          + (outOfOrder * 2 > accepted + total ? " Sort them by time_s." : "")
      ]
    return rejected + empty + swapped + notes
  }
}

extension RowRejections {
  /// A longitude east of 90° or west of −90° is no latitude.
  fileprivate var swapped: [String] {
    let files = [SensorKind.gnss.file, "truth.csv", "receiver.csv"]
    // Where it was the time there is a note about that.
    guard files.contains(file), notes.isEmpty, outOfRange * 2 > accepted + total else { return [] }
    return [
      "\(file): are latitude_deg (from -90 to 90) and longitude_deg in degrees, and each under its own name?"
    ]
  }
}

extension InertialDistrust {
  var remark: String? {
    guard let first else { return nil }
    return
      "imu.csv: the IMU is broken from time_s \(TextTable.cell(first.seconds, digits: 1)) on and left out for "
      + "\(TextTable.cell(duration, digits: 1)) s in all: an axis does not move, the accelerometer does not measure gravity, "
      + "or the gyroscope turns otherwise than the fixes. There they show \(TextTable.cell(means.force)) m/s² and "
      + "\(TextTable.cell(means.rate, digits: 3)) rad/s in the mean. Check units (accelerometer in m/s², not g: 9.81 at rest; "
      + "gyroscope in rad/s, not deg/s) and axes (their order and signs: both sensors in the same right-handed axes)."
  }
}

extension MeasurementCounts {
  var remark: String? {
    if kind == .yawRate, contradicted > 0 {
      return
        "\(kind.rawValue): left out of \(contradicted) wheel samples, because the fixes turn otherwise: "
        + "is it alive, in rad/s and positive to the right?"
    }
    if contradicted * 10 >= count, contradicted > 0 {
      return
        "\(kind.rawValue): \(contradicted) of \(count) were not used, because the fixes or the IMU contradict them: "
        + "is the sensor alive, and its unit right?"
    }
    let unused = stale + nonFinite
    guard unused > 0, unused * 10 >= count else { return nil }
    return
      "\(kind.rawValue): \(stale) of \(count) came too late to be used, \(nonFinite) were no numbers in range."
  }
}
