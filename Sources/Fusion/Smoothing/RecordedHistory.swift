import LinearAlgebra
import Navigation

/// The history of a filter: estimates ten times a second, and every step between them, in
/// pieces of about ten seconds.
package struct RecordedHistory: StepRecorder {
  /// Seconds between recorded estimates. [chosen]
  static let interval = 0.1

  /// One step; its values are the next ones of the piece's arrays.
  enum Step: Sendable {
    case transition, measurement, point, turnAround, laid
    case scale(Int, Vector3)
    case isolate(Int)
  }

  /// Some seconds of it.
  struct Piece: Sendable {
    var steps: [Step] = []
    var transitions: [Transition] = []
    var measurements: [RecordedMeasurement] = []
    var points: [RecordedPoint] = []
    var tracks: [DeadReckonedTrack] = []

    var isFull: Bool { points.count >= 100 || steps.count >= 5000 }
  }

  /// Histories of filters that were given up, oldest first.
  private(set) var earlier: [RecordedHistory] = []
  private(set) var pieces: [Piece] = []
  private(set) var newest = Piece()
  /// The transition since the last step that is not one.
  private var pending: Transition?
  /// The track of a car without an IMU whose heading is not known.
  private(set) var track = DeadReckonedTrack()
  private var lastPoint: Timestamp?

  package init() {}

  package mutating func couple(_ block: Int, _ relation: some Relation) {
    if pending == nil { pending = Transition() }
    pending?.couple(block, relation)
  }

  package mutating func scale(_ block: Int, by factors: Vector3) { add(.scale(block, factors)) }

  package mutating func isolate(_ block: Int) { add(.isolate(block)) }

  package mutating func turnAround() { add(.turnAround) }

  package mutating func update(
    _ measurement: Measurement<some Relation>, _ projection: ErrorProjection, noise: Matrix3
  ) {
    guard let taken = RecordedMeasurement(measurement, projection, noise: noise) else { return }
    add(.measurement)
    newest.measurements.append(taken)
  }

  package func wantsPoint(at time: Timestamp) -> Bool {
    // Half a millisecond early: times of a sensor are no round numbers.
    lastPoint.map { time.seconds(since: $0) >= Self.interval - 5e-4 } ?? true
  }

  package mutating func add(_ point: RecordedPoint) {
    add(.point)
    newest.points.append(point)
    lastPoint = point.time
    guard newest.isFull else { return }
    pieces.append(newest)
    newest = Piece()
  }

  package mutating func keep(_ ended: RecordedHistory) { earlier.append(ended) }

  package mutating func beginTrack() { track = DeadReckonedTrack() }
  package mutating func reckon(_ wheel: WheelSample) { track.advance(wheel) }

  package mutating func lay(
    _ past: RecordedHistory, _ result: TrackMatch.Result, _ point: RecordedPoint
  ) {
    add(.laid)
    newest.tracks.append(past.track.ended(at: point.time, result))
    add(point)
  }

  private mutating func add(_ step: Step) {
    if let pending {
      newest.steps.append(.transition)
      newest.transitions.append(pending)
      self.pending = nil
    }
    newest.steps.append(step)
  }

  /// When it begins; nil where nothing was recorded.
  var start: Timestamp? { pieces.first?.points.first?.time ?? newest.points.first?.time }
  /// When its last estimate was recorded.
  var end: Timestamp? { newest.points.last?.time ?? pieces.last?.points.last?.time }

  package mutating func forget(before time: Timestamp) {
    // A piece is still needed if `time` falls between its last estimate and the next piece's first one.
    var count = 0
    while count + 1 < pieces.count, let next = pieces[count + 1].points.first, next.time <= time {
      count += 1
    }
    pieces.removeFirst(count)
    earlier.removeAll { $0.end.map { $0.seconds(since: time) < -1 } ?? true }
    for i in earlier.indices { earlier[i].forget(before: time) }
  }
}
