import Drives
import Navigation

/// How soon the engine finds that the car stands, and that it moves again.
package struct StandstillTiming: Sendable {
  /// True speed in m/s of a car that stands, of one that has moved off, and of one that
  /// nobody takes for standing.
  private static let resting = 0.05, moving = 0.1, clearlyMoving = 0.5

  /// Seconds from each true stop to the standstill that the engine shows.
  package private(set) var found: [Double] = []
  /// Seconds from a true speed of 0.1 m/s to the end of the standstill; 0 where it ended before.
  package private(set) var released: [Double] = []
  /// Seconds for which a car faster than 0.5 m/s was said to stand.
  package private(set) var falseStop = 0.0
  private var stop: (since: Timestamp, isFound: Bool)?
  private var movedOff: Timestamp?
  private var last: Timestamp?

  package init() {}

  /// Takes whether the engine says that the car stands at the time of `truth`.
  package mutating func add(isStanding: Bool, truth: TruthSample) {
    guard let speed = truth.velocityNED?.norm else { return }
    let time = truth.time
    let step = last.map { min(time.seconds(since: $0), 1) } ?? 0
    last = time
    if speed > Self.clearlyMoving, isStanding { falseStop += step }
    if speed < Self.resting {
      movedOff = nil
      let since = stop?.since ?? time
      let wasFound = stop?.isFound ?? false
      if isStanding, !wasFound { found.append(time.seconds(since: since)) }
      stop = (since, wasFound || isStanding)
    } else if speed > Self.moving, let ended = stop {
      stop = nil
      movedOff = ended.isFound ? time : nil
    }
    if let start = movedOff, !isStanding {
      released.append(time.seconds(since: start))
      movedOff = nil
    }
  }
}
