// Format: NMEA 0183 as receivers write it: `$`, two letters of the talker and three of the sentence, fields
// by commas, `*` and the exclusive or of all between as two hexadecimal digits.

/// The fields of one sentence.
struct NMEASentenceReader {
  /// What stands before the first comma without the talker: RMC, GGA.
  let name: String
  /// Who said it: GP, GN.
  let talker: String
  private let fields: [Substring]

  enum Failure: Error { case noSentence, checksum }

  /// The sentence in a line, which may have other text before it.
  init(_ line: String) throws(Failure) {
    guard let start = line.lastIndex(of: "$") else { throw .noSentence }
    let text = line[line.index(after: start)...]
    let parts = text.split(separator: "*", omittingEmptySubsequences: false)
    let body = parts[0]
    if parts.count > 1 {
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      guard parts.count == 2, UInt8(parts[1].prefix(2), radix: 16) == sum else { throw .checksum }
    }
    let cells = body.split(separator: ",", omittingEmptySubsequences: false)
    guard let head = cells.first, head.utf8.count == 5, head.utf8.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A })
    else {
      throw .noSentence
    }
    talker = String(head.prefix(2))
    name = String(head.dropFirst(2))
    fields = cells
  }

  /// How many fields there are, with the name.
  var count: Int { fields.count }

  /// A field, counted from 1; empty where there is none.
  func text(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }

  func number(_ index: Int) -> Double? {
    guard case let text = text(index), !text.isEmpty, text.utf8.allSatisfy({ $0 < 0x3A }) else { return nil }
    return Double(text)
  }

  /// Degrees of `ddmm.mmmm` and a letter in the field behind.
  func degrees(_ index: Int) -> Double? {
    guard let value = number(index), value >= 0 else { return nil }
    let whole = (value / 100).rounded(.down)
    let degrees = whole + (value - 100 * whole) / 60
    switch text(index + 1) {
    case "N", "E": return degrees
    case "S", "W": return -degrees
    default: return nil
    }
  }

  /// Whether a latitude and a longitude from field `index` on can be, or are not stated.
  func isPlace(at index: Int) -> Bool {
    abs(degrees(index) ?? 0) <= 90 && abs(degrees(index + 2) ?? 0) <= 180
  }

  /// Nanoseconds of the day of `hhmmss.sss`.
  func ofDay(_ index: Int) -> Int64? {
    let digits = text(index).split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = digits.first, whole.utf8.count == 6, let value = Int64(whole), value >= 0 else {
      return nil
    }
    let (hours, minutes, seconds) = (value / 10_000, value / 100 % 100, value % 100)
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    var nanoseconds: Int64 = 0
    if digits.count == 2 {
      let text = digits[1].prefix(9)
      guard let fraction = text.isEmpty ? 0 : Int64(text) else { return nil }
      nanoseconds = (0..<(9 - text.utf8.count)).reduce(fraction) { value, _ in value * 10 }
    }
    return (hours * 3600 + minutes * 60 + seconds) * 1_000_000_000 + nanoseconds
  }
}
