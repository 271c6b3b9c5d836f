import LinearAlgebra
import Navigation

/// Shaking over some tens of metres, scanned for lines as it comes: no sample is stored.
struct ShakingWindow: Sendable {
  /// What one hypothesis differs in from the next.
  enum Spacing: Sendable {
    /// Cycles per metre of the line, over the distance as the filter has it.
    case perMetre(Double)
    /// True speed, m/s, against that which the accelerometers carry on from the window's start.
    case speed(Double)
  }

  /// Length, m: the longer, the sharper, but the less the lines hold their phase and the speed
  /// error its value. [chosen]
  private static let length = 40.0
  /// Time in s over which inertial navigation alone keeps the speed's error in place. [chosen]
  private static let longest = 12.0

  let spacing: Spacing
  /// Cycles per metre of the first line.
  let frequency: Double
  /// Read where it lies, which is why others may write to it: to read it by a borrow would copy its 12 kB.
  var scan = LineScan()
  private var block = ShakingBlock()
  private var blockStart = (distance: 0.0, time: 0.0)
  private(set) var distance = 0.0
  /// Time since the start, s.
  private(set) var time = 0.0
  /// The filter's speed less the one carried on, integrated, m.
  private var excess = 0.0
  /// Turns so far, rad.
  private var turned = 0.0
  private var lastSpeed: Double

  /// A window that starts at this speed.
  init(spacing: Spacing, frequency: Double, speed: Double) {
    self.spacing = spacing
    self.frequency = frequency
    lastSpeed = speed
  }

  var isFull: Bool { distance >= Self.length }
  var isTooLong: Bool { time > Self.longest }
  /// Mean curvature, 1/m.
  var curvature: Double { turned / distance }
  /// Frequency of the first line at the middle hypothesis, and from each to the next, Hz.
  var lineFrequency: (middle: Double, step: Double) {
    let speed = distance / time
    return switch spacing {
    case .perMetre(let step): (frequency * speed, step * speed)
    case .speed(let step): (frequency * speed, frequency * step)
    }
  }
  /// Mean difference of the filter's speed from the one carried on.
  var meanExcess: Double { excess / time }

  /// Takes a whitened sample.
  ///
  /// - Parameters:
  ///   - speed: the speed carried on, m/s.
  ///   - excess: the filter's own speed less that.
  ///   - yawRate: rad/s.
  mutating func add(_ shaking: Shaking6, speed: Double, excess: Double, yawRate: Double, dt: Double) {
    distance += 0.5 * (speed + lastSpeed) * dt
    lastSpeed = speed
    time += dt
    self.excess += excess * dt
    turned += abs(yawRate) * dt
    let cycles = frequency * distance
    block.add(shaking, phase: 2 * .pi * (cycles - cycles.rounded(.down)))
    if distance - blockStart.distance >= blockLength { closeBlock() } else { scan.goOn() }
    if isFull { scan.finish() }
  }

  /// Short enough that even the outermost hypotheses turn by less than about half a cycle in it, m.
  private var blockLength: Double { if case .perMetre = spacing { 1 } else { 2 } }

  private mutating func closeBlock() {
    let cycles =
      switch spacing {
      case .perMetre(let step): step * 0.5 * (blockStart.distance + distance)
      case .speed(let step): frequency * step * 0.5 * (blockStart.time + time)
      }
    scan.begin(block, angle: 2 * .pi * cycles)
    block = ShakingBlock()
    blockStart = (distance, time)
  }
}
