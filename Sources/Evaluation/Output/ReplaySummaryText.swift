import Drives
import Fusion

extension DriveReplay.Summary {
  /// The summary for a terminal.
  public var text: String {
    let counts = [SensorKind.inertial, .gnss, .wheel, .pressure]
      .filter { $0 != .pressure || samples[$0] > 0 }.map { $0.counted(samples[$0]) }
    var lines = [
      "\(description.name): \(TextTable.cell(duration, digits: 1)) s, \(counts.joined(separator: ", "))",
      "first solution after \(Self.seconds(firstSolutionAfter)), heading known after \(Self.seconds(alignedAfter))",
    ]
    if let last {
      lines.append(
        "at the end: \(TextTable.cell(last.position.latitudeDegrees, digits: 7))°, "
          + "\(TextTable.cell(last.position.longitudeDegrees, digits: 7))°, "
          + "\(TextTable.cell(last.position.height, digits: 1)) m, within "
          + "\(TextTable.cell(last.horizontalAccuracy)) m (68 %), \(TextTable.cell(last.speed)) m/s, course "
          + "\(TextTable.cell(Angle.degrees(radians: last.course), digits: 1))°")
    }
    if recoveries > 0 {
      lines.append("recovered \(recoveries) times from a heading or position that the fixes contradicted")
    }
    lines += calibration?.lines ?? []
    var table = TextTable(
      [
        "measurement", "n", "accepted", "weighed down", "outlier", "stale", "non-finite", "repeated",
        "extrapolated", "carried", "contradicted",
        "NIS / dof",
      ],
      leading: 1)
    for kind in measurements where kind.count > 0 {
      table.add(
        [
          kind.kind.rawValue, "\(kind.count)", "\(kind.accepted)", "\(kind.weighedDown)", "\(kind.outliers)",
          "\(kind.stale)", "\(kind.nonFinite)", "\(kind.repeated)", "\(kind.extrapolated)",
          "\(kind.carried)", "\(kind.contradicted)",
          TextTable.cell(kind.nisPerDimension),
        ])
    }
    return lines.joined(separator: "\n") + "\n" + (table.isEmpty ? "" : table.text)
  }

  private static func seconds(_ value: Double?) -> String {
    value.map { TextTable.cell($0, digits: 1) + " s" } ?? "never"
  }
}
