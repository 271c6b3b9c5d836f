/// Who asks: what the client says of itself, and what the kernel says of its process.
public struct ClientIdentity: Sendable, Hashable {
  /// The name that the client gives, in reverse domain form, for example `com.example.navigator`.
  public var name: String
  /// The user that its process runs as, by the socket's credentials.
  public var user: UInt32

  /// A client by its name and user.
  public init(name: String, user: UInt32) {
    self.name = name
    self.user = user
  }

  /// Longest name in bytes.
  public static let longestName = 128
  /// Longest purpose in bytes.
  public static let longestPurpose = 512

  /// Whether a client may say that it needs location for that: some text of at most ``longestPurpose`` bytes
  /// without control characters.
  public static func isPurpose(_ purpose: String) -> Bool { flaw(inPurpose: purpose) == nil }

  /// Why a client may not say that it needs location for that; nil if it may.
  static package func flaw(inPurpose purpose: String) -> LocationError? {
    if !purpose.contains(where: { !$0.isWhitespace }) { return .purposeMissing }
    let bytes = purpose.utf8.count
    if bytes > longestPurpose { return .purposeInvalid("\(bytes) bytes are more than \(longestPurpose)") }
    return purpose.hasControlCharacters ? .purposeInvalid("it has control characters") : nil
  }

  /// Whether a client may be called that: letters, digits, dots, dashes and underscores of ASCII.
  public static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= longestName else { return false }
    return bytes.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
