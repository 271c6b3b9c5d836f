import ArgumentParser
import Location
import Navigation
import Programs

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `reckon authorize`
struct AuthorizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authorize",
    abstract: "Decide which programs may know where the car is, and see which did.",
    discussion: """
      For root and the user that the service runs as. A decision holds until it is changed, and at once for programs that run. What the
      service's configuration says of a program goes before it.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable { case list, allow, deny, forget }

  @OptionGroup var service: ServiceOptions
  @Argument(help: "list, allow, deny or forget.") var action = Action.list
  @Argument(help: "Name of the program.") var name: String?
  @Option(help: ArgumentHelp("The user that the program runs as; else your own.", valueName: "id"))
  var user: UInt32?
  @Flag(help: "Allow some kilometres, some times an hour.") var reduced = false

  func validate() throws {
    if action == .list {
      guard name == nil else { throw ValidationError("list takes no name.") }
    } else {
      guard let name, ClientIdentity.isName(name) else {
        throw ValidationError("\(action.rawValue) takes the name of a program, such as com.example.tracker.")
      }
    }
  }

  func run() throws {
    try service.reporting {
      let connection = try ServiceConnection(
        path: service.path, name: service.client, purpose: "decides who may know the place")
      if let name {
        let client = ClientIdentity(name: name, user: user ?? getuid())
        let grant: AuthorizationPolicy.Grant? =
          switch action {
          case .allow: .init(.authorized, reduced ? .reduced : .full)
          case .deny: .init(.denied)
          case .forget, .list: nil
          }
        try connection.say(.authorize(client, grant))
      } else {
        try connection.say(.requestAuthorizations)
      }
      let (decisions, audit) = try connection.answer {
        if case .authorizations(let decisions, let audit) = $0 { (decisions, audit) } else { nil }
      }
      show(decisions, audit)
    }
  }

  private func show(_ decisions: [ServiceMessage.Decision], _ audit: [UsageAudit.Entry]) {
    var text = decisions.isEmpty ? "Nothing has been decided.\n" : "Decided:\n"
    for decision in decisions {
      let accuracy = decision.grant.status == .authorized ? ", \(decision.grant.accuracy.rawValue)" : ""
      text +=
        "  \(decision.client.name), user \(decision.client.user): \(decision.grant.status.rawValue)\(accuracy)\n"
    }
    text += audit.isEmpty ? "Nobody was told in the last 24 hours.\n" : "Told in the last 24 hours:\n"
    for entry in audit {
      let seconds = Int(entry.until.seconds(since: entry.from).rounded(.up))
      text +=
        "  \(entry.client.name), user \(entry.client.user): \(entry.count) locations in \(seconds) s, to \(entry.purpose)\n"
    }
    Terminal.output(text)
  }
}
