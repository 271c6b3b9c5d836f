import LinearAlgebra
import Navigation

/// Hears of every step of a filter, in the order of the steps, so that a smoother can go back over them.
///
/// The engine is generic over it: the live one records nothing, and the compiler leaves nothing of
/// these calls in it. A recorder is a value that goes wherever its filter goes: a copy of a navigator
/// has a history of its own.
package protocol StepRecorder: Sendable {
  init()

  /// The error of a block became x_i + Σ m · x_from.
  mutating func couple(_ block: Int, _ relation: some Relation)
  /// The error of a block became factors · x_i, component by component.
  mutating func scale(_ block: Int, by factors: Vector3)
  /// The error of a block became a new one that has nothing to do with the one before.
  mutating func isolate(_ block: Int)
  /// The mounting was turned by half a turn about the vehicle's vertical axis.
  mutating func turnAround()
  /// The filter was conditioned on a measurement, with this noise, and the covariance's
  /// `projection` as it was before.
  mutating func update(
    _ measurement: Measurement<some Relation>, _ projection: ErrorProjection, noise: Matrix3)

  /// Whether the estimate is to be recorded at this time.
  func wantsPoint(at time: Timestamp) -> Bool
  /// Records the estimate.
  mutating func add(_ point: RecordedPoint)
  /// A car without an IMU, whose heading is not known, begins to log its track, and
  /// moves on by a wheel sample.
  mutating func beginTrack()
  mutating func reckon(_ wheel: WheelSample)
  /// The filter has begun anew from the match of the track that `past` has logged, which shows
  /// where the car was before.
  mutating func lay(_ past: Self, _ result: TrackMatch.Result, _ point: RecordedPoint)
  /// Keeps what was recorded of a filter that is no longer used.
  mutating func keep(_ ended: Self)
  /// Drops what was recorded before `time` and is not needed to go back to it.
  mutating func forget(before time: Timestamp)
}

/// Records nothing.
package struct NoRecorder: StepRecorder {
  @inline(__always) package init() {}
  @inline(__always) package mutating func couple(_ block: Int, _ relation: some Relation) {}
  @inline(__always) package mutating func scale(_ block: Int, by factors: Vector3) {}
  @inline(__always) package mutating func isolate(_ block: Int) {}
  @inline(__always) package mutating func turnAround() {}
  @inline(__always) package mutating func update(
    _ measurement: Measurement<some Relation>, _ projection: ErrorProjection, noise: Matrix3
  ) {}
  @inline(__always) package func wantsPoint(at time: Timestamp) -> Bool { false }
  @inline(__always) package mutating func add(_ point: RecordedPoint) {}
  @inline(__always) package mutating func beginTrack() {}
  @inline(__always) package mutating func reckon(_ wheel: WheelSample) {}
  @inline(__always) package mutating func lay(
    _ past: NoRecorder, _ result: TrackMatch.Result, _ point: RecordedPoint
  ) {}
  @inline(__always) package mutating func keep(_ ended: NoRecorder) {}
  @inline(__always) package mutating func forget(before time: Timestamp) {}
}
