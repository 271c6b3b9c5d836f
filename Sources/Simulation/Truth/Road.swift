import CLibrary

/// The way as geometry over the distance driven: curvature, slope, surroundings and wanted speeds.
struct Road: Sendable {
  private(set) var curvatures: [CurvaturePiece] = []
  private(set) var grades: [GradePiece] = []
  private(set) var environments: [(start: Double, environment: RadioEnvironment)] = []
  private(set) var zones: [SpeedZone] = []
  /// Standstills before the first metre.
  private(set) var firstDwells: [SpeedZone.Dwell] = []
  private(set) var length = 0.0
  private var heading: Double

  /// The road of `elements`, from a heading in radians.
  init(elements: [RoadElement], heading: Double, driver: Driver) {
    self.heading = heading
    var stretches: [Stretch] = []
    for element in elements {
      let start = length
      append(element, driver)
      if element.isStandstill { continue }
      if let last = stretches.last, last.grade == element.grade {
        stretches[stretches.count - 1].length += length - start
      } else {
        stretches.append(
          Stretch(start: start, length: length - start, grade: element.grade, speed: element.speed))
      }
    }
    if curvatures.isEmpty {
      // A drive that only stands still: there has to be a place to stand on.
      curvatures.append(CurvaturePiece(start: 0, length: 1, from: 0, to: 0, heading: heading))
      environments.append((0, elements.first?.environment ?? .open))
      grades.append(GradePiece(start: 0, length: 1, from: 0, to: elements.first?.grade ?? 0))
    }
    if zones.last?.dwells.isEmpty == true { dwell(.init(seconds: 1, engineRuns: true)) }
    if !stretches.isEmpty { layGrades(stretches) }
  }

  private mutating func append(_ element: RoadElement, _ driver: Driver) {
    switch element.manoeuvre {
    case .stop(let seconds): dwell(.init(seconds: seconds, engineRuns: true))
    case .park(let seconds): dwell(.init(seconds: seconds, engineRuns: false))
    case .carried(let carriage): carry(carriage, element.environment)
    case .towed(let tow, let length, let angle):
      carry(.hoist(angle: tow.pitch, seconds: 15))
      begin(element, limit: element.speed)
      bow(length, angle)
      carry(.hoist(angle: -tow.pitch, seconds: 15))
    case .straight(let length):
      begin(element, limit: element.speed)
      curve(length, 0, 0)
    case .turn(let angle, let radius):
      let speed = min(element.speed, (driver.lateralAcceleration * radius).squareRoot())
      begin(element, limit: speed)
      let arc = radius * abs(angle)
      // Turning the wheel takes about 1.5 s from straight to full [chosen]; a short turn is all transition.
      let transition = min(arc, max(4, 1.5 * speed))
      let curvature = (angle < 0 ? -1 : 1) / radius
      curve(transition, 0, curvature)
      curve(arc - transition, curvature, curvature)
      curve(transition, curvature, 0)
    case .laneChange(let offset, let length):
      // Two opposite pulses of curvature, each a quarter of the length up and a quarter down: for small
      // angles the offset is peak · length² / 8.
      let peak = 8 * offset / (length * length)
      begin(element, limit: element.speed)
      for (from, to) in [(0, peak), (peak, 0), (0, -peak), (-peak, 0)] { curve(length / 4, from, to) }
    case .reverse(let length, let angle):
      begin(element, limit: element.speed)
      bow(length, angle)
    }
  }

  /// One long bend.
  private mutating func bow(_ length: Double, _ angle: Double) {
    // With ramps of a quarter of the length each, the mean curvature is 3/4 of the peak.
    let peak = angle / (0.75 * length)
    curve(length / 4, 0, peak)
    curve(length / 2, peak, peak)
    curve(length / 4, peak, 0)
  }

  private mutating func carry(_ carriage: Carriage, _ environment: RadioEnvironment? = nil) {
    // A ship's and a winch's engine shake the car like its own at rest.
    dwell(
      .init(seconds: carriage.seconds, engineRuns: true, carriage: carriage, environment: environment))
  }

  private mutating func dwell(_ dwell: SpeedZone.Dwell) {
    if zones.isEmpty { firstDwells.append(dwell) } else { zones[zones.count - 1].dwells.append(dwell) }
  }

  private mutating func begin(_ element: RoadElement, limit: Double) {
    if environments.last?.environment != element.environment {
      environments.append((length, element.environment))
    }
    let isReverse = element.isReverse
    if let last = zones.last, last.isReverse != isReverse, last.dwells.isEmpty {
      dwell(.init(seconds: 1, engineRuns: true))
    }
    let zone = SpeedZone(
      start: length, length: 0, limit: limit, isReverse: isReverse, wheelsRoll: element.wheelsRoll,
      acceleration: element.acceleration)
    if let last = zones.last, last.continues(into: zone) { return }
    zones.append(zone)
  }

  private mutating func curve(_ pieceLength: Double, _ from: Double, _ to: Double) {
    guard pieceLength > 1e-9 else { return }
    let piece = CurvaturePiece(start: length, length: pieceLength, from: from, to: to, heading: heading)
    curvatures.append(piece)
    length += pieceLength
    heading = piece.evaluate(length).heading
    zones[zones.count - 1].length = length - zones[zones.count - 1].start
  }

  /// Slopes change over 2.5 s of driving, 6 m to 80 m, but never over more than the
  /// stretch they hold for [chosen].
  private mutating func layGrades(_ stretches: [Stretch]) {
    var from = stretches.first?.grade ?? 0
    for stretch in stretches {
      let change = min(stretch.length, max(6, min(80, 2.5 * stretch.speed)))
      grades.append(GradePiece(start: stretch.start, length: change, from: from, to: stretch.grade))
      from = stretch.grade
    }
  }

  private struct Stretch {
    var start: Double
    var length: Double
    var grade: Double
    var speed: Double
  }
}

extension Array {
  /// The last element whose `start` is at or before `value`; the first where there is
  /// none. The array is not empty.
  func piece(at value: Double, start: (Element) -> Double) -> Element {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(self[middle]) <= value { low = middle } else { high = middle }
    }
    return self[low]
  }
}
