import CLibrary

/// A file that is read at once.
enum WholeFile {
  /// The system says why a file cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  static func bytes(_ path: String) throws(Unreadable) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable(description: SystemError.text()) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Unreadable(description: SystemError.text()) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
