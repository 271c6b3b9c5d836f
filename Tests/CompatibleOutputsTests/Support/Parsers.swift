import Foundation

/// One NMEA sentence taken apart; nil if its frame or its checksum is wrong.
struct ParsedSentence {
  var fields: [String]

  init?(_ line: String) {
    guard line.utf8.count <= 80, line.hasPrefix("$"), let star = line.lastIndex(of: "*") else { return nil }
    let body = line[line.index(after: line.startIndex)..<star]
    guard UInt8(line[line.index(after: star)...], radix: 16) == body.utf8.reduce(0, ^) else { return nil }
    fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Degrees of the field at `i` with its side in the next; nil if it is empty or not of the standard's form.
  func degrees(at i: Int, digits: Int) -> Double? {
    let text = fields[i]
    guard let point = text.firstIndex(of: "."), text.distance(from: text.startIndex, to: point) == digits + 2,
      let degrees = Double(text.prefix(digits)), let minutes = Double(text.dropFirst(digits)),
      minutes >= 0, minutes < 60, ["N", "S", "E", "W"].contains(fields[i + 1])
    else { return nil }
    return (degrees + minutes / 60) * (["S", "W"].contains(fields[i + 1]) ? -1 : 1)
  }
}

/// The sentences in `bytes`, each of which must end in CR LF.
func parseSentences(_ bytes: [UInt8]) -> [ParsedSentence] {
  let text = String(decoding: bytes, as: UTF8.self)
  precondition(text.hasSuffix("\r\n"))
  return text.components(separatedBy: "\r\n").dropLast().compactMap { ParsedSentence($0) }
}

/// A JSON object by an independent parser; empty if it is none.
func parseJSON(_ bytes: some Sequence<UInt8>) -> [String: Any] {
  let object = try? JSONSerialization.jsonObject(with: Data(bytes))
  return object as? [String: Any] ?? [:]
}

extension Dictionary where Key == String, Value == Any {
  func number(_ key: String) -> Double? { (self[key] as? NSNumber)?.doubleValue }
  func text(_ key: String) -> String? { self[key] as? String }
}
