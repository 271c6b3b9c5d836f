import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes fixes worse in a known and repeatable way, before the engine and the scores see them.
///
/// `thin` keeps the first fix of every 1/rate seconds counted from the first fix. `white` and `velocity` add
/// independent noise to the three axes of position and velocity and enlarge the stated accuracy to match (root sum
/// of squares with what was stated). `canyon` adds a Gauss–Markov error of that σ and correlation time `tau` to each
/// axis of position and leaves the stated accuracy as it was, whatever else is added: the receiver does not know.
public struct Degradation: Sendable, Equatable {
  /// Fixes per second to keep; nil keeps all.
  public var rate: Double?
  /// Standard deviation in metres of the white noise on each axis of position.
  public var positionSigma: Double?
  /// Standard deviation in m/s of the white noise on each axis of velocity.
  public var velocitySigma: Double?
  /// Standard deviation in metres of the correlated error on each axis of position.
  public var canyonSigma: Double?
  /// Correlation time of that error in seconds.
  public var correlationTime = 20.0
  /// Where the random numbers start.
  public var seed: UInt64 = 1

  /// No degradation.
  public init() {}

  /// Reads `key:value` pairs parted by commas; the keys are thin, white, velocity, canyon, tau and seed.
  public init(parsing text: String) throws(EvaluationError) {
    var seen: [Substring] = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .degradation(specification: text, reason: "'\(pair)' is not of the form key:value")
      }
      guard !seen.contains(parts[0]) else {
        throw .degradation(specification: text, reason: "'\(parts[0])' stands twice")
      }
      seen.append(parts[0])
      if let reason = set(String(parts[0]), to: String(parts[1])) {
        throw .degradation(specification: text, reason: reason)
      }
    }
    if seen.contains("tau"), canyonSigma == nil {
      throw .degradation(specification: text, reason: "'tau' needs 'canyon'")
    }
    if seen == ["seed"] {
      throw .degradation(specification: text, reason: "it degrades nothing")
    }
  }

  /// Sets one value by name; says why it cannot.
  private mutating func set(_ key: String, to value: String) -> String? {
    if key == "seed" {
      guard let number = UInt64(value) else { return "'seed' takes a whole number, not '\(value)'" }
      seed = number
      return nil
    }
    guard let number = Double(value), number.isFinite, number > 0 else {
      return "'\(key)' takes a number above 0, not '\(value)'"
    }
    switch key {
    case "thin": rate = number
    case "white": positionSigma = number
    case "velocity": velocitySigma = number
    case "canyon": canyonSigma = number
    case "tau": correlationTime = number
    default: return "'\(key)' is unknown; the keys are thin, white, velocity, canyon, tau and seed"
    }
    return nil
  }
}

/// A ``Degradation`` at work on the fixes of one drive, in order.
public struct FixDegrader: Sendable {
  private let degradation: Degradation
  private var generator: NormalGenerator
  private var firstTime: Timestamp?
  private var lastCell = -Double.infinity
  private var correlated: (time: Timestamp, error: Vector3)?

  /// A degrader before its first fix.
  public init(_ degradation: Degradation) {
    self.degradation = degradation
    generator = NormalGenerator(seed: degradation.seed)
  }

  /// The fix made worse, or nil where it is left out.
  public mutating func degrade(_ fix: GNSSFix) -> GNSSFix? {
    guard keeps(fix.time) else { return nil }
    var fix = fix
    var error = Vector3.zero
    if let sigma = degradation.canyonSigma { error += correlatedError(at: fix.time, sigma: sigma) }
    if let sigma = degradation.positionSigma {
      error += sigma * normals()
      if degradation.canyonSigma == nil { fix.positionSigma = enlarged(fix.positionSigma, by: sigma) }
    }
    if error != .zero { fix.position = fix.position.displaced(byNED: error) }
    if let sigma = degradation.velocitySigma, let velocity = fix.velocityNED {
      fix.velocityNED = velocity + sigma * normals()
      if degradation.canyonSigma == nil {
        fix.speedSigma = hypot(fix.speedSigma ?? 0, sigma)
        fix.courseSigma = min(.pi, hypot(fix.courseSigma ?? 0, sigma / max(velocity.horizontalNorm, 1e-3)))
      }
    }
    return fix
  }

  private mutating func keeps(_ time: Timestamp) -> Bool {
    guard let rate = degradation.rate else { return true }
    let start = firstTime ?? time
    firstTime = start
    // A microsecond of slack, so that a fix on the second is not lost to rounding.
    let cell = ((time.seconds(since: start) + 1e-6) * rate).rounded(.down)
    defer { lastCell = max(lastCell, cell) }
    return cell > lastCell
  }

  private mutating func correlatedError(at time: Timestamp, sigma: Double) -> Vector3 {
    let fresh = sigma * normals()
    guard let last = correlated else {
      correlated = (time, fresh)
      return fresh
    }
    let decay = exp(-max(0, time.seconds(since: last.time)) / degradation.correlationTime)
    let error = decay * last.error + (1 - decay * decay).squareRoot() * fresh
    correlated = (time, error)
    return error
  }

  private mutating func normals() -> Vector3 {
    let north = generator.next()
    let east = generator.next()
    return Vector3(north, east, generator.next())
  }

  private func enlarged(_ stated: Vector3?, by sigma: Double) -> Vector3 {
    guard let stated else { return Vector3(repeating: sigma) }
    return Vector3(hypot(stated.x, sigma), hypot(stated.y, sigma), hypot(stated.z, sigma))
  }
}
