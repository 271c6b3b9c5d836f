/// Who may know where the car is.
///
/// In this order: services off as a whole, a rule of the file, a decision that was made, the default. Nothing else lets anybody.
public struct AuthorizationPolicy: Sendable, Equatable {
  /// What a client may know.
  public struct Grant: Sendable, Hashable {
    /// Whether it may know anything.
    public var status: AuthorizationStatus
    /// How exactly.
    public var accuracy: AccuracyAuthorization

    /// A status with an accuracy.
    public init(_ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization = .full) {
      self.status = status
      self.accuracy = accuracy
    }

    /// Why nothing is told; nil where something is.
    public var denial: LocationError.DenialReason? {
      switch status {
      case .authorized: nil
      case .restricted: .serviceDisabled
      case .denied: .deniedForClient
      case .notDetermined: .notDetermined
      }
    }
  }

  /// A line of the file: a pattern of clients and what they may know.
  public struct Rule: Sendable, Hashable {
    /// A name, or a name's beginning with `*` at its end.
    public var name: String
    /// A user, or nil for all.
    public var user: UInt32?
    /// What they may know.
    public var grant: Grant

    /// What clients of that name and user may know.
    public init(name: String, user: UInt32?, grant: Grant) {
      self.name = name
      self.user = user
      self.grant = grant
    }

    /// Whether it speaks of `client`.
    public func matches(_ client: ClientIdentity) -> Bool {
      if let user, user != client.user { return false }
      guard name.hasSuffix("*") else { return name == client.name }
      return client.name.hasPrefix(name.dropLast())
    }
  }

  /// Whether anybody is told anything.
  public var locationServicesEnabled: Bool
  /// The file's rules; the first that matches decides.
  public var rules: [Rule]
  /// Decisions made one by one; each holds until it is changed.
  public private(set) var decisions: [ClientIdentity: Grant]
  /// The user whose programs are let where nothing else says anything: the one that the service runs as. Nil lets nobody.
  public var trustedUser: UInt32?

  /// Services on, and nobody let but by rules, decisions and the trusted user.
  public init(
    locationServicesEnabled: Bool = true, rules: [Rule] = [],
    decisions: [ClientIdentity: Grant] = [:], trustedUser: UInt32? = nil
  ) {
    self.locationServicesEnabled = locationServicesEnabled
    self.rules = rules
    self.decisions = decisions
    self.trustedUser = trustedUser
  }

  /// What `client` may know now.
  public func grant(for client: ClientIdentity) -> Grant {
    guard locationServicesEnabled else { return Grant(.restricted) }
    if let rule = rules.first(where: { $0.matches(client) }) { return rule.grant }
    if let decision = decisions[client] { return decision }
    return client.user == trustedUser ? Grant(.authorized) : Grant(.notDetermined)
  }

  /// Decides about `client`; nil forgets the decision.
  public mutating func decide(_ grant: Grant?, for client: ClientIdentity) {
    decisions[client] = grant
  }
}
