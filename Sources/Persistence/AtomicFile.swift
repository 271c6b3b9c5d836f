import CLibrary

/// Writes a file whole or not at all: into a file beside it, which then takes its name. It is its owner's
/// alone: such files say where a car was.
public enum AtomicFile {
  /// Lets `body` write a file beside `path` that takes its place once it is whole, and goes if `body` throws.
  /// A device or a pipe of that name is written to directly.
  public static func replace<Result>(_ path: String, _ body: (String) throws -> Result) throws -> Result {
    let isSpecial = isSpecial(path)
    let target = isSpecial ? path : partial(path)
    do {
      let result = try body(target)
      // Whoever wrote it may have made it for everybody.
      if !isSpecial {
        chmod(target, ownerOnly)
        try sync(target, for: path)
      }
      guard isSpecial || rename(target, path) == 0 else {
        throw FileError.unwritable(path: path, reason: SystemError.text())
      }
      return result
    } catch {
      if !isSpecial { unlink(target) }
      throw error
    }
  }

  /// Sees to it that what stands at `target` is on the disk before it takes the name `path`.
  private static func sync(_ target: String, for path: String) throws(FileError) {
    let descriptor = open(target, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: SystemError.text()) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .unwritable(path: path, reason: SystemError.text()) }
  }

  private static let ownerOnly: mode_t = 0o600

  /// Whether something is at `path` that is no file, such as a device or a pipe, or one that a process has
  /// open, such as /dev/stdout where the standard output is a file.
  package static func isSpecial(_ path: String) -> Bool {
    SystemFile.kind(of: path).map { $0 != S_IFREG || SystemFile.isOpened(path) } ?? false
  }

  private static func partial(_ path: String) -> String { path + ".partial-\(getpid())" }

  /// Writes `text` as UTF-8. A device or a pipe of that name is written to directly.
  public static func write(_ text: String, to path: String) throws(FileError) {
    let isSpecial = isSpecial(path)
    let target = isSpecial ? path : partial(path)
    let descriptor = open(target, SystemFile.flagsToWrite(target), ownerOnly)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: SystemError.text()) }
    guard let file = fdopen(descriptor, "w") else {
      let why = SystemError.text()
      close(descriptor)
      throw .unwritable(path: path, reason: why)
    }
    var bytes = text
    let count = bytes.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) }
    let failed = count != bytes.utf8.count || fflush(file) != 0 || (!isSpecial && fsync(fileno(file)) != 0)
    let why = failed ? SystemError.text() : ""
    fclose(file)
    if failed {
      if !isSpecial { unlink(target) }
      throw .unwritable(path: path, reason: why)
    }
    guard !isSpecial else { return }
    guard rename(target, path) == 0 else {
      let why = SystemError.text()
      unlink(target)
      throw .unwritable(path: path, reason: why)
    }
  }

  /// Fails early where ``write(_:to:)`` would fail late.
  public static func check(_ path: String) throws(FileError) {
    if path.isEmpty { throw .unwritable(path: path, reason: "it has no name") }
    if let kind = SystemFile.kind(of: path) {
      if kind == S_IFDIR { throw .unwritable(path: path, reason: "it is a folder") }
      if access(path, W_OK) != 0 { throw .unwritable(path: path, reason: SystemError.text()) }
      if kind != S_IFREG || SystemFile.isOpened(path) { return }
    }
    if access(folder(of: path), W_OK) != 0 { throw .unwritable(path: path, reason: SystemError.text()) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }
}
