import Foundation
import JSON
import TestParts
import Testing

@Suite struct JSONTests {
  private func read(_ text: String, limits: JSONParser.Limits = .file) -> Result<JSON, JSONFault> {
    Result { () throws(JSONFault) in try JSONParser.read(Array(text.utf8)[...], limits: limits) }
  }

  private func fault(_ bytes: [UInt8], limits: JSONParser.Limits = .file) -> JSONFault? {
    do throws(JSONFault) {
      _ = try JSONParser.read(bytes[...], limits: limits)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    "", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "01", "-01", "1.", ".5", "-", "+1", "1e", "1e+", "nan",
    "tru",
    "truex", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"",
    "1 2",
    "{\"a\":1,\"a\":2}", "1e999", "'a'", "{a:1}", "\u{FEFF}1", "[1 2]", "[,1]", "{\"a\":}", "//\n1",
    "\u{A0}1",
  ]) func whatIsNotJSONIsNone(_ text: String) { #expect(throws: JSONFault.self) { try read(text).get() } }

  @Test func whatIsJSONIsRead() throws {
    #expect(
      try read(" [ 1 , -2.5e3 , true , null , \"\\u00fc\\ud83d\\ude97\\/\\b\\f\\n\\r\\t\" ] ").get()
        == .array([.integer(1), .number(-2500), .bool(true), .null, .string("ü🚗/\u{8}\u{C}\n\r\t")]))
    #expect(try read("9223372036854775807").get() == .integer(Int64.max))
    #expect(try read("9223372036854775808").get() == .number(9_223_372_036_854_775_808))
    #expect(try read("{\"b\":{},\"a\":[]}").get().text == "{\"b\":{},\"a\":[]}")
    #expect(try read("-0").get().double == 0)
  }

  @Test func aNameStandsOnceInAnObjectHoweverItIsSpelt() {
    #expect(
      fault(Array("{\"\u{E9}\":1,\n\"\\u00e9\":2}".utf8))?.description
        == "line 2, column 1: a key that stands here already")
    // One scalar or two: the same text.
    #expect(fault(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))?.reason == .repeatedKey)
    #expect(fault(Array("{\"a\":{\"a\":1}}".utf8)) == nil)
  }

  @Test(arguments: [
    ("{\"a\":\n  1,\n  }", 3, 3, JSONFault.Reason.unexpected), ("", 1, 1, .unexpected),
    ("[1e400]", 1, 2, .tooLarge),
    ("[\"\\ud800\"]", 1, 3, .halfSurrogate), ("[[[", 1, 3, .tooDeep), ("nul", 1, 4, .unexpected),
    ("[\n01]", 2, 2, .unexpected), ("\"a\nb\"", 1, 3, .unexpected), ("12345678901234567", 1, 17, .tooLong),
  ]) func theFirstFaultIsSaidWithLineAndColumn(
    _ text: String, _ line: Int, _ column: Int, _ reason: JSONFault.Reason
  ) throws {
    let found = try #require(fault(Array(text.utf8), limits: .init(depth: 2, bytes: 16)))
    #expect((found.line, found.column, found.reason) == (line, column, reason))
  }

  @Test func bytesThatAreNoUTF8AreSaid() {
    #expect(fault([0x22, 0xFF, 0x22])?.reason == .notUTF8)
    // Overlong, a surrogate, beyond Unicode, cut off.
    for bad: [UInt8] in [[0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
      #expect(fault([0x22] + bad + [0x22])?.reason == .notUTF8)
    }
    #expect(fault([0xFF])?.reason == .unexpected)
  }

  @Test func depthIsBounded() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
    #expect(fault(deep)?.reason == .tooDeep)
    let most = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(fault(Array(most.utf8)) == nil && fault(Array("[\(most)]".utf8))?.reason == .tooDeep)
  }

  /// 60,000 damaged texts, and made ones: what this reads, Foundation reads as the same; what this refuses
  /// and Foundation reads is one of the things that are refused on purpose.
  @Test func agreesWithFoundationOnDamagedTexts() {
    var dice = Dice(seed: 4)
    var (read, refused) = (0, 0)
    for round in 0..<60_000 {
      var bytes = Array(dice.value(depth: 0).utf8)
      for _ in 0..<dice.below(3) where !bytes.isEmpty { dice.damage(&bytes) }
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      do throws(JSONFault) {
        let ours = try JSONParser.read(bytes[...], limits: .file)
        read += 1
        guard let theirs, ours.isSame(as: theirs), JSONParser.parse(ours.text) == ours else {
          Issue.record("round \(round): \(String(decoding: bytes, as: UTF8.self))")
          return
        }
      } catch {
        refused += 1
        let isStrict = [.repeatedKey, .tooLarge, .notUTF8, .halfSurrogate, .tooDeep].contains(error.reason)
        // A byte-order mark and UTF-16 are other texts to Foundation, and it takes a comma
        // before the end of a list.
        let solid = bytes.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        let hasComma = zip(solid, solid.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
        let isLenient = hasComma || bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard theirs == nil || isStrict || isLenient else {
          Issue.record("round \(round): refused (\(error)) \(String(decoding: bytes, as: UTF8.self))")
          return
        }
      }
    }
    #expect(read > 10_000 && refused > 10_000)
  }
}

extension JSON {
  /// Whether Foundation's value is this one.
  fileprivate func isSame(as other: Any) -> Bool {
    switch (self, other) {
    case (.null, is NSNull): true
    case (.bool(let value), let other as Bool): value == other
    case (.integer(let value), let other as NSNumber): value == other.int64Value
    case (.number(let value), let other as NSNumber): abs(value - other.doubleValue) <= abs(value) * 1e-15
    case (.string(let value), let other as String): value == other
    case (.array(let items), let other as [Any]):
      items.count == other.count && zip(items, other).allSatisfy { $0.isSame(as: $1) }
    case (.object(let members), let other as [String: Any]):
      members.allSatisfy { member in other[member.key].map { member.value.isSame(as: $0) } ?? false }
    default: false
    }
  }
}

extension Dice {
  /// A text that is JSON.
  fileprivate mutating func value(depth: Int) -> String {
    let blank = ["", "", " ", "\n", "\t\r"][below(5)]
    switch below(depth < 4 ? 9 : 6) {
    case 0: return blank + ["true", "false", "null"][below(3)]
    case 1: return "\(Int64(bitPattern: next()) >> Int64(below(63)))"
    case 2: return "\(Double(Int64(bitPattern: next())) * 1e-12)"
    case 3: return ["0", "-0", "1e5", "1E-7", "0.5e+3", "123456789012345678901"][below(6)] + blank
    case 4, 5:
      let parts = ["a", "ü", "🚗", "\\n", "\\u00e9", "\\ud83d\\ude97", "\\\"", "\\\\", "/", "\u{7F}", "zz"]
      return "\"" + (0..<below(5)).map { _ in parts[below(parts.count)] }.joined() + "\""
    case 6, 7: return "[" + (0..<below(4)).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
    default:
      let members = (0..<below(4)).map { "\"k\($0)\":" + value(depth: depth + 1) }
      return "{" + members.joined(separator: "," + blank) + "}"
    }
  }

  fileprivate mutating func damage(_ bytes: inout [UInt8]) {
    let at = below(bytes.count)
    let tokens = Array("{}[]\",:\\u0e.-+ tfn19".utf8)
    switch below(5) {
    case 0: bytes[at] = UInt8(truncatingIfNeeded: next() >> 40)
    case 1: bytes.remove(at: at)
    case 2: bytes.insert(tokens[below(tokens.count)], at: at)
    case 3: bytes[at] = tokens[below(tokens.count)]
    default: bytes.removeSubrange(at...)
    }
  }
}
