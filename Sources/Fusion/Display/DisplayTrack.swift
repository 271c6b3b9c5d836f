import CLibrary
import LinearAlgebra
import Navigation

/// Follows the solutions with a place that a map can show: it never goes back against the direction of
/// travel, and does not creep at a standstill.
///
/// In a step of Δt at the velocity v the display moves by v Δt + c, where the correction c towards the
/// estimate is at most half of v Δt: at between 0.5 and 1.5 times the car's own speed, forward whatever
/// c is. The direction is that of the velocity, so in reverse gear forward is backward. A car that
/// stands has no v and no c. Where that is not enough the display leaps, and says so. A value; time
/// comes with the solutions.
public struct DisplayTrack: Sendable {
  /// How the display follows.
  public struct Parameters: Sendable {
    /// Time over which the display would reach the estimate, s. [chosen]
    public var correctionTime = 1.5
    /// Largest correction as a part of the way driven, under 1: the display then never goes back. [chosen]
    public var largestCorrection = 0.5
    /// A slower car stands, m/s: what a filter says of one that does. [chosen]
    public var standstillSpeed = 0.3
    /// The display leaps from so far off, m: a place taken anew, no correction of one. [chosen]
    public var farOff = 50.0
    /// And from outside the 95 % radius, if it is also this far off, m, for so long, s. [chosen]
    public var leastRadius = 5.0, longestOutside = 10.0
    /// After so long without a solution the display begins anew, s. [chosen]
    public var longestPause = 5.0

    /// The defaults.
    public init() {}
  }

  /// How it follows.
  public var parameters: Parameters
  /// What was displayed last; nil before the first solution.
  public private(set) var current: DisplayPosition?
  /// For how long the display has been outside the 95 % radius, s.
  private var outside = DwellTimer()

  /// A display that has shown nothing yet.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The place to show for the newest solution; one that is not newer than the last changes nothing.
  public mutating func update(_ solution: NavigationSolution) -> DisplayPosition {
    guard let last = current else { return leap(to: solution, .start) }
    let dt = solution.time.seconds(since: last.time)
    guard dt > 0 else { return last }
    if dt > parameters.longestPause { return leap(to: solution, .pause) }

    let behind = solution.position.ned(from: last.position)
    let step = step(towards: behind, velocity: solution.velocityNED, isStanding: isStanding(solution), dt: dt)
    var shown = last.position.moved(byNED: step)
    shown.height = solution.position.height
    let offset = shown.ned(from: solution.position)
    let distance = offset.horizontalNorm
    guard distance.isFinite else { return leap(to: solution, .start) }
    if distance > parameters.farOff { return leap(to: solution, .farOff) }
    let isOutside = distance > max(solution.horizontalAccuracy95, parameters.leastRadius)
    outside.update(isOutside, elapsed: dt)
    if outside.seconds > parameters.longestOutside { return leap(to: solution, .outsideRadius) }
    let next = DisplayPosition(time: solution.time, position: shown, offsetNED: offset)
    current = next
    return next
  }

  /// The display's way in a step, from where it was to `behind` the estimate is now.
  private func step(towards behind: Vector3, velocity: Vector3, isStanding: Bool, dt: Double) -> Vector3 {
    guard !isStanding else { return .zero }
    let driven = Vector3(velocity.x, velocity.y, 0) * dt
    let missing = Vector3(behind.x, behind.y, 0) - driven
    var correction = missing * (1 - exp(-dt / parameters.correctionTime))
    let largest = min(parameters.largestCorrection, 0.99) * driven.norm
    if correction.norm > largest { correction = correction * (largest / correction.norm) }
    return driven + correction
  }

  private func isStanding(_ solution: NavigationSolution) -> Bool {
    solution.mode == .stationary || !(solution.speed > parameters.standstillSpeed)
  }

  private mutating func leap(to solution: NavigationSolution, _ why: DisplayPosition.Snap) -> DisplayPosition
  {
    outside = DwellTimer()
    let shown = DisplayPosition(
      time: solution.time, position: solution.position, offsetNED: .zero, snap: why)
    current = shown
    return shown
  }
}
