import CLibrary
import Location

/// Which broker of MQTT is told where the car is, and how.
public struct MQTTConfiguration: Sendable, Equatable {
  /// Name or address of the broker; empty for none.
  public var host = ""
  /// Its TCP port.
  public var port: UInt16 = 1883
  /// What the broker knows the service by; empty lets it make a name.
  public var clientID = ""
  /// User at the broker; empty for none.
  public var user = ""
  /// The file whose first line is that user's password; empty for none.
  public var passwordFile = ""
  /// What stands before the names of signals in topics; empty for nothing.
  public var topicPrefix = ""
  /// Whether the broker acknowledges what it is told: quality of service 1, else 0.
  public var isAcknowledged = false
  /// Seconds from one position to the next.
  public var interval = 1.0
  /// Seconds of silence after which the broker counts the service as gone.
  public var keepAlive: UInt16 = 30

  /// None.
  public init() {}

  /// Longest text of a key in bytes.
  static let longestText = 256

  /// Topic of something below the prefix.
  func topic(_ name: String) -> String { topicPrefix.isEmpty ? name : "\(topicPrefix)/\(name)" }

  mutating func set(_ key: String, _ value: ConfigurationValue) throws(ServiceConfiguration.Flaw) -> Bool {
    switch key {
    case "host": host = try value.string()
    case "port": port = UInt16(try value.integer(in: 1...65_535))
    case "client_id": clientID = try value.string()
    case "user": user = try value.string()
    case "password_file": passwordFile = try value.string()
    case "topic_prefix": topicPrefix = try value.string()
    case "qos": isAcknowledged = try value.integer(in: 0...1) == 1
    case "interval_seconds": interval = try value.number(in: 0.1...3600)
    case "keep_alive_seconds": keepAlive = UInt16(try value.integer(in: 5...3600))
    default: return false
    }
    return true
  }

  /// Throws what cannot be used; opens nothing.
  func check() throws(ServiceConfiguration.Unusable) {
    for (key, text) in [
      ("host", host), ("client_id", clientID), ("user", user), ("topic_prefix", topicPrefix),
    ] where text.utf8.count > Self.longestText || text.hasControlCharacters {
      throw .init(
        key: "[mqtt] \(key)", reason: "at most \(Self.longestText) bytes, without control characters")
    }
    if topicPrefix.contains(where: { "#+".contains($0) }) || topicPrefix.hasPrefix("$")
      || topicPrefix.hasPrefix("/") || topicPrefix.hasSuffix("/")
    {
      throw .init(
        key: "[mqtt] topic_prefix",
        reason: "names with / between them, as in \"fleet/car-7\": without # and +, and no $ at the beginning"
      )
    }
    guard user.isEmpty == false || passwordFile.isEmpty else {
      throw .init(key: "[mqtt] password_file", reason: "a password needs a user: set user, too")
    }
  }

  /// The password in ``passwordFile``; nil where none is named.
  package func password() throws(ServiceConfiguration.Unusable) -> String? {
    guard !passwordFile.isEmpty else { return nil }
    guard let file = fopen(passwordFile, "re") else {
      let reason = SystemError.text()
      throw .init(key: "[mqtt] password_file", reason: "\(passwordFile) cannot be read: \(reason)")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longestText + 2)
    let count = fread(&bytes, 1, bytes.count, file)
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty, line.count <= Self.longestText, let text = String(validating: line, as: UTF8.self)
    else {
      throw .init(
        key: "[mqtt] password_file",
        reason: "\(passwordFile) must begin with a line of 1 to \(Self.longestText) bytes of UTF-8")
    }
    return text
  }
}
