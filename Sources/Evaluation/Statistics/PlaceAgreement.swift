import CLibrary
import Drives
import Navigation

/// Whether the fixes lie where another file and their own velocities have them, or would only if latitude and
/// longitude changed places: both are in range then, and no row is refused.
public struct PlaceAgreement: Sendable, Equatable {
  /// The fixes beside what the files of truth and of another system have for their times.
  private var truth = FarPlaces(), receiver = FarPlaces()
  private var motion = StatedMotion()

  /// Longest time between a fix and the point of another file that it is held against, s.
  private static let reach = 10.0

  /// No fix yet.
  public init() {}

  /// Takes the next fix.
  mutating func add(_ fix: GNSSFix, truth: TruthTrack? = nil, receiver: TruthTrack? = nil) {
    motion.add(fix)
    for (places, points) in [(\Self.truth, truth), (\Self.receiver, receiver)] {
      guard let point = points?.point(before: fix.time, within: Self.reach) else { continue }
      self[keyPath: places].add(fix.position, beside: point.position)
    }
  }

  /// Sentences about files that lie far apart, or whose latitude and longitude have changed places.
  package var remarks: [String] {
    let files = [(TruthSample.file, truth), (TruthSample.receiverFile, receiver)]
    let remarks = files.compactMap { file, places in
      places.kilometres.map { remark(file, kilometres: $0, areSwapped: places.areSwapped) }
    }
    guard remarks.isEmpty, motion.isSwapped == true else { return remarks }
    return [
      "gnss.csv: the fixes move as their velocities say only if latitude and longitude change places: \(Self.columns), "
        + "or, if a map shows the places where the car was, correct north and east of the velocity (a course "
        + "counts from north through east)."
    ]
  }

  private func remark(_ file: String, kilometres: Double, areSwapped: Bool) -> String {
    let apart = "gnss.csv and \(file) lie \(TextTable.cell(kilometres, digits: 0)) km apart"
    guard areSwapped else {
      return "\(apart): are both of one drive, and in degrees, north and east of zero positive?"
    }
    let which =
      switch motion.isSwapped {
      case true?: "in gnss.csv, whose velocities say so too"
      case false?: "in \(file), since the fixes move as their velocities say"
      case nil: "in one of the two, and a map shows in which"
      }
    return
      "\(apart), and agree if latitude and longitude change places \(which): \(Self.columns)."
  }

  private static let columns = "write latitude under latitude_deg and longitude under longitude_deg"
}

/// What fixes state of their velocity beside the way from one to the next.
private struct StatedMotion: Sendable, Equatable {
  /// Where a piece of the way began, where it is now, and what the velocities make of the way between.
  private struct Piece: Sendable, Equatable {
    var start, last: GNSSFix
    var north = 0.0, east = 0.0
    var length: Double { hypot(north, east) }

    func difference(from start: GeodeticPosition, to end: GeodeticPosition) -> Double {
      let way = end.onEllipsoid.ned(from: start.onEllipsoid)
      return hypot(way.x - north, way.y - east)
    }
  }

  private var piece: Piece?
  /// Sums over the pieces, m: their length by the velocities, and how far the places differ from that, as
  /// they are and swapped.
  private var length = 0.0, difference = 0.0, swappedDifference = 0.0

  /// [chosen: several times the error of a fix]
  private static let pieceLength = 100.0
  /// Longest time from one fix to the next over which velocities are summed, s.
  private static let longestGap = 2.5
  /// Shortest way that is judged, m.
  private static let enough = 1000.0

  /// Whether latitude and longitude have changed places; nil where the velocities do not tell.
  var isSwapped: Bool? {
    guard length >= Self.enough else { return nil }
    let (worse, better) = (max(difference, swappedDifference), min(difference, swappedDifference))
    // On a way to the north-east the swap changes little, and noise is part of both.
    guard worse > 0.25 * length, better < 0.3 * worse else { return nil }
    return difference > swappedDifference
  }

  mutating func add(_ fix: GNSSFix) {
    guard let velocity = fix.velocityNED else { return piece = nil }
    let gap = piece.map { fix.time.seconds(since: $0.last.time) } ?? .infinity
    guard var piece, let before = piece.last.velocityNED, gap > 0, gap <= Self.longestGap else {
      piece = Piece(start: fix, last: fix)
      return
    }
    piece.north += gap * (velocity.x + before.x) / 2
    piece.east += gap * (velocity.y + before.y) / 2
    piece.last = fix
    self.piece = piece
    guard piece.length >= Self.pieceLength else { return }
    length += piece.length
    difference += piece.difference(from: piece.start.position, to: fix.position)
    swappedDifference += piece.difference(from: piece.start.position.swapped, to: fix.position.swapped)
    self.piece = Piece(start: fix, last: fix)
  }
}

extension TruthTrack {
  /// The last sample before or at `time`, if it is not older than so many seconds.
  fileprivate func point(before time: Timestamp, within seconds: Double) -> TruthSample? {
    let after = index(after: time)
    guard after > 0, time.seconds(since: samples[after - 1].time) <= seconds else { return nil }
    return samples[after - 1]
  }
}
