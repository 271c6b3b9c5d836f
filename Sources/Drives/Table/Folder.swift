import CLibrary

/// What is asked of folders and small files.
package enum Folder {
  /// Whether there is a folder at `path`.
  static func isFolder(_ path: String) -> Bool { SystemFile.kind(of: path) == S_IFDIR }

  /// Whether there is anything at `path`, a link that leads nowhere included.
  static func exists(_ path: String) -> Bool { SystemFile.kind(of: path, followingLinks: false) != nil }

  /// Opens a file for reading. A link that leads nowhere is an error that says so. A pipe or a device, which
  /// could hang or never end, is refused unless `acceptsPipes`.
  static func open(_ path: String, acceptsPipes: Bool = false) throws(DriveError) -> Int32 {
    // Not blocking, so that a pipe without a writer cannot hold it up where it is refused.
    let descriptor = openFile(path, O_RDONLY | O_CLOEXEC | (acceptsPipes ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      guard errno == ENOENT, exists(path) else { throw .system(path, "open") }
      throw .system(file: path, operation: "open", reason: "it is a link that leads nowhere")
    }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard acceptsPipes || isKnown && (kind == S_IFREG || kind == S_IFDIR) else {
      close(descriptor)
      throw .system(file: path, operation: "read", reason: "it is a pipe or a device, and a file is needed")
    }
    return descriptor
  }

  /// The folder that a file lies in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The bytes of a file of at most `limit` bytes, without the mark that some editors begin a text with.
  static func contents(
    of path: String, limit: Int, acceptsPipes: Bool = false
  ) throws(DriveError) -> [UInt8] {
    let descriptor = try Self.open(path, acceptsPipes: acceptsPipes)
    defer { close(descriptor) }
    guard let bytes = SystemFile.bytes(of: descriptor, atMost: limit + 1) else { throw .system(path, "read") }
    guard bytes.count <= limit else {
      throw .malformedDescription(file: path, reason: "the file is longer than \(limit) bytes")
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Makes a folder and those above it that are missing.
  package static func create(_ path: String) throws(DriveError) {
    if isFolder(path) { return }
    if let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex {
      try create(String(path[..<slash]))
    }
    if mkdir(path, 0o755) == 0 { return }
    // Before it is asked what is there, which makes a reason of its own.
    let error = DriveError.system(path, "create the folder")
    guard isFolder(path) else { throw error }
  }

  /// Throws where there is no folder at `path` to import from, by what is there.
  static func require(_ path: String) throws(DriveError) {
    if isFolder(path) { return }
    guard exists(path) else { throw .notFound(path: path) }
    throw .malformedFile(file: path, reason: "is a file, and a folder is needed (see reckon help import)")
  }

  /// Throws where there is a folder at `path`, and a file is needed, with the files that may have been meant.
  static func refuse(_ path: String) throws(DriveError) {
    guard isFolder(path) else { return }
    let names = (SystemFolder.entries(of: path) ?? []).filter {
      !$0.hasPrefix(".") && SystemFile.kind(of: "\(path)/\($0)") == S_IFREG
    }.sorted()
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    let shown = DriveError.list(Array(names.prefix(3))) + more
    let advice = names.isEmpty ? "there is none in it" : "name one of those in it (\(shown))"
    throw .malformedFile(file: path, reason: "is a folder, and a file is needed; \(advice)")
  }

  /// Removes a file.
  static func remove(_ path: String) throws(DriveError) {
    guard unlink(path) == 0 else { throw .system(path, "remove") }
  }
}

/// The system's `open`, by a name that ``Folder/open(_:acceptsPipes:)`` does not hide.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
