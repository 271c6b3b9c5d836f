/// What a client may know.
public enum AuthorizationStatus: String, Sendable, CaseIterable {
  /// Nobody has decided yet; nothing is told until somebody does.
  case notDetermined
  /// Location services are off as a whole.
  case restricted
  /// This client is refused.
  case denied
  /// This client is let.
  case authorized

  /// Whether locations may be told.
  public var isAuthorized: Bool { self == .authorized }
}

/// How exactly a client may know the place.
public enum AccuracyAuthorization: String, Sendable, CaseIterable {
  /// As exactly as it is known.
  case full
  /// To some kilometres, some times an hour.
  case reduced
}
