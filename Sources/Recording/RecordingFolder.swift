import CLibrary

/// The files of a recording: segments `segment-00000001.rkl` and on, and a lock.
public enum RecordingFolder {
  static let lock = "lock"
  private static let prefix = "segment-"
  private static let suffix = ".rkl"
  /// No recording comes to so many: a larger number is no segment's.
  /// [chosen: one a second for 30,000 years]
  private static let mostSegments: UInt64 = 1_000_000_000_000

  /// A segment file.
  package struct Segment: Equatable {
    package var number: UInt64
    package var path: String
    package var bytes: Int
  }

  package static func name(of number: UInt64) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(0, 8 - digits.count)) + digits + suffix
  }

  static func number(of name: String) -> UInt64? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      let number = UInt64(name.dropFirst(prefix.count).dropLast(suffix.count)), number < mostSegments
    else { return nil }
    return number
  }

  /// Whether `path` is a folder with a segment in it.
  public static func isRecording(_ path: String) -> Bool {
    ((try? entries(of: path)) ?? []).contains { number(of: $0) != nil }
  }

  /// Names of what is in a folder.
  static func entries(of path: String) throws(RecordingError) -> [String] {
    guard let names = SystemFolder.entries(of: path) else { throw .system(path, "list") }
    return names
  }

  /// The segments in order of their number.
  package static func segments(of path: String) throws(RecordingError) -> [Segment] {
    try entries(of: path).compactMap { name in
      guard let number = number(of: name) else { return nil }
      let file = path + "/" + name
      var status = stat()
      guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Segment(number: number, path: file, bytes: Int(status.st_size))
    }.sorted { $0.number < $1.number }
  }

  /// Makes sure that files made or removed in the folder stay so through a power cut.
  static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The segments of a folder that must have some.
  static func existingSegments(of path: String) throws(RecordingError) -> [Segment] {
    guard SystemFile.kind(of: path) == S_IFDIR else { throw .notARecording(path: path) }
    let segments = try segments(of: path)
    guard !segments.isEmpty else { throw .notARecording(path: path) }
    return segments
  }

  /// The bytes of a file, or the first `limit` of them.
  static func contents(of path: String, limit: Int = .max) throws(RecordingError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path, "open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(path, "read") }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(status.st_size)))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(path, "read") }
      if count == 0 { break }
      filled += count
    }
    if filled < bytes.count { bytes.removeLast(bytes.count - filled) }
    return bytes
  }
}
