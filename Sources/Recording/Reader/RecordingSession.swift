import Navigation

/// One start of the recorder, to its end: one run of the host clock and of the engine.
public struct RecordingSession: Sendable, Equatable {
  /// The number that its segments bear.
  public var id: UInt64
  /// When it was started, by the host's idea of UTC since 1970.
  public var started: Timestamp
  /// Whether its first segments have been removed to make room.
  public var lacksStart: Bool
  /// The numbers of its segments.
  var segments: ClosedRange<UInt64>

  /// The sessions of the recording at `path`, oldest first. A segment with a damaged head
  /// counts with the one before it.
  public static func all(of path: String) throws(RecordingError) -> [RecordingSession] {
    var sessions: [RecordingSession] = []
    for segment in try RecordingFolder.existingSegments(of: path) {
      let head = try RecordingFolder.contents(of: segment.path, limit: SegmentHeader.length)
      if case .good(let header) = SegmentHeader.read(head), header.session != sessions.last?.id {
        sessions.append(
          RecordingSession(
            id: header.session, started: header.started, lacksStart: header.precedingRecords > 0,
            segments: segment.number...segment.number))
      } else if let last = sessions.indices.last {
        let range = sessions[last].segments
        sessions[last].segments = range.lowerBound...segment.number
      } else {
        sessions.append(
          RecordingSession(
            id: 0, started: Timestamp(nanoseconds: 0), lacksStart: true,
            segments: segment.number...segment.number))
      }
    }
    return sessions
  }
}
