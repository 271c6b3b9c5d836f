import LinearAlgebra

/// Says whether an IMU can be believed: an axis that has frozen, or hangs at its limit, would be taken for a
/// car that goes straight, or falls.
///
/// One value for long is no proof: a coarse sensor at rest shows it too. An axis is frozen when it has not
/// changed for 2 s (10 s where a step is coarse) although
/// - another axis of its sensor moved by 8 steps or more, so that noise alone would have moved this one, or
/// - its whole sensor stands still while the other of the two feels the car move, or
/// - none of the six changes for 5 s (60 s where a step is coarse): the driver repeats itself.
/// Samples are passed on until then, and again once the axis has moved for half a second.
package struct IMUWatch: Sendable {
  /// Seconds without a change before an axis is suspected.
  static let patience = 2.0
  /// The same where a step is too coarse for noise to show.
  static let coarsePatience = 10.0
  /// Seconds without a change of any axis.
  static let commonPatience = 5.0, coarseCommonPatience = 60.0
  /// Steps that another axis moves by when noise must show on this one.
  static let telling: UInt64 = 8
  /// Steps finer than these, in rad/s (0.1 °/s) and m/s², show the noise of the sensors in use.
  static let fineRate = 0.002, fineForce = 0.05
  /// What a moving car does, from least to greatest within a second or two, in rad/s and m/s².
  static let movingRate = 0.03, movingForce = 0.6

  private var sensors: [TriadWatch]
  private let resolutions: [Double]
  private var faulty = [Bool](repeating: false, count: 6)
  /// What is wrong, for people; nil while the IMU can be believed.
  package private(set) var fault: String?

  /// An IMU with the ranges of its axes, and the steps of its two sensors in SI units.
  package init(
    rateLimits: [ClosedRange<Int64>], forceLimits: [ClosedRange<Int64>], rateResolution: Double,
    forceResolution: Double
  ) {
    sensors = [TriadWatch(limits: rateLimits), TriadWatch(limits: forceLimits)]
    resolutions = [rateResolution, forceResolution]
  }

  /// Samples with a value at its limit, so far.
  package var saturations: Int { sensors[0].saturations + sensors[1].saturations }

  /// Takes a sample of the gyroscope at `time` in seconds.
  package mutating func add(rate: RawTriad, at time: Double) {
    sensors[0].add(rate, at: time)
    judge(at: time)
  }

  /// Takes a sample of the accelerometer at `time` in seconds.
  package mutating func add(force: RawTriad, at time: Double) {
    sensors[1].add(force, at: time)
    judge(at: time)
  }

  private mutating func judge(at time: Double) {
    let isFine = resolutions[0] <= Self.fineRate && resolutions[1] <= Self.fineForce
    let common =
      min(sensors[0].allConstantFor(at: time), sensors[1].allConstantFor(at: time))
      >= (isFine ? Self.commonPatience : Self.coarseCommonPatience)
    var isFaulty = false
    for axis in 0..<6 {
      let frozen = common || isFrozen(axis, at: time)
      faulty[axis] = sensors[axis / 3].isFaulty(axis % 3, frozen: frozen, wasFaulty: faulty[axis], at: time)
      isFaulty = isFaulty || faulty[axis]
    }
    if !isFaulty {
      fault = nil
    } else if fault == nil || !isSame(at: time) {
      fault = describe(at: time)
    }
  }

  private var described = [Bool](repeating: false, count: 6)

  private mutating func isSame(at time: Double) -> Bool { described == faulty }

  private func isFrozen(_ axis: Int, at time: Double) -> Bool {
    let (sensor, other, index) = (axis / 3, 1 - axis / 3, axis % 3)
    let fine = sensor == 0 ? Self.fineRate : Self.fineForce
    let patience = resolutions[sensor] <= fine ? Self.patience : Self.coarsePatience
    guard sensors[sensor].constantFor(index, at: time) >= patience else { return false }
    if sensors[sensor].activity(besides: index) >= Self.telling { return true }
    let moving = other == 0 ? Self.movingRate : Self.movingForce
    return sensors[sensor].allConstantFor(at: time) >= patience
      && Double(sensors[other].activity()) * resolutions[other] >= moving
  }

  private mutating func describe(at time: Double) -> String {
    described = faulty
    let names = [
      "gyroscope x", "gyroscope y", "gyroscope z", "accelerometer x", "accelerometer y", "accelerometer z",
    ]
    let bad = (0..<6).filter { faulty[$0] }
    let limited = bad.filter { sensors[$0 / 3].isStuckAtLimit($0 % 3, at: time) }
    func list(_ axes: [Int]) -> String {
      switch axes.count == 6 ? [] : axes {
      case []: "every axis"
      case [0, 1, 2]: "the whole gyroscope"
      case [3, 4, 5]: "the whole accelerometer"
      default: axes.map { names[$0] }.joined(separator: ", ")
      }
    }
    if !limited.isEmpty {
      return "\(list(limited)) stays at the end of its range: is the range too small, or the axis broken?"
    }
    return "\(list(bad)) does not move any more: its samples are not used"
  }
}
