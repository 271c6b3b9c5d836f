import CLibrary

/// A pseudo-terminal to which sentences are written, with a symbolic link to it. Nothing here ever waits:
/// without a reader, or with one that does not read, sentences are dropped.
final class PseudoTerminal {
  private let master: Int32
  private let link: String
  private let slavePath: String
  /// What of a report the terminal did not take at once: a sentence is never cut.
  private var rest: ArraySlice<UInt8> = []
  private var hadReader = false

  init(_ settings: CompatibleOutputsSettings.Terminal) throws(CompatibleOutputsError) {
    link = settings.link
    // What posix_openpt does on Linux.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard master >= 0 else { throw .system(call: "open", path: "/dev/ptmx", errno: errno) }
    do throws(CompatibleOutputsError) {
      slavePath = try Self.prepareSlave(of: master, permissions: settings.permissions)
      try Self.placeLink(link, to: slavePath)
    } catch {
      close(master)
      throw error
    }
  }

  /// Closes the terminal and removes the link if it still leads there. Nothing may be written after.
  func shutDown() {
    if Self.target(of: link) == slavePath { unlink(link) }
    close(master)
  }

  /// Writes whole sentences, or drops them.
  func write(_ bytes: [UInt8]) {
    discardInput()
    guard hasReader() else { return }
    if !rest.isEmpty, !flushRest() { return }
    rest = bytes[...]
    _ = flushRest()
  }

  /// Reads away what a reader sends us, probes of its driver for instance, so that it never waits for us.
  func discardInput() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    for _ in 0..<16 where read(master, &buffer, buffer.count) < buffer.count { break }
  }

  /// Whether anybody has the terminal open. When the last has gone, what it left unread goes too: the next
  /// one starts with new positions.
  private func hasReader() -> Bool {
    var state = pollfd(fd: master, events: Int16(POLLOUT), revents: 0)
    let isOpen = poll(&state, 1, 0) >= 0 && state.revents & Int16(POLLHUP) == 0
    if !isOpen, hadReader {
      rest = []
      try? Self.makeRaw(slavePath)
    }
    hadReader = isOpen
    return isOpen
  }

  /// Whether all of it has gone out.
  private func flushRest() -> Bool {
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { bytes in
        CLibrary.write(master, bytes.baseAddress, bytes.count)
      }
      guard written > 0 else {
        if written < 0, errno == EINTR { continue }
        return false
      }
      rest.removeFirst(written)
    }
    return true
  }
}

extension PseudoTerminal {
  private static func prepareSlave(
    of master: Int32, permissions: UInt16
  ) throws(CompatibleOutputsError) -> String {
    // What unlockpt and ptsname do on Linux (linux/tty.h: TIOCSPTLCK, TIOCGPTN); Swift does not see either.
    var locked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw .system(call: "ioctl", path: "/dev/ptmx", errno: errno)
    }
    let path = "/dev/pts/\(number)"
    guard chmod(path, mode_t(permissions)) == 0 else {
      throw .system(call: "chmod", path: path, errno: errno)
    }
    // Opened and closed once, it says from now on whether anybody has it open.
    try makeRaw(path)
    return path
  }

  /// Bytes as they are, no echo; drops what waits to be read.
  private static func makeRaw(_ path: String) throws(CompatibleOutputsError) {
    let slave = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard slave >= 0 else { throw .system(call: "open", path: path, errno: errno) }
    defer { close(slave) }
    var attributes = termios()
    guard tcgetattr(slave, &attributes) == 0 else {
      throw .system(call: "tcgetattr", path: path, errno: errno)
    }
    cfmakeraw(&attributes)
    guard tcsetattr(slave, TCSANOW, &attributes) == 0 else {
      throw .system(call: "tcsetattr", path: path, errno: errno)
    }
    tcflush(slave, TCIFLUSH)
  }

  /// Puts the link in place, over one that an earlier run has left but over nothing else.
  private static func placeLink(_ link: String, to target: String) throws(CompatibleOutputsError) {
    if let kind = SystemFile.kind(of: link, followingLinks: false) {
      guard kind == S_IFLNK, self.target(of: link)?.hasPrefix("/dev/pts/") == true else {
        throw .wouldOverwrite(path: link)
      }
    }
    let hidden = "\(link).\(getpid())"
    unlink(hidden)
    guard symlink(target, hidden) == 0 else { throw .system(call: "symlink", path: link, errno: errno) }
    guard rename(hidden, link) == 0 else {
      let number = errno
      unlink(hidden)
      throw .system(call: "rename", path: link, errno: number)
    }
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let length = readlink(link, &buffer, buffer.count)
    guard length > 0 else { return nil }
    return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
