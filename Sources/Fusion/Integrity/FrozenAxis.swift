import LinearAlgebra
import Navigation

/// Finds axes of an IMU that have died: one value goes on and on, although noise shows on the others.
///
/// How fine the sensor's steps are need not be known: where another axis of the same sensor goes up and down
/// with nearly every sample, noise moves this one too. A whole sensor with one value is dead if the car
/// drives, and noise shows on the other one or has shown on this one. A drive that was made up without noise
/// has none to tell by, and no axis of it is dead.
struct FrozenAxis: Sendable {
  /// Whether an axis is dead.
  private(set) var isFound = false

  /// Seconds with one value that make it certain, and seconds of changes that show an axis to be alive again.
  /// [chosen]
  private static let certain = 5.0, alive = 2.0
  /// Changes in a window that can tell of noise; of the samples with a change of any axis those in which
  /// noise changes an axis; and of these those in which it turns back, by another step. [chosen]
  private static let least = 8.0, changing = 0.9, turning = 0.2

  private var rate = Sensor(), force = Sensor()

  private struct Sensor {
    var value = Vector3.zero
    /// The last change of each axis.
    var step = Vector3.zero
    // In this window: how often each axis has changed, and how often it turned back.
    var changes = Vector3.zero, turns = Vector3.zero
    /// Seconds for which each axis, and all, have been constant while they should not.
    var constantFor = Vector3.zero, silentFor = 0.0
    /// Seconds for which no axis was suspected.
    var soundFor = 0.0
    var hasBeenNoisy = false

    @inline(__always) mutating func add(_ new: Vector3) {
      let change = new - value
      let isChanged = change.lanes .!= 0
      changes.lanes += SIMD4.zero.replacing(with: 1, where: isChanged)
      // Back by the same step again and again is a value between two steps of a coarse sensor, and no noise.
      let isTurned = ((change.lanes * step.lanes) .< 0) .& ((change.lanes + step.lanes) .!= 0)
      turns.lanes += SIMD4.zero.replacing(with: 1, where: isTurned)
      step.lanes.replace(with: change.lanes, where: isChanged)
      value = new
    }

    /// Whether noise moves an axis with nearly each of `most` samples.
    func isNoisy(_ most: Double) -> Bool {
      (0..<3).contains {
        changes.lanes[$0] >= max(least, changing * most) && turns.lanes[$0] >= turning * changes.lanes[$0]
      }
    }

    mutating func endWindow(_ seconds: Double, isNoisy: Bool, isOtherNoisy: Bool, isDriven: Bool) {
      let isSilent = changes == .zero
      var isSound = !isSilent
      for i in 0..<3 {
        if changes.lanes[i] > 0 {
          constantFor.lanes[i] = 0
        } else if isNoisy {
          constantFor.lanes[i] += seconds
          isSound = false
        }
      }
      if !isSilent {
        silentFor = 0
      } else if isDriven, isOtherNoisy || hasBeenNoisy {
        silentFor += seconds
      }
      soundFor = isSound ? soundFor + seconds : 0
      hasBeenNoisy = hasBeenNoisy || isNoisy
      (changes, turns) = (.zero, .zero)
    }

    var isDead: Bool { max(constantFor.lanes.max(), silentFor) >= certain }
  }

  /// Takes a sample.
  @inline(__always) mutating func add(_ sample: InertialSample) {
    rate.add(sample.angularRate)
    force.add(sample.specificForce)
  }

  /// Takes the end of a window of some seconds, in which the car was driven or not.
  @inline(never) mutating func endWindow(_ seconds: Double, isDriven: Bool) {
    let most = max(rate.changes.lanes.max(), force.changes.lanes.max())
    let isNoisy = (rate: rate.isNoisy(most), force: force.isNoisy(most))
    rate.endWindow(seconds, isNoisy: isNoisy.rate, isOtherNoisy: isNoisy.force, isDriven: isDriven)
    force.endWindow(seconds, isNoisy: isNoisy.force, isOtherNoisy: isNoisy.rate, isDriven: isDriven)
    isFound = isFound ? min(rate.soundFor, force.soundFor) < Self.alive : rate.isDead || force.isDead
  }
}
