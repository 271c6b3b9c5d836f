import Foundation

/// Says where a text stops being JSON.
enum JSONFault {
  /// What is wrong with `json`, with line and column where Foundation knows the place.
  static func description(of json: Data) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
      return "nested too deeply or holding a number that is none"
    } catch {
      let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "unreadable"
      guard let word = reason.split(separator: " ").last, let offset = Int(word.dropLast()),
        offset <= json.count
      else { return reason }
      let before = json.prefix(offset)
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
      return "line \(line), column \(column): unexpected text"
    }
  }
}
