import CLibrary

/// FNV-1a of 64 bits: tells whether files are the same, not whether somebody forged them.
package struct FileDigest: Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Adds the bytes of a file; false where there is no such file, or where it cannot be read.
  @discardableResult
  package mutating func add(file path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      add(chunk[..<count])
    }
  }

  /// Sixteen hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension FileDigest {
  /// What figures of a drive depend on.
  private static let parts = [
    "drive.json", "imu.csv", "gnss.csv", "wheel.csv", "barometer.csv", "truth.csv", "receiver.csv",
  ]

  /// The digest of the files of the drive in the folder `path`, its name, and everything
  /// else that figures depend on.
  static func ofDrive(_ path: String, study: [String]) -> String {
    var digest = FileDigest()
    for part in study + [path] {
      digest.add(part.utf8)
      digest.add([0])
    }
    for part in parts { digest.add([digest.add(file: "\(path)/\(part)") ? 1 : 0]) }
    return digest.text
  }
}
