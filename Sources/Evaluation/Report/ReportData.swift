import Navigation

/// The tracks of a drive as compact JSON for the page's script: whole numbers, each the difference from the
/// one before; milliseconds, centimetres, cm/s and tenths of a degree; null for what is not known.
struct ReportData {
  /// The JSON text, with nothing in it that could end a script element.
  private(set) var json = ""
  /// Where its metres count from; nil where nothing has a place.
  private(set) var origin: (latitude: Double, longitude: Double)?
  /// Points without a finite time or position, which cannot be drawn.
  private(set) var unplaced = 0

  /// Drawn points lie at least this far apart in time: 0.1 s, more where a drive is longer than 20 minutes.
  private let spacing: Double

  /// The tracks of `report`.
  init(_ report: DriveReport) {
    spacing = max(0.1, report.duration.isFinite ? report.duration / 12_000 : 0.1)
    let tracks = report.tracks.map { track in
      let placed = track.points.filter(Self.isPlaced)
      unplaced += track.points.count - placed.count
      return (track.role, thinned(placed))
    }
    let origin = tracks.lazy.compactMap(\.1.first).first?.position
    self.origin = origin.map { ($0.latitudeDegrees, $0.longitudeDegrees) }
    json = "{\"tracks\":["
    for (index, (role, points)) in tracks.enumerated() {
      if index > 0 { json += "," }
      json += "{\"role\":\"\(role.rawValue)\""
      if let origin { append(points, from: origin) }
      json += "}"
    }
    json += "]}"
  }

  private static func isPlaced(_ point: ReportPoint) -> Bool {
    abs(point.time) < 1e9 && point.position.isValid
  }

  /// `points` no closer in time than `spacing`, first and last kept.
  private func thinned(_ points: [ReportPoint]) -> [ReportPoint] {
    var kept: [ReportPoint] = []
    var last = -Double.infinity
    for (index, point) in points.enumerated()
    where point.time - last > spacing * 0.95 || index == points.count - 1 {
      kept.append(point)
      last = point.time
    }
    return kept
  }

  private mutating func append(_ points: [ReportPoint], from origin: GeodeticPosition) {
    let local = points.map { $0.position.ned(from: origin) }
    append("t", points.map { $0.time * 1000 })
    append("x", local.map { $0.y * 100 })
    append("y", local.map { $0.x * 100 })
    append("a", points.map { $0.radius68.map { $0 * 100 } })
    append("b", points.map { $0.radius95.map { $0 * 100 } })
    append("c", points.map { $0.courseDegrees.map { $0 * 10 } })
    append("v", points.map { $0.speed.map { $0 * 100 } })
    append("e", points.map { $0.horizontalError.map { $0 * 100 } })
  }

  /// One column; left out where nothing in it is known.
  private mutating func append(_ name: String, _ values: [Double?]) {
    let whole = values.map { value in
      value.flatMap { abs($0) < 1e15 ? Int($0.rounded()) : nil }
    }
    guard whole.contains(where: { $0 != nil }) else { return }
    json += ",\"\(name)\":["
    var last = 0
    for (index, value) in whole.enumerated() {
      if index > 0 { json += "," }
      guard let value else {
        json += "null"
        continue
      }
      json += "\(value - last)"
      last = value
    }
    json += "]"
  }
}
