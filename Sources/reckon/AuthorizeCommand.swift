import ArgumentParser
import CLibrary
import Location
import Navigation
import Programs

/// `reckon authorize`
struct AuthorizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authorize",
    abstract: "Decide which programs may know where the car is, and see which did.",
    discussion: """
      For root and the user that the service runs as. A decision holds until it is changed, and at once \
      for programs that run; the command ends once it is on the disk. Of a decision and what the service's \
      configuration says the stricter holds: one that is denied is denied. A program takes its name itself: \
      once one of a user is denied, others of that user are let only by a decision or a rule that gives their \
      whole name.

      To forget what was never decided is no error: a note says so.

      Exits with 0, with 2 for arguments that cannot be used and with 3 where the service refuses or could \
      not store the decision.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case list, allow, deny, forget }

  @OptionGroup var service: ServiceOptions
  @Argument(help: "list, allow, deny or forget.") var action = Action.list
  @Argument(help: "Name of the program.") var name: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The user that the program runs as; else your own.", valueName: "id"))
  var user: UInt32?
  @Flag(help: "Allow some kilometres, some times an hour.") var reduced = false

  @Option(
    name: .customLong("purpose-key"),
    help: ArgumentHelp(
      "Allow the exact place for 15 min where the program asks for it by this key; again for each key.",
      valueName: "key"))
  var purposeKeys: [String] = []

  func validate() throws {
    if action == .list {
      guard name == nil else { throw ValidationError("list takes no name.") }
    } else {
      guard let name, ClientIdentity.isName(name) else {
        throw ValidationError("\(action.rawValue) takes the name of a program, such as com.example.tracker.")
      }
    }
    if reduced, action != .allow { throw ValidationError("--reduced goes with allow.") }
    if !purposeKeys.isEmpty, !reduced { throw ValidationError("--purpose-key goes with allow --reduced.") }
    guard purposeKeys.count <= TemporaryFullAccuracy.mostKeys,
      purposeKeys.allSatisfy(TemporaryFullAccuracy.isPurposeKey)
    else {
      throw ValidationError(
        "--purpose-key takes letters, digits, dots, dashes and underscores, at most "
          + "\(TemporaryFullAccuracy.mostKeys) times.")
    }
  }

  func run() throws {
    let connection = try ServiceConnection(
      path: service.path, name: service.client, purpose: "decides who may know the place")
    if let name {
      let client = ClientIdentity(name: name, user: user ?? getuid())
      if action == .forget { try noteUndecided(client, connection) }
      let grant: AuthorizationPolicy.Grant? =
        switch action {
        case .allow:
          .init(
            .authorized, reduced ? .reduced : .full, fullAccuracyPurposeKeys: Set(purposeKeys))
        case .deny: .init(.denied)
        case .forget, .list: nil
        }
      try connection.say(.authorize(client, grant))
    } else {
      try connection.say(.requestAuthorizations)
    }
    let (decisions, audit) = try authorizations(connection)
    Terminal.output(AuthorizationText.text(decisions, audit))
  }

  private func authorizations(
    _ connection: ServiceConnection
  ) throws -> ([ServiceMessage.Decision], [UsageAudit.Entry]) {
    try connection.answer {
      if case .authorizations(let decisions, let audit) = $0 { (decisions, audit) } else { nil }
    }
  }

  /// Says so where nothing has been decided about `client`, and of which other user something has.
  private func noteUndecided(_ client: ClientIdentity, _ connection: ServiceConnection) throws {
    try connection.say(.requestAuthorizations)
    let decided = try authorizations(connection).0.filter { $0.grant != nil && $0.client.name == client.name }
    guard !decided.contains(where: { $0.client == client }) else { return }
    let others = decided.map { "--user \($0.client.user)" }.joined(separator: " or ")
    Terminal.error(
      "note: nothing was decided about \(client.name) of user \(client.user)"
        + (others.isEmpty ? "" : "; of another user it was: \(others)"))
  }
}
