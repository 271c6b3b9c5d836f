import CLibrary
import LinearAlgebra
import Navigation

/// Speed from the shaking of the wheels.
///
/// A wheel turns a fixed number of times a metre, and shakes the car at that rate and its multiples. While
/// the speed is known the number is looked for, and it is learned how far the lines stand out; without fixes,
/// the speed is then the one at which the lines are where they have to be.
package struct WheelVibration: Sendable {
  /// Step between hypotheses as a part of the speed: a fifth of the fourth line's width, and at most.
  /// [chosen]
  private static let steps = 0.0024...0.005
  /// Under this speed a window is too long in time, m/s. [chosen]
  private static let slowest = 2.5
  /// Most of a wheel's turn from sample to sample: further, and the lines cannot be told from their mirror
  /// images. [chosen: half a turn of the fastest hypothesis, which is 15 % faster]
  private static let farthest = 0.43
  /// Inner and outer wheel differ by 1 % in a curve of this curvature, 1/m; by 3 % the window is
  /// given up at once. [chosen]
  private static let curvature = (mean: 0.01, most: 0.03)
  /// The speed is known where its standard deviation is under this part of it, and the last fix
  /// not older than, s. [chosen]
  private static let known = (part: 0.0125, age: 2.0)
  /// Least error of a window's speed, m/s: the car does not keep its speed error for the length of it.
  /// [chosen]
  private static let leastSigma = 0.02

  /// What is known of the wheels.
  package private(set) var lines = WheelLines()
  private var isOpen = false
  /// Whether a full window is being read, a step a sample; the next one starts when that is done.
  private(set) var isReading = false
  /// The navigator's `inertialSpeedChange` and speed when the window began.
  private var start = (change: 0.0, speed: 0.0)
  private var last: InertialSample?
  /// Mean square of the shaking over about a second, by axis.
  private var energy = Shaking6.zero
  private var hasEnergy = false
  // Last, because a snapshot does without where none is in use: the window, and how far it has been read.
  private var window = ShakingWindow(spacing: .perMetre(0), frequency: 0, speed: 0)
  private var reading = WindowReading()

  package init() {}

  /// Bytes from its start that are in use.
  @inline(__always) var sizeInUse: Int {
    if isReading { return MemoryLayout<WheelVibration>.size }
    let withWindow = MemoryLayout<WheelVibration>.size - MemoryLayout<WindowReading>.size
    return isOpen ? withWindow : withWindow - MemoryLayout<ShakingWindow>.size
  }

  /// Forgets the window that is going on.
  mutating func interrupt() {
    isOpen = false
    isReading = false
  }

  /// Takes a sample that the navigator has just moved on to.
  mutating func process(
    _ sample: InertialSample, _ navigator: inout Navigator<some StepRecorder>,
    report: (MeasurementVerdict) -> Void
  ) {
    let before = last
    last = sample
    let dt = before.map { sample.time.seconds(since: $0.time) } ?? 0
    guard let before, dt > 0, dt <= navigator.settings.gaps.inertial else {
      hasEnergy = false
      interrupt()
      return
    }
    let shaking = whitened(sample, before, dt: dt)
    if isReading {
      read(&navigator, report: report)
      return
    }
    let speed = navigator.filter.state.velocity.norm
    let yawRate = navigator.filter.state.smoothRate.dot(navigator.filter.state.verticalAxis)
    guard speed > Self.slowest, abs(yawRate) < Self.curvature.most * speed,
      speed * dt * (lines.frequency ?? WheelLines.searched.most) < Self.farthest
    else {
      isOpen = false
      return
    }
    if !isOpen { open(&navigator, speed: speed) }
    let carriedOn = carriedOn(navigator, speed: speed)
    window.add(shaking, speed: carriedOn, excess: speed - carriedOn, yawRate: yawRate, dt: dt)
    if window.isFull {
      close(&navigator, speed: speed)
    } else if window.isTooLong {
      isOpen = false
    }
  }

  /// Speed by inertial navigation alone since the window began; while searching, as the filter has it.
  private func carriedOn(_ navigator: borrowing Navigator<some StepRecorder>, speed: Double) -> Double {
    lines.frequency == nil ? speed : start.speed + navigator.inertial.speedChange - start.change
  }

  // Nothing of the navigator changes; but one that is not `inout` is copied as a whole.
  private mutating func open(_ navigator: inout Navigator<some StepRecorder>, speed: Double) {
    isOpen = true
    start = (navigator.inertial.speedChange, speed)
    if let frequency = lines.frequency {
      // The hypotheses span three standard deviations, and not less than 7 % of the speed.
      let step = 3 * navigator.speedVariance(lag: 0).squareRoot() / Double(LineScan.middle)
      let bounded = min(max(step, Self.steps.lowerBound * speed), Self.steps.upperBound * speed)
      window = ShakingWindow(spacing: .speed(bounded), frequency: frequency, speed: speed)
    } else {
      window = ShakingWindow(
        spacing: .perMetre(WheelLines.searched.step), frequency: WheelLines.searched.middle, speed: speed)
    }
  }

  private mutating func close(_ navigator: inout Navigator<some StepRecorder>, speed: Double) {
    isOpen = false
    guard window.curvature < Self.curvature.mean else { return }
    let sigma = navigator.speedVariance(lag: 0.5 * window.time).squareRoot()
    let isKnown =
      navigator.time.seconds(since: navigator.fixes.last) < Self.known.age && sigma < Self.known.part * speed
    isReading = true
    reading = WindowReading(window, closed: navigator.time, knownSigma: isKnown ? sigma : nil)
  }

  /// Goes one step on in reading the full window: the work of a window is spread over some samples.
  private mutating func read(
    _ navigator: inout Navigator<some StepRecorder>, report: (MeasurementVerdict) -> Void
  ) {
    let step = reading.step
    reading.step += 1
    switch step {
    case 0..<LinePart.count:
      let part = LinePart(step)
      lines.strength.multiply(&reading, by: &window.scan, part)
      // What a search learns of the noise of one part bears on no other, so that it need not wait for
      // its end.
      if reading.knownSigma != nil, case .perMetre = window.spacing {
        lines.strength.learnNoise(&window.scan, reading, part) { _ in true }
      }
    case LinePart.count:
      for j in 0..<LineScan.hypotheses { reading.likelihoods[j] = log(reading.likelihoods[j]) }
      measure(&navigator, report: report)
      isReading = reading.knownSigma != nil
    default:
      let isDone = lines.learn(&window, reading, step: step - LinePart.count - 1)
      isReading = !isDone
    }
  }

  /// Applies what the window says of the speed.
  private func measure(
    _ navigator: inout Navigator<some StepRecorder>,
    report: (MeasurementVerdict) -> Void
  ) {
    guard case .speed(let step) = window.spacing, lines.areTrusted, navigator.needsVibration
    else { return }
    let speed = navigator.filter.state.velocity.norm
    let lag = 0.5 * window.time + navigator.time.seconds(since: reading.closed)
    guard
      var word = SpeedPosterior(
        reading.likelihoods, curve: lines.trust.curve, step: step,
        mean: speed - carriedOn(navigator, speed: speed),
        prior: navigator.speedVariance(lag: lag))
    else { return }
    let floor = Self.leastSigma + lines.relativeSigma * speed
    word.variance += floor * floor
    navigator.update(word, lag: lag, report: report)
  }

  /// The change from sample to sample over the deviation that it has had of late: bumps count for no more
  /// than smooth road.
  private mutating func whitened(_ sample: InertialSample, _ before: InertialSample, dt: Double) -> Shaking6 {
    let force = sample.specificForce - before.specificForce
    let rate = sample.angularRate - before.angularRate
    let change = Shaking6(
      Float(force.x), Float(force.y), Float(force.z), Float(rate.x), Float(rate.y), Float(rate.z), 0, 0)
    energy += (change * change - energy) * (hasEnergy ? Float(min(1, dt)) : 1)
    hasEnergy = true
    return change / (energy + .leastNormalMagnitude).squareRoot()
  }
}
