import Navigation

/// Readings of three axes with their times, in order.
struct TriadSeries {
  var times: [Timestamp] = []
  var values: [Vector3] = []

  mutating func append(_ time: Timestamp, _ value: Vector3) {
    times.append(time)
    values.append(value)
  }

  /// Puts the readings in order of time.
  mutating func sort() {
    guard zip(times, times.dropFirst()).contains(where: { $0.1 < $0.0 }) else { return }
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    self = TriadSeries(times: order.map { times[$0] }, values: order.map { values[$0] })
  }
}

/// Gyroscope and accelerometer with clocks of their own brought together: at each reading of the
/// accelerometer the gyroscope's is interpolated between its neighbours, where these are close enough.
/// Samples bear the accelerometer's times as they are.
enum PairedTriads {
  /// Two neighbours farther apart than this are not interpolated between, s.
  static let longestGap = 0.1

  /// The samples, and how many readings of the accelerometer found no neighbours.
  static func join(
    gyroscope: TriadSeries, accelerometer: TriadSeries
  ) -> (samples: [InertialSample], unpaired: Int) {
    var samples: [InertialSample] = []
    samples.reserveCapacity(accelerometer.times.count)
    var next = 0
    let times = spaced(gyroscope.times)
    let stamped = zip(accelerometer.times, accelerometer.values)
    for ((stamp, force), time) in zip(stamped, spaced(accelerometer.times)) {
      while next < times.count, times[next] < time { next += 1 }
      if next < times.count, times[next] == time {
        samples.append(
          InertialSample(time: stamp, angularRate: gyroscope.values[next], specificForce: force))
        continue
      }
      guard next > 0, next < times.count else { continue }
      let gap = times[next].seconds(since: times[next - 1])
      guard gap <= longestGap else { continue }
      let part = time.seconds(since: times[next - 1]) / gap
      let rate = gyroscope.values[next - 1] * (1 - part) + gyroscope.values[next] * part
      samples.append(InertialSample(time: stamp, angularRate: rate, specificForce: force))
    }
    return (samples, accelerometer.times.count - samples.count)
  }

  /// About when readings were taken that may have been stamped in batches.
  private static func spaced(_ stamps: [Timestamp]) -> [Timestamp] {
    var spacing = BatchSpacing()
    return stamps.map { spacing.spaced($0) }
  }

  /// Puts a phone's readings into `drive`. Its clock since boot does not step and has no rounding to
  /// milliseconds; its offset to UTC is the median one of `offsets`, ns.
  static func addPhone(
    gyroscope: TriadSeries, accelerometer: TriadSeries, offsets: [Int64], to drive: inout DriveImport
  ) {
    var (gyroscope, accelerometer) = (gyroscope, accelerometer)
    gyroscope.sort()
    accelerometer.sort()
    let offset = offsets.isEmpty ? 0 : offsets.sorted()[offsets.count / 2]
    let (samples, unpaired) = join(gyroscope: gyroscope, accelerometer: accelerometer)
    drive.inertial = samples.map { sample in
      var sample = sample
      sample.time.nanoseconds &+= offset
      return sample
    }
    if unpaired > 0 {
      drive.notes.append("\(unpaired) readings of the accelerometer had none of the gyroscope beside them")
    }
    drive.description.imu = .init(
      model: "phone",
      frame: "RUB: the phone upright with its screen to the rear; the phone's own axes, biases left in")
  }
}
