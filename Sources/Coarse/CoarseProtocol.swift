/// The line protocol by which a program that sees the modem and the Wi-Fi hands over what it hears.
///
/// A line is ASCII, ends in a line feed, and has at most 256 bytes. An empty line ends a scan:
/// what was heard at one place.
///
///     wifi aa:bb:cc:dd:ee:ff -61               access point by its BSSID, and its strength in dBm
///     cell lte 262 1 4711 123456 -95           radio (gsm, umts, lte, nr), country, network, area, cell,
///                                              and where known dBm
///
/// Lines that begin with # are passed over. A line that cannot be read is answered by a line
/// `error NUMBER REASON`, with its number in the connection, and changes nothing.
public struct CoarseProtocol: Sendable {
  /// Longest line in bytes, its end not counted.
  public static let longestLine = 256
  /// How much a scan holds; more is refused.
  public static let largestScan = 256

  /// A line that cannot be read.
  public struct Refusal: Error, Sendable, Equatable {
    /// What is wrong with it.
    public let reason: String
    /// A line with that flaw.
    public init(reason: String) { self.reason = reason }
  }

  private var scan = CoarseScan()

  /// A connection that begins.
  public init() {}

  /// Takes a line without its end; gives the scan that it ends, if it ends one.
  public mutating func read(_ line: String) throws(Refusal) -> CoarseScan? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let kind = words.first else {
      defer { scan = CoarseScan() }
      return scan.count > 0 ? scan : nil
    }
    if kind.hasPrefix("#") { return nil }
    guard scan.count < Self.largestScan else {
      throw Refusal(reason: "a scan holds \(Self.largestScan) lines: end it by an empty one")
    }
    switch kind {
    case "wifi": try readAccessPoint(words)
    case "cell": try readCell(words)
    default: throw Refusal(reason: "neither wifi nor cell: \(kind.prefix(32))")
    }
    return nil
  }

  private mutating func readAccessPoint(_ words: [Substring]) throws(Refusal) {
    guard words.count == 3 else { throw Refusal(reason: "wifi takes a BSSID and dBm") }
    guard let address = AccessPointAddress(words[1]) else {
      throw Refusal(reason: "no BSSID of an access point: \(words[1].prefix(32))")
    }
    let strength = try strength(words[2])
    // Heard twice: the better time counts.
    scan.accessPoints[address] = max(strength, scan.accessPoints[address] ?? strength)
  }

  private mutating func readCell(_ words: [Substring]) throws(Refusal) {
    guard words.count == 6 || words.count == 7, let radio = Radio(rawValue: words[1].lowercased()) else {
      throw Refusal(reason: "cell takes gsm, umts, lte or nr, country, network, area, cell and perhaps dBm")
    }
    let numbers = words[2..<6].compactMap { Int($0) }
    guard numbers.count == 4,
      let cell = CellIdentity(
        radio: radio, country: numbers[0], network: numbers[1], area: numbers[2], cell: numbers[3])
    else { throw Refusal(reason: "no numbers of a cell: \(words[2..<6].joined(separator: " ").prefix(64))") }
    scan.cells[cell] = words.count == 7 ? try strength(words[6]) : .some(nil)
  }

  private func strength(_ word: Substring) throws(Refusal) -> Double {
    guard let value = Double(word), (-160...0).contains(value) else {
      throw Refusal(reason: "a strength is -160 to 0 dBm: \(word.prefix(32))")
    }
    return value
  }
}
