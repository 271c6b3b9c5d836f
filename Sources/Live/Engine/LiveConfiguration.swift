import Fusion
import SensorEvents

/// What may be told to a live engine. Nothing has to be.
public struct LiveConfiguration: Sendable {
  /// The engine's own.
  public var fusion = FusionConfiguration()
  /// What is known of receivers' clocks.
  public var receiver = ReceiverClock.Limits()
  /// The sources by name; one that is not named here is called by its number once it speaks.
  public var sources: [SourceDescription] = []
  /// A sample that would hold this long after its arrival is stamped by a clock that is not understood, s.
  public var earliest = 1.0
  /// Another source of the same kind takes over after this silence, s: of IMUs, fixes, wheels and barometers.
  public var inertialPatience = 5.0, fixPatience = 3.0, wheelPatience = 2.0, pressurePatience = 2.0

  /// The defaults.
  public init(sources: [SourceDescription] = []) { self.sources = sources }

  func patience(_ role: SourceRole) -> Double {
    switch role {
    case .inertial: inertialPatience
    case .fix: fixPatience
    case .wheel: wheelPatience
    case .pressure: pressurePatience
    }
  }
}
