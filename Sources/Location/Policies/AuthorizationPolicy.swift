/// Who may know where the car is.
///
/// Services that are off let nobody. Else the stricter of a rule of the file and a decision holds, so that a
/// denial of either is one whatever the other says; and where neither speaks of a client, the default.
/// Nothing else lets anybody.
///
/// A program names itself, and one that was denied could come back by another name. Once a decision denies a
/// program of a user, those programs of this user alone are let that a rule or a decision names in full: no
/// pattern of a rule and no default lets another.
public struct AuthorizationPolicy: Sendable, Equatable {
  /// What a client may know.
  public struct Grant: Sendable, Hashable {
    /// Whether it may know anything.
    public var status: AuthorizationStatus
    /// How exactly.
    public var accuracy: AccuracyAuthorization
    /// For what a client with reduced accuracy may have ``TemporaryFullAccuracy``, in keys of its own.
    public var fullAccuracyPurposeKeys: Set<String>

    /// A status with an accuracy, and with purposes for more of it.
    public init(
      _ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization = .full,
      fullAccuracyPurposeKeys: Set<String> = []
    ) {
      self.status = status
      self.accuracy = accuracy
      self.fullAccuracyPurposeKeys = fullAccuracyPurposeKeys
    }

    /// The one that lets less: a denial before anything else, then reduced accuracy, for a while
    /// more only where both say so.
    func stricter(_ other: Grant) -> Grant {
      if !status.isAuthorized { return self }
      if !other.status.isAuthorized { return other }
      guard accuracy == .reduced else { return other }
      guard other.accuracy == .reduced else { return self }
      return Grant(
        .authorized, .reduced,
        fullAccuracyPurposeKeys: fullAccuracyPurposeKeys.intersection(other.fullAccuracyPurposeKeys))
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

    /// Whether it speaks of one name alone.
    public var isExact: Bool { !name.hasSuffix("*") }

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
  public private(set) var decisions: [ClientIdentity: Grant] { didSet { noteSuspects() } }
  /// The users of whom a program was denied by a decision.
  private var suspects: Set<UInt32> = []
  /// The user whose programs are let where nothing else says anything: the one that the service
  /// runs as. Nil lets nobody.
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
    noteSuspects()
  }

  /// What `client` may know now.
  public func grant(for client: ClientIdentity) -> Grant {
    guard locationServicesEnabled else { return Grant(.restricted) }
    let (rule, decision) = (rules.first { $0.matches(client) }, decisions[client])
    if let decision { return rule.map { $0.grant.stricter(decision) } ?? decision }
    let isSuspect = suspects.contains(client.user)
    if let rule, !(isSuspect && rule.grant.status.isAuthorized && !rule.isExact) { return rule.grant }
    return client.user == trustedUser && !isSuspect && !hasDenial(ofUser: client.user)
      ? Grant(.authorized) : Grant(.notDetermined)
  }

  /// Whether programs of `user` must be named to be let, because one of them was denied.
  public func mustBeNamed(_ user: UInt32) -> Bool { suspects.contains(user) }

  private func hasDenial(ofUser user: UInt32) -> Bool {
    rules.contains { $0.grant.status == .denied && ($0.user ?? user) == user }
  }

  private mutating func noteSuspects() {
    suspects = Set(decisions.lazy.filter { $0.value.status == .denied }.map(\.key.user))
  }

  /// Decides about `client`; nil forgets the decision.
  public mutating func decide(_ grant: Grant?, for client: ClientIdentity) {
    decisions[client] = grant
  }
}
