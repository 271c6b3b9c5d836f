import Location

/// A value in the file.
struct ConfigurationValue {
  let text: String
  let key: String
  let line: Int

  private func flaw(_ wanted: String) -> ServiceConfiguration.Flaw {
    .init(line: line, reason: "\(key) takes \(wanted), not \(text.isEmpty ? "nothing" : text)")
  }

  func string() throws(ServiceConfiguration.Flaw) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
      !text.dropFirst().dropLast().contains("\"")
    else { throw flaw("a text in \"\"") }
    return String(text.dropFirst().dropLast())
  }

  func choice(_ texts: [String]) throws(ServiceConfiguration.Flaw) -> String {
    let text = try string()
    guard texts.contains(text) else { throw flaw(texts.map { "\"\($0)\"" }.joined(separator: " or ")) }
    return text
  }

  func bool() throws(ServiceConfiguration.Flaw) -> Bool {
    guard text == "true" || text == "false" else { throw flaw("true or false") }
    return text == "true"
  }

  func integer(in range: ClosedRange<Int64>) throws(ServiceConfiguration.Flaw) -> Int64 {
    let value = text.hasPrefix("0o") ? Int64(text.dropFirst(2), radix: 8) : Int64(text)
    guard let value, range.contains(value) else {
      throw flaw("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(in range: ClosedRange<Double>) throws(ServiceConfiguration.Flaw) -> Double {
    guard let value = Double(text), range.contains(value) else {
      throw flaw("a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func clientName() throws(ServiceConfiguration.Flaw) -> String {
    let name = try string()
    let stem = name.hasSuffix("*") ? String(name.dropLast()) : name
    guard name == "*" || ClientIdentity.isName(stem) else {
      throw flaw("letters, digits, dots, dashes and underscores, with one * at the end if need be")
    }
    return name
  }

  func purposeKeys() throws(ServiceConfiguration.Flaw) -> Set<String> {
    let keys = try string().split(separator: " ").map(String.init)
    guard keys.count <= TemporaryFullAccuracy.mostKeys, keys.allSatisfy(TemporaryFullAccuracy.isPurposeKey)
    else {
      throw flaw(
        "at most \(TemporaryFullAccuracy.mostKeys) keys of letters, digits, dots, dashes and underscores, "
          + "with blanks between them")
    }
    return Set(keys)
  }

  func grant() throws(ServiceConfiguration.Flaw) -> AuthorizationPolicy.Grant {
    switch try string() {
    case "full": .init(.authorized)
    case "reduced": .init(.authorized, .reduced)
    case "nothing": .init(.denied)
    default: throw flaw("\"full\", \"reduced\" or \"nothing\"")
    }
  }
}
