/// What became of the saved state that an engine was started from.
public struct WarmStartReport: Sendable, Equatable {
  /// How far the start has come.
  public enum Stage: UInt8, Sendable {
    /// The IMU has not been compared with the saved state yet.
    case waiting
    /// The car's place or heading has changed, or is not known to be what it was: the mounting
    /// waits for the car to drive.
    case watching
    /// The engine goes on from the saved state, beside a cold start that takes over if it
    /// explains the fixes better.
    case trial
    /// The fixes bear the saved state out.
    case confirmed
    /// The engine started cold, or as good as.
    case cold
  }
  /// What the samples said against the saved state.
  public enum Contradiction: Sendable, Equatable {
    /// It could not be used from the start.
    case unusable(SavedState.Fault)
    /// Gravity stands this many radians from where it should in the IMU's axes: its mounting was changed.
    case imuTurned(byRadians: Double)
    /// The gyroscope at rest reads this many rad/s off its saved bias: another IMU.
    case imuChanged(byRadiansPerSecond: Double)
    /// The force at rest is this many m/s² from gravity: another IMU.
    case forceChanged(byMetresPerSecondSquared: Double)
    /// The car's tilt has changed by this many radians: it was moved, or the IMU was turned a little.
    case tilted(byRadians: Double)
    /// The fixes lie this many metres from the saved place, or the car already drove.
    case carMoved(byMetres: Double)
    /// Another heading explains the fixes far better.
    case headingContradicted
  }

  /// How far the start has come.
  public internal(set) var stage = Stage.waiting
  /// What spoke against the saved state first; nil where nothing did.
  public internal(set) var contradiction: Contradiction?
  /// Whether the saved mounting, and the antenna's place with it, are in use.
  public internal(set) var usesMounting = false
  /// Whether the saved biases are in use.
  public internal(set) var usesBiases = false
}
