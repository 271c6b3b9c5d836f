import Navigation

extension Location {
  /// m/s: slower is standing, where the engine does not say so itself.
  private static let standingSpeed = 0.3
  /// m/s: faster is moving.
  private static let movingSpeed = 1.0

  /// Whether the car is seen to stand. Dead reckoning does not see that by its speed, only by stillness of
  /// the sensors, which is a mode of its own.
  var isSeenStanding: Bool {
    switch mode {
    case .stationary: true
    case .aided, .aligning:
      speedAccuracy >= 0 && speed + speedAccuracy < Self.standingSpeed * 2 && speed < Self.standingSpeed
    case .deadReckoning, .carried, nil: false
    }
  }

  /// Whether the car moves beyond doubt.
  var isSurelyMoving: Bool {
    mode != .stationary && speedAccuracy >= 0 && speed - 2 * speedAccuracy > Self.movingSpeed
  }
}
