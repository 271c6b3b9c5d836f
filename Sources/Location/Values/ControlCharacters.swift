extension String {
  /// Whether it has characters that steer a terminal, or the direction of what is written there:
  /// text for people has none.
  package var hasControlCharacters: Bool {
    unicodeScalars.contains {
      switch $0.value {
      case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
