import Foundation
import JSON
import Location
import LocationService
import Testing

/// The page on the protocol, against what both sides write: what either does not know of the other fails.
@Suite struct ProtocolPageTests {
  private static let root = #filePath.replacing(/Tests\/.*/, with: "")

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + path, encoding: .utf8)
  }

  private func page() throws -> String { try Self.text("Sources/Location/Location.docc/Protocol.md") }

  /// What the page says under a heading, to the next.
  private func section(_ heading: String) throws -> String {
    let page = try page()
    let start = try #require(page.range(of: "## \(heading)\n"))
    let rest = page[start.upperBound...]
    return String(rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)])
  }

  /// The words in backticks that could be a type or a member.
  private func words(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([A-Za-z0-9]+)`/).map { String($0.output.1) }
  }

  /// The rows of the table whose head begins so: the cells of each.
  private func rows(_ text: String, _ head: String) throws -> [[Substring]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.hasPrefix(head) })
    return lines[(first + 2)...].prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map(\.self) }
  }

  /// The types that the code writes, by its own text.
  private func written(_ files: [String]) throws -> Set<String> {
    var types: Set<String> = []
    for file in files {
      let text = try Self.text("Sources/Location/Wire/" + file)
      types.formUnion(
        text.matches(of: /(?:\.message|\.answer)\(\s*"([A-Za-z]+)"/).map { String($0.output.1) })
    }
    return types
  }

  /// Every member of a message, within others too; of a list those of all its elements.
  private func members(_ json: JSON) -> Set<String> {
    switch json {
    case .object(let members):
      members.reduce(into: Set(members.map(\.key))) { $0.formUnion(self.members($1.value)) }
    case .array(let items): items.reduce(into: []) { $0.formUnion(members($1)) }
    default: []
    }
  }

  private func byType(_ messages: [JSON]) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for message in messages { found[message["type"]?.string ?? "", default: []].formUnion(members(message)) }
    return found.mapValues { $0.subtracting(["type"]) }
  }

  @Test func thePageHasEveryMessageOfAClientWithItsMembersAndNoOther() throws {
    let sent = byType(WireTests.clientMessages.map(\.json))
    #expect(Set(sent.keys) == (try written(["ClientMessage+JSON.swift"])), "a type that no test makes")
    var said: [String: Set<String>] = [:]
    for cells in try rows(page(), "| a client says |") {
      for type in words(cells[0]) { said[type] = Set(words(cells[1])) }
    }
    #expect(Set(said.keys) == Set(sent.keys))
    for (type, members) in sent {
      // One row for a service's start and stop: a stop may have fewer.
      if type.hasPrefix("stop") || type.hasPrefix("disallow") {
        #expect(members.isSubset(of: said[type] ?? []), "\(type)")
      } else {
        #expect(members == said[type], "\(type)")
      }
    }
  }

  /// The examples of the page, with values in place of its words for them.
  private func examples() throws -> [JSON] {
    let location = Made.location(at: 1).json.text
    let region = Made.home.json.text
    let failure = LocationError.denied(.notDetermined).json.text
    let block = try #require(try section("What the service says").split(separator: "```").dropFirst().first)
    let lines = block.replacing("\n \"audit\"", with: "\"audit\"").replacing("LOCATION", with: location)
      .replacing("REGION", with: region).replacing(", …", with: "")
    return try lines.split(separator: "\n").map { line in
      let isOfRegion = line.contains("\"regionFailed\"")
      let line = line.replacing(
        "FAILURE", with: isOfRegion ? LocationError.RegionFailure.invalid("r").json.text : failure)
      let json = try #require(JSONParser.parse(Array(line.utf8)[...]), "\(line)")
      #expect(ServiceMessage(json: json) != nil, "the library does not understand: \(line)")
      return json
    }
  }

  @Test func thePageHasEveryMessageOfTheServiceWithItsMembersAndNoOther() throws {
    let sent = byType(WireTests.serviceMessages.map(\.json))
    #expect(Set(sent.keys) == (try written(["ServiceMessage+JSON.swift"])), "a type that no test makes")
    let said = byType(try examples())
    #expect(Set(said.keys) == Set(sent.keys))
    // What an example does not show the page names in words.
    let named = Set(words(try page())).union(["stored"])
    for (type, members) in sent {
      #expect((said[type] ?? []).subtracting(members).isEmpty, "\(type) has a member that nobody sends")
      #expect(members.subtracting(said[type] ?? []).subtracting(named).isEmpty, "\(type) on the page")
    }
  }

  @Test func thePageHasEveryMemberOfALocation() throws {
    let sent = WireTests.serviceMessages.reduce(into: Set<String>()) { all, message in
      if case .locations = message { all.formUnion(members(message.json["locations"] ?? .null)) }
    }
    let text = try section("What the service says")
    let start = try #require(text.range(of: "`LOCATION` has "))
    let paragraph = text[start.lowerBound...].prefix { $0 != "." }
    #expect(Set(words(paragraph)).subtracting(["LOCATION"]) == sent)
  }

  @Test func thePageHasEveryValueAndNoOther() throws {
    func all<Value: CaseIterable & RawRepresentable<String>>(_: Value.Type) -> Set<String> {
      Set(Value.allCases.map(\.rawValue))
    }
    let known: [String: Set<String>] = [
      "`desiredAccuracy`": all(DesiredAccuracy.self), "`activity`": all(ActivityType.self),
      "`grant.status`": all(AuthorizationStatus.self), "`accuracy`": all(AccuracyAuthorization.self),
      "`service`": all(ServiceMessage.Service.self), "`state`": all(RegionState.self),
      "`status.unknown`": all(LocationError.UnknownReason.self),
    ]
    var found: Set<String> = []
    for cells in try rows(try section("Values"), "| member | values |") {
      let member = cells[0].trimmingCharacters(in: .whitespaces)
      guard let values = known[member] else { continue }
      found.insert(member)
      #expect(Set(words(cells[1])) == values, "\(member)")
    }
    #expect(found == Set(known.keys))
    let errors = Set(try rows(try section("Values"), "| `error` |").flatMap { words($0[0]) })
    let sent = WireTests.serviceMessages.compactMap { $0.json["failure"]?["error"]?.string }
    // These the library says of itself.
    #expect(errors == Set(sent).subtracting(["serviceUnreachable", "deferredFailed"]))
    let reasons = try section("Values").split(separator: "\n\n").last {
      $0.hasPrefix("`deferredFinished` has")
    }
    #expect(Set(words(try #require(reasons))).isSuperset(of: all(DeferralReason.self)))
  }
}
