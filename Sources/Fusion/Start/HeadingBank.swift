import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the heading from motion: navigators that each believe in another direction compete to explain the fixes.
///
/// The acceleration that the IMU feels turns up in the fixes only for the right direction. This needs no assumption on
/// how the IMU is mounted, or whether the car stands or drives, forward or backward, at the start. Until a direction
/// has won, the mixture of all is the solution; the winner goes on as it is.
struct HeadingBank<Recorder: StepRecorder>: Sendable {
  /// Number of directions, evenly spaced. Eight are near enough for the filter to find its way from the nearest.
  /// [chosen]
  static var count: Int { 8 }

  /// Memory for one navigator a direction.
  typealias Places = [Navigator<Recorder>]
  /// One navigator a direction; a single one that knows no direction until an IMU has been heard of.
  fileprivate var navigators: Places
  /// Logarithm of each one's likelihood, the best at 0.
  fileprivate var logLikelihoods = InlineArray<8, Double>(repeating: 0)
  /// Log-likelihood of the best one since the bank began.
  private(set) var evidence = 0.0
  /// When the bank began.
  let start: Timestamp
  /// Whether the navigators have directions.
  private(set) var isOriented = false

  /// A bank about a first fix.
  init(fix: GNSSFix, receiver: ReceiverModel, settings: FusionConfiguration) {
    navigators = Self.places()
    navigators.append(Navigator(fix: fix, receiver: receiver, settings: settings))
    start = fix.time
  }

  /// A bank about the position and velocity of a navigator that has lost its attitude.
  init(continuing navigator: Navigator<Recorder>) {
    navigators = Self.places()
    navigators.append(navigator)
    navigators[0].forgetCarriage()
    start = navigator.time
  }

  /// Memory for the navigators of a bank.
  static func places() -> Places {
    var places = Places()
    places.reserveCapacity(count)
    return places
  }

  /// Gives up its navigators, and the memory that they are in.
  mutating func takePlaces() -> Places {
    var places = Places()
    swap(&places, &navigators)
    return places
  }

  /// Copies its navigators, which it may share with another bank, to a place of its own.
  mutating func move(to places: consuming Places) {
    var own = places
    own.removeAll(keepingCapacity: true)
    own.append(contentsOf: navigators)
    navigators = own
  }

  /// Goes back to no direction, at the likeliest place.
  mutating func forgetDirections() {
    let winner = winner
    navigators.removeAll(keepingCapacity: true)
    navigators.append(winner)
    logLikelihoods = InlineArray(repeating: 0)
    isOriented = false
  }

  /// Forgets what an earlier drive knew of the car.
  mutating func forgetCar() {
    for i in navigators.indices { navigators[i].mounting.remembered = nil }
  }

  /// Takes over what an earlier drive learned of the receiver at this place.
  mutating func recallReceiver(_ saved: SavedState) {
    for i in navigators.indices { navigators[i].receiver.recall(saved) }
  }

  /// Takes over the lag of the receiver's velocity from the guard, which finds it without a heading.
  mutating func recallDelay(_ planar: PlanarNavigator) {
    guard let delay = planar.clearDelay else { return }
    for i in navigators.indices { navigators[i].recallDelay(delay) }
  }

  /// Takes up how much shaking the IMU cannot follow.
  mutating func shake(_ noise: AliasedNoise, down: Vector3) {
    for i in navigators.indices { noise.add(to: &navigators[i].noise, down: down) }
  }

  /// When the bank holds.
  var time: Timestamp { navigators[0].time }

  /// Gives the navigators their directions: `make` turns the one so far into one of a yaw and its deviation.
  mutating func orient(_ make: (Navigator<Recorder>, Double, Double) -> Navigator<Recorder>) {
    let spacing = 2 * Double.pi / Double(Self.count)
    let start = navigators[0]
    navigators.removeAll(keepingCapacity: true)
    for i in 0..<Self.count {
      navigators.append(make(start, Angle.wrapped(Double(i) * spacing), spacing / 2))
    }
    logLikelihoods = InlineArray(repeating: 0)
    isOriented = true
  }

  mutating func propagate(to end: Timestamp, from a: InertialSample, to b: InertialSample) {
    for i in navigators.indices {
      if isOriented { navigators[i].propagate(to: end, from: a, to: b) } else { navigators[i].coast(to: end) }
    }
  }

  mutating func bridge(
    to end: Timestamp, from a: InertialSample, to b: InertialSample,
    noise: (attitude: Vector3, velocity: Vector3)
  ) {
    guard isOriented else { return coast(to: end) }
    for i in navigators.indices { navigators[i].bridge(to: end, from: a, to: b, noise: noise) }
  }

  mutating func coast(to end: Timestamp) {
    for i in navigators.indices { navigators[i].coast(to: end) }
  }

  mutating func watchStandstill(_ sample: InertialSample) {
    guard isOriented else { return }
    for i in navigators.indices { navigators[i].watchStandstill(sample) { _ in } }
  }

  mutating func update(_ fix: GNSSFix) {
    for i in navigators.indices {
      navigators[i].witness.logLikelihood = 0
      navigators[i].update(fix) { _ in }
      logLikelihoods[i] += navigators[i].witness.logLikelihood
    }
    settle()
  }

  /// Lets the navigators see whether the wheels turn: it shows a standstill.
  mutating func note(_ wheel: WheelSample) {
    for i in navigators.indices { navigators[i].note(wheel) }
  }

  mutating func update(_ wheel: WheelSample) {
    for i in navigators.indices {
      navigators[i].witness.logLikelihood = 0
      navigators[i].update(wheel) { _ in }
      logLikelihoods[i] += navigators[i].witness.logLikelihood
    }
    settle()
  }

  /// Sets the best to 0. None is lost for good: a direction that looked wrong in a bad minute may come back.
  private mutating func settle() {
    var best = -Double.infinity
    for i in navigators.indices { best = max(best, logLikelihoods[i]) }
    evidence += best
    for i in navigators.indices { logLikelihoods[i] = max(logLikelihoods[i] - best, -30) }
  }

  /// Whether the fixes contradict even the likeliest: the first of them was far off.
  var isDoubtful: Bool { navigators[likeliest].witness.agreement < 0.1 }

  /// The likeliest navigator.
  var winner: Navigator<Recorder> { navigators[likeliest] }

  private var likeliest: Int {
    var best = 0
    for i in navigators.indices where logLikelihoods[i] > logLikelihoods[best] { best = i }
    return best
  }

  /// Standard deviation of the mixture's yaw, π where nothing is known.
  var yawSigma: Double {
    guard isOriented else { return .pi }
    var (s, c, sum) = (0.0, 0.0, 0.0)
    for i in navigators.indices {
      let yaw = navigators[i].levelYaw
      let w = exp(logLikelihoods[i])
      s += w * sin(yaw)
      c += w * cos(yaw)
      sum += w
    }
    let mean = atan2(s, c)
    var variance = 0.0
    for i in navigators.indices {
      let off = Angle.wrapped(navigators[i].levelYaw - mean)
      variance += exp(logLikelihoods[i]) / sum * (off * off + navigators[i].levelYawVariance)
    }
    return min(.pi, variance.squareRoot())
  }

}

extension HeadingBank where Recorder == NoRecorder {
  /// Mean and covariance of the mixture, predicted to `time`.
  func solution(at time: Timestamp) -> NavigationSolution {
    var mixture = winner.solution(at: time)
    var sum = 0.0
    var offset = Vector3.zero
    var velocity = Vector3.zero
    for i in navigators.indices {
      let w = exp(logLikelihoods[i])
      sum += w
      offset += navigators[i].filter.state.position.ned(from: navigators[0].filter.state.position) * w
      velocity += navigators[i].filter.state.velocity * w
    }
    offset = offset / sum
    velocity = velocity / sum
    let ahead = time.seconds(since: self.time)
    mixture.mode = .aligning
    mixture.position = navigators[0].filter.state.position.moved(byNED: offset + velocity * ahead)
    mixture.velocityNED = velocity
    var position = Matrix3.zero
    var speed = Matrix3.zero
    for i in navigators.indices {
      let w = exp(logLikelihoods[i]) / sum
      let part = navigators[i].solution(at: time)
      let dp = part.position.ned(from: mixture.position)
      let dv = part.velocityNED - velocity
      position += (part.positionCovariance + Matrix3(outer: dp, dp)) * w
      speed += (part.velocityCovariance + Matrix3(outer: dv, dv)) * w
    }
    mixture.positionCovariance = position
    mixture.velocityCovariance = speed
    mixture.attitudeCovariance = Matrix3(diagonal: Vector3(0.1, 0.1, .pi * .pi))
    return mixture
  }
}
