/// What the address of the live page holds and nobody can guess: new at each start.
struct PageToken: Sendable {
  private let bytes: [UInt8]

  /// By the system's random numbers.
  init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<4).flatMap { _ in
      let word: UInt64 = random.next()
      let hex = String(word, radix: 16)
      return Array((String(repeating: "0", count: 16 - hex.count) + hex).utf8)
    }
  }

  /// 64 digits.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether `other` is the same; how long that takes does not say where it differs.
  func isEqual(to other: some StringProtocol) -> Bool {
    let other = Array(other.utf8)
    guard other.count == bytes.count else { return false }
    return zip(bytes, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
