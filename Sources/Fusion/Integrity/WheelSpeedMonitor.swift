import LinearAlgebra
import Navigation

/// Watches whether a wheel speed can be true: a sensor that has stuck goes on with its last value, or zero.
package struct WheelSpeedMonitor: Sendable {
  /// A speed in m/s that a sensor reports of a standing wheel. [chosen: a third of the dead band]
  static let zero = 0.1
  /// Memory of the change of speed by the IMU, s: longer, and a tilt of 0.3° would pass for one. [chosen]
  private static let memory = 4.0
  /// A change in m/s that no sensor of a step up to ``commonStep`` fails to show. [chosen]
  private static let change = 1.2
  /// A sensor's step that all bounds have room for, m/s. [chosen: whole km/h]
  private static let commonStep = 0.3
  /// What wheels may fall by besides what the IMU felt of it of late, m/s: a signal that is lost reads zero.
  /// 1.5 costs taupo-racebox 2 m, whose wheel stamps jitter.
  /// [measured on haifa-08, wheels late and fading: P95 3.7, 16, 62, 69 m with 1.5, 2.0, 2.5, 3.0]
  private static let fall = 2.0
  /// And as a part of the speed: stamps are off by up to 0.3 s in the hardest braking.
  /// [measured on taupo-racebox, haifa-02 fading: P95 26, 25, 20, 19; 5, 5, 24, 90 m with 0, 0.05, 0.1, 0.2]
  private static let fallShare = 0.1
  /// For how long the fixes have to contradict, or to agree, s. [chosen]
  private static let patience = 2.0
  /// What the fixes say may be so late, s, up to twice. [chosen: a phone's speed was 1.2 s late]
  private static let latest = 1.0
  /// For how long what was felt since the fixes agreed last tells who is wrong, s: 0.2° are 2 m/s by then.
  /// [measured on 720 variants of `reckon stress`, bursts 193001:193040 and 200001:200040, the nine drives
  /// with wheels: 0, 20, 60, 120 leave 454, 404, 404, 404 s lost]
  private static let feltFor = 60.0
  /// Part of a contradiction that the wheels have to have changed by unfelt for it to be theirs.
  /// [measured on the same 720 variants: 0.25, 0.5, 0.75, 1 leave 404 s lost, each]
  private static let ownShare = 0.5

  /// A reading that changes at last shows for no longer than this that the sensor is alive, s: it takes two.
  /// [measured on seven drives with wheels, and austin's in steps of 1 and 2 km/h: 0.3, 1, 2, 5 do alike]
  private static let longestStay = 1.0

  private var last: WheelSample?
  /// What the sensor's step hides beyond ``commonStep``, m/s.
  /// [chosen: nothing until a reading says so]
  private var hidden = 0.0
  /// For how long the wheels have stood by the samples, s.
  package private(set) var standsFor = 0.0
  /// Change of the car's speed by the IMU since the reading last changed, fading, m/s.
  private var unseenChange = 0.0
  /// By how much the wheels have changed otherwise than the IMU felt since the fixes agreed with them, m/s,
  /// and for how long, s: longer than ``feltFor`` before they ever did.
  private var unfelt = 0.0, unfeltFor = Double.infinity
  private var contradicted = DwellTimer(), agrees = DwellTimer()
  /// Time for which readings stayed that have changed since, s. [chosen: none has yet]
  private var changesFor = 0.0
  /// For how long the newest reading has stayed, s. [chosen: none has yet]
  private var stays = 0.0
  /// By how much the wheels have changed otherwise than the IMU felt, fading, m/s.
  private var unfeltOfLate = 0.0
  /// Whether they have fallen by more than was felt since the fixes agreed with them.
  private var hasFallen = false
  /// Whether the wheels stand, and the IMU felt them come to it.
  private var hasStopped = false
  /// Least and largest speed, m/s, of the second that runs and of the one before it: a receiver's
  /// velocity may be as late.
  private var range = (least: 0.0, largest: 0.0), rangeBefore = (least: 0.0, largest: 0.0)
  private var rangeFor = 0.0
  /// Whether the speed is to be used.
  package private(set) var isTrusted = true

  package init() {}

  /// Takes a reading, with the acceleration along the car by the IMU in m/s², and whether that was felt just
  /// now: in a gap of the IMU a car may brake unfelt. The sensor's step is in m/s.
  package mutating func add(
    _ wheel: WheelSample, acceleration: Double, isFelt: Bool = true, resolution: Double = 0
  ) {
    defer { last = wheel }
    hidden = max(0, resolution - Self.commonStep)
    guard let last else { return }
    let dt = wheel.time.seconds(since: last.time)
    guard dt > 0, dt < 1 else {
      (standsFor, unseenChange, unfeltFor, unfeltOfLate) = (0, 0, .infinity, 0)
      return
    }
    let unfeltNow = abs(wheel.speed) - abs(last.speed) - acceleration * dt
    unfelt += unfeltNow
    unfeltOfLate = isFelt ? unfeltOfLate * (1 - dt / Self.memory) + unfeltNow : 0
    if -unfeltOfLate > Self.fall + Self.fallShare * (abs(wheel.speed) - unfeltOfLate) {
      hasFallen = true
      distrust()
    }
    unfeltFor += dt
    standsFor = abs(wheel.speed) <= Self.zero ? standsFor + dt : 0
    widen(by: abs(wheel.speed), elapsed: dt)
    guard wheel.speed == last.speed else {
      unseenChange = 0
      changesFor += min(stays + dt, Self.longestStay)
      stays = 0
      hasStopped = abs(wheel.speed) <= Self.zero && (hasStopped || !hasFallen)
      return
    }
    stays += dt
    unseenChange = unseenChange * (1 - dt / Self.memory) + acceleration * dt
    // What still seems to brake is a tilt.
    if hasStopped { unseenChange = max(0, unseenChange) }
    if abs(unseenChange) > Self.change + hidden { distrust() }
  }

  /// Compares with a speed by the fixes and its standard deviation, in m/s, `elapsed`
  /// seconds after the last time.
  package mutating func compare(speed: Double, sigma: Double, elapsed: Double) {
    guard let last else { return }
    let off = abs(abs(last.speed) - speed)
    let least = min(range.least, rangeBefore.least), largest = max(range.largest, rangeBefore.largest)
    let outside = min(off, max(0, least - speed, speed - largest))
    let isAgreed = off < 0.5 + hidden + 0.05 * speed + 2 * sigma
    if isAgreed { (unfelt, unfeltFor, hasFallen) = (0, 0, false) }
    // Where rate and force bear the wheels out it is the fixes that move otherwise.
    let isFelt = unfeltFor < Self.feltFor && abs(unfelt) < Self.ownShare * off
    contradicted.update(outside > 1 + hidden + 0.1 * speed + 4 * sigma && !isFelt, elapsed: elapsed)
    agrees.update(isAgreed, elapsed: elapsed)
    if contradicted.seconds > Self.patience { distrust() }
    // A standing car agrees with a dead sensor.
    if !isTrusted, agrees.seconds > Self.patience, changesFor > 1, speed > 1 { isTrusted = true }
  }

  private mutating func widen(by speed: Double, elapsed: Double) {
    rangeFor += elapsed
    if rangeFor > Self.latest {
      rangeFor = 0
      rangeBefore = range
      range = (speed, speed)
    }
    range = (min(range.least, speed), max(range.largest, speed))
  }

  private mutating func distrust() {
    isTrusted = false
    (contradicted, agrees) = (DwellTimer(), DwellTimer())
    (changesFor, unseenChange) = (0, 0)
  }
}
