import CLibrary

/// A program that a test runs, and that does not outlive it.
///
/// `@unchecked` because the flag is changed by the test that owns it, and by nobody else.
package final class ChildProcess: @unchecked Sendable {
  package let pid: pid_t
  private var isReaped = false

  /// Runs `path` with its output thrown away; `environment` is added to the test's own.
  package init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var inherited: [String] = []
    var entry = environ
    while let text = entry.pointee {
      inherited.append(String(cString: text))
      entry += 1
    }
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let envp = (inherited + environment.map { "\($0.key)=\($0.value)" }).map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, path, &actions, nil, argv, envp)
    guard failure == 0 else { throw Failure(text: "cannot run \(path): error \(failure)") }
    self.pid = pid
  }

  deinit { kill() }

  /// Ends it at once, as a power cut would, and waits until it is gone.
  package func kill() {
    guard !isReaped else { return }
    isReaped = true
    CLibrary.kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// Waits until it has ended by itself; its status, and the most memory it held, in kilobytes, to within its
  /// last hundredth of a second. (What wait4(2) tells begins with the peak of the parent, whose memory it was
  /// born in.)
  package func wait() -> (status: Int32, peakKilobytes: Int) {
    var (status, peak): (Int32, Int) = (0, 0)
    while case let ended = waitpid(pid, &status, WNOHANG), ended == 0 {
      peak = max(peak, peakKilobytes ?? 0)
      usleep(10_000)
    }
    isReaped = true
    return (status, peak)
  }

  private var peakKilobytes: Int? {
    guard let file = fopen("/proc/\(pid)/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) }
    }
    return nil
  }

  /// Whether it has ended by itself.
  package var hasEnded: Bool {
    guard !isReaped else { return true }
    isReaped = waitpid(pid, nil, WNOHANG) == pid
    return isReaped
  }

  /// Why a part of a test could not be made.
  package struct Failure: Error {
    let text: String
    /// For this reason.
    package init(text: String) { self.text = text }
  }
}
