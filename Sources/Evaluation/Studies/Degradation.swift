/// Makes fixes worse in a known and repeatable way, before the engine and the scores see them.
///
/// `thin` keeps the first fix of every 1/rate seconds counted from the first fix. `white` and `velocity` add
/// independent noise to the three axes of position and velocity and enlarge the stated accuracy to match
/// (root sum of squares with what was stated). `canyon` adds a Gauss–Markov error of that σ and
/// correlation time `tau` to each axis of position and leaves the stated accuracy as it was, whatever else is
/// added: the receiver does not know.
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
