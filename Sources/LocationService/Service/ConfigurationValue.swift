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

  /// Permissions of a file. With a 0 before it TOML has no number, and C has octal digits: which was meant?
  func permissions() throws(ServiceConfiguration.Flaw) -> UInt32 {
    guard text == "0" || !text.hasPrefix("0") || text.hasPrefix("0o") else {
      throw flaw("octal digits after 0o, as in 0o\(text.drop { $0 == "0" })")
    }
    do { return UInt32(try integer(in: 0...0o777)) } catch {
      throw flaw("permissions from 0 to 0o777, as in 0o660")
    }
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
