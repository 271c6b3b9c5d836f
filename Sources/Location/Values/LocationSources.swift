/// What a location was made of, and what has become of it since.
public struct LocationSources: OptionSet, Sendable, Hashable {
  /// A bit for each.
  public var rawValue: UInt16
  /// The sources with those bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Fixes of a satellite receiver, recent enough to count.
  public static let gnss = LocationSources(rawValue: 1)
  /// Gyroscope and accelerometer.
  public static let inertial = LocationSources(rawValue: 2)
  /// The car's wheel speed or yaw rate.
  public static let wheel = LocationSources(rawValue: 4)
  /// A simulator or a replayed drive, not this car now.
  public static let simulated = LocationSources(rawValue: 8)
  /// Known before it was asked for; its timestamp is the true one.
  public static let cached = LocationSources(rawValue: 16)
  /// A better answer for a time that has been reported already.
  public static let refined = LocationSources(rawValue: 32)
  /// Made coarse, because the client may not know the place exactly.
  public static let reduced = LocationSources(rawValue: 64)
  /// Wi-Fi access points that were heard, by a database of their places: told while there is nothing better.
  public static let wifi = LocationSources(rawValue: 128)
  /// Cells of mobile networks that were heard, by a database of their places: told while
  /// there is nothing better.
  public static let cell = LocationSources(rawValue: 256)
}

extension LocationSources: CustomStringConvertible {
  /// The words of the protocol, with blanks between them.
  public var description: String { words.isEmpty ? "nothing" : words.joined(separator: " ") }
}

extension LocationSources: Codable {
  /// From the words of the protocol; one that is not known is passed over.
  public init(from decoder: any Decoder) throws {
    self.init(words: try [String](from: decoder))
  }

  /// As an array of the words of the protocol.
  public func encode(to encoder: any Encoder) throws { try words.encode(to: encoder) }
}
