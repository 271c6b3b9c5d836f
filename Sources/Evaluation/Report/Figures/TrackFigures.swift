import CLibrary
import Navigation

/// Map and error over time as they stand still: on paper, in files, and where there is no script.
enum TrackFigures {
  static func all(
    _ tracks: [ReportTrack], on streets: ReportStreets? = nil, _ time: FigureAxis
  ) -> [ReportFigure] {
    [map(tracks, on: streets), error(tracks, time)].compactMap(\.self)
  }

  private static let order: [ReportTrack.Role] = [
    .truth, .gnss, .receiver, .track, .full, .fixedLag, .causal,
  ]

  private static func map(_ tracks: [ReportTrack], on streets: ReportStreets?) -> ReportFigure? {
    let placed = tracks.map { track in
      (track.role, track.points.map(\.position).filter { $0.isValid })
    }.filter { !$0.1.isEmpty }
    guard let origin = (placed.first { $0.0 != .gnss } ?? placed.first)?.1.first else { return nil }
    let local = placed.map { role, points in (role, points.map { $0.ned(from: origin) }) }
    let main = local.contains { $0.0 != .gnss } ? local.filter { $0.0 != .gnss } : local
    let (norths, easts) = (main.flatMap { $0.1.map(\.x) }, main.flatMap { $0.1.map(\.y) })
    guard let south = norths.min(), let north = norths.max(), let west = easts.min(), let east = easts.max()
    else { return nil }
    let (width, height) = (FigurePlot.width, 300.0)
    let scale = min((width - 40) / max(east - west, 5), (height - 70) / max(north - south, 5))
    let (x0, y0) = ((width - (east + west) * scale) / 2, (height - 10 + (north + south) * scale) / 2)
    let place = { (point: Vector3) in
      "\(FigureNumber.coordinate(x0 + point.y * scale)) \(FigureNumber.coordinate(y0 - point.x * scale))"
    }
    let ground = streets.map { streets in
      StreetDrawing(
        streets,
        in: .init(
          width: width, height: height, origin: origin, scale: scale,
          place: { north, east in (x0 + east * scale, y0 - north * scale) }))
    }
    var content = ground?.content ?? ""
    for role in order {
      guard let points = local.first(where: { $0.0 == role })?.1 else { continue }
      content += path(points, role, scale, place)
    }
    content += scaleBar(scale, height)
    let names = order.filter { role in local.contains { $0.0 == role } }.map(\.title)
    return ReportFigure(
      "map", "Track",
      summary:
        "A map, north up, \(FigureNumber.figure(east - west)) m wide and \(FigureNumber.figure(north - south)) m high, of: "
        + "\(names.joined(separator: ", ")).\(ground?.summary ?? "")",
      table: (
        ["Track", "Points"], local.map { [$0.0.title, "\($0.1.count)"] }
      ), content: content, height: height)
  }

  /// One track: points at least half a unit apart.
  private static func path(
    _ points: [Vector3], _ role: ReportTrack.Role, _ scale: Double, _ place: (Vector3) -> String
  ) -> String {
    var text = ""
    var last: Vector3?
    for point in points {
      if let last, (point - last).horizontalNorm * scale < 0.7 { continue }
      text += role == .gnss ? "M\(place(point))h0" : (last == nil ? "M" : "L") + place(point)
      last = point
    }
    let style =
      role == .gnss
      ? "dots gnss\" stroke-width=\"2" : "line \(role.rawValue)\(role == .truth ? " thick" : "")"
    return "<path class=\"\(style)\" d=\"\(text)\"/>\n"
  }

  private static func scaleBar(_ scale: Double, _ height: Double) -> String {
    let rough = 70 / scale
    let power = pow(10, (0..<8).last { pow(10, Double($0)) <= rough }.map(Double.init) ?? 0)
    let metres = [5, 2, 1].map { $0 * power }.first { $0 <= rough } ?? power
    let label = metres >= 1000 ? "\(FigureNumber.figure(metres / 1000)) km" : "\(Int(metres)) m"
    let (x, y) = (12.0, height - 10)
    let text = [x, y - 4, metres * scale, x + metres * scale / 2, y - 5].map(FigureNumber.coordinate)
    return """
      <path class="axis" d="M\(text[0]) \(text[1])v4h\(text[2])v-4"/><text x="\(text[3])" y="\(text[4])" \
      text-anchor="middle">\(label)</text>
      <path class="axis" d="M346 24v-16m-4 5l4-5l4 5"/><text x="346" y="36" text-anchor="middle">N</text>

      """
  }

  /// The horizontal error of each track over time.
  private static func error(_ tracks: [ReportTrack], _ time: FigureAxis) -> ReportFigure? {
    let curves = order.compactMap { role -> (ReportTrack.Role, [(x: Double, y: Double)])? in
      guard role != .truth, let track = tracks.first(where: { $0.role == role }) else { return nil }
      let points = track.points.compactMap { point in
        point.horizontalError.flatMap { $0.isFinite && abs(point.time) < 1e9 ? (x: point.time, y: $0) : nil }
      }
      return points.count > 1 ? (role, points) : nil
    }
    guard !curves.isEmpty else { return nil }
    let stated = tracks.first { $0.role == .causal }?.points.compactMap { point in
      point.radius95.flatMap { $0.isFinite ? (x: point.time, y: $0) : nil }
    }
    let top = curves.flatMap { $0.1.map(\.y) }.max() ?? 1
    var plot = FigurePlot(x: time, y: .squareRoot(to: top * 1.05, "horizontal error, m"))
    if let stated, !stated.isEmpty {
      plot.addBand(
        low: FigureCurve(overTime: stated.map { ($0.x, 0) }), high: FigureCurve(overTime: stated),
        FigurePlot.Line("causal", "95 %"))
    }
    for (role, points) in curves {
      plot.add(FigureCurve(overTime: points), FigurePlot.Line(role.rawValue, role.short))
    }
    let words = curves.map { role, points in
      "\(role.title) \(FigureNumber.figure(FigureData.percentile(0.95, points.map(\.y)))) m"
    }
    return ReportFigure(
      "error", "Horizontal error over time",
      summary: "95 % of the time within: \(words.joined(separator: ", ")).",
      table: FigureData.table(curves.map { ("\($0.0.title), m", $0.1) }), plot: plot, isOverTime: true)
  }
}
