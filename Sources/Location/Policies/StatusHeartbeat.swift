import Navigation

/// Says how the service is doing once a second, and at once when it changes: silence is never an answer.
public struct StatusHeartbeat: Sendable, Equatable {
  /// Seconds from one status to the next.
  public static let interval = 1.0
  /// Seconds after which a solution that nothing has followed is no answer any more.
  public static let longestSilence = 3.0
  /// Accuracy radius in metres beyond which a place is not known well enough to be told as one: ten
  /// times the coarsest wish.
  public static let worstAccuracy = 30_000.0

  private var said: LocationStatus?

  /// Nothing said yet.
  public init() {}

  /// The status to say now; nil if it was said within the last second and has not changed in kind.
  public mutating func update(_ status: LocationStatus) -> LocationStatus? {
    if let said {
      let isSame =
        said.mode == status.mode && said.unknown == status.unknown
        && said.lostSources == status.lostSources
      // A clock that went backward is no reason to fall silent.
      let elapsed = status.timestamp.seconds(since: said.timestamp)
      if isSame, elapsed >= 0, elapsed < Self.interval { return nil }
    }
    said = status
    return status
  }

  /// Why the place is not known, from what the engine said last and how the sources do; nil if it is known.
  ///
  /// - Parameters:
  ///   - latest: the newest location of the engine, valid or not.
  ///   - sources: how many sources are configured that can tell the place or its change.
  ///   - lost: how many of them do not deliver.
  ///   - now: time of the question.
  public static func unknownReason(
    latest: Location?, sources: Int, lost: Int, at now: Timestamp
  ) -> LocationError.UnknownReason? {
    if let latest, now.seconds(since: latest.timestamp) <= longestSilence {
      if latest.isValid {
        return latest.horizontalAccuracy <= worstAccuracy ? nil : .notEnoughAccuracy
      }
      if latest.horizontalAccuracy >= 0 { return .notEnoughAccuracy }
    }
    if sources == 0 { return .hardwareMissing }
    return lost >= sources ? .sourceUnreachable : .searching
  }
}
