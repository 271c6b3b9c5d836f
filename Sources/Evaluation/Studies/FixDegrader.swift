import CLibrary
import Navigation

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
