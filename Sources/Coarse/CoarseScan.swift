/// A mobile network's way of radio.
public enum Radio: String, Sendable, CaseIterable {
  /// GSM.
  case gsm
  /// UMTS.
  case umts
  /// LTE.
  case lte
  /// 5G New Radio.
  case nr

  /// Number in the database; it never changes.
  var code: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  /// Metres about a cell's middle that hold 68 % of those who hear it, where nothing is
  /// known of the cell itself.
  var usualRadius: Double {
    switch self {
    case .gsm: 3000
    case .umts: 1500
    case .lte: 1500
    case .nr: 800
    }
  }
}

/// A cell of a mobile network, by the numbers that it broadcasts.
public struct CellIdentity: Sendable, Hashable {
  /// Its way of radio.
  public var radio: Radio
  /// Mobile country code, 1 ... 999.
  public var country: Int
  /// Mobile network code, 0 ... 999.
  public var network: Int
  /// Location area (GSM, UMTS) or tracking area (LTE, NR), 0 ..< 2²⁴.
  public var area: Int
  /// Cell in the area (GSM) or network, 0 ..< 2³⁶.
  public var cell: Int

  /// The cell of these numbers; nil where one of them is none that a network can have.
  public init?(radio: Radio, country: Int, network: Int, area: Int, cell: Int) {
    guard (1...999).contains(country), (0...999).contains(network), (0..<1 << 24).contains(area),
      (0..<1 << 36).contains(cell)
    else { return nil }
    self.radio = radio
    self.country = country
    self.network = network
    self.area = area
    self.cell = cell
  }
}

/// The address of a Wi-Fi access point's radio (BSSID), as a number of 48 bits.
public struct AccessPointAddress: Sendable, Hashable {
  /// The number.
  public let value: Int64

  /// Of six pairs of hexadecimal digits with colons or dashes between; nil for what no single radio has.
  public init?(_ text: some StringProtocol) {
    let pairs = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
    guard pairs.count == 6 else { return nil }
    var value: Int64 = 0
    for pair in pairs {
      guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = Int64(pair, radix: 16) else {
        return nil
      }
      value = value << 8 | byte
    }
    // The lowest bit of the first byte is that of a group; all zeros are nobody.
    guard value != 0, value >> 40 & 1 == 0 else { return nil }
    self.value = value
  }
}

/// What was heard at one place at one time.
public struct CoarseScan: Sendable, Equatable {
  /// Strength in dBm of each access point.
  public var accessPoints: [AccessPointAddress: Double] = [:]
  /// Strength in dBm of each cell, nil where it is not known.
  public var cells: [CellIdentity: Double?] = [:]

  /// Nothing heard.
  public init() {}

  /// How much was heard.
  public var count: Int { accessPoints.count + cells.count }
}
