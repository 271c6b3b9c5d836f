import CLibrary
import Foundation
import LocationService
import Navigation
import TestParts

/// Headless Chromium on the loopback, led by its DevTools protocol over two pipes: that of
/// `RECKON_CHROMIUM`, else Debian's.
final class Chromium {
  struct Failure: Error { let text: String }

  /// Whether it is there; says where it is not.
  static let isThere: Bool = {
    if (try? ProgramRun(program, ["--version"]))?.output.contains("Chrom") == true { return true }
    print(
      "skipped: there is no \(program); apt-get install chromium, or set RECKON_CHROMIUM to a browser of its kind"
    )
    return false
  }()

  private static let program = ProcessInfo.processInfo.environment["RECKON_CHROMIUM"] ?? "chromium"

  private let process = Process()
  private let scratch = ScratchFolder()
  private let toBrowser: Int32, fromBrowser: Int32
  private var text: [UInt8] = []
  private var number = 0
  private var session: String?
  /// What it has said unasked, since the page was opened.
  private(set) var events: [[String: Any]] = []

  /// A browser with one empty page.
  init() throws {
    let (to, from) = (scratch("to"), scratch("from"))
    guard mkfifo(to, 0o600) == 0, mkfifo(from, 0o600) == 0 else { throw Failure(text: "no pipes") }
    // For both directions, so that no side waits for the other.
    (toBrowser, fromBrowser) = (open(to, O_RDWR | O_CLOEXEC), open(from, O_RDWR | O_CLOEXEC))
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$@\" 3<\"$0/to\" 4>\"$0/from\"", scratch.path, Self.program, "--headless=new",
      "--no-sandbox",
      "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
      "--user-data-dir=\(scratch.path)/profile",
      "about:blank",
    ]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
    session =
      try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
    for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] { try call(domain + ".enable") }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGTERM) }
    process.waitUntilExit()
    close(toBrowser)
    close(fromBrowser)
  }

  /// Opens `address` in a window of this size.
  func visit(_ address: String, width: Int = 1280, height: Int = 900, isDark: Bool = false) throws {
    events = []
    try look(width: width, height: height, isDark: isDark)
    try call("Page.navigate", ["url": address])
  }

  /// Another size, or the other colours.
  func look(width: Int, height: Int = 900, isDark: Bool) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    try call("Emulation.setEmulatedMedia", ["features": [scheme]])
  }

  /// What `script`, the body of a function, returns in the page.
  func ask(_ script: String) throws -> [String: Any] {
    let said = try call(
      "Runtime.evaluate",
      ["expression": "(() => { \(script) })()", "returnByValue": true, "awaitPromise": true])
    if let mishap = said["exceptionDetails"] { throw Failure(text: "\(mishap)") }
    return (said["result"] as? [String: Any])?["value"] as? [String: Any] ?? [:]
  }

  /// Whether `condition` holds in the page within so many seconds. A page that is still being loaded lacks
  /// what it asks for, and one that takes its place ends the question.
  func waits(for condition: String, within seconds: Double = 15) throws -> Bool {
    let script = "try { return { holds: !!(\(condition)) }; } catch (e) { return { holds: false }; }"
    let end = BootClock.now().advanced(bySeconds: seconds)
    while end > BootClock.now() {
      if let said = try? ask(script), said["holds"] as? Bool == true { return true }
      usleep(50_000)
    }
    return false
  }

  /// Waits until the page, as it is now, has been drawn.
  func waitsForFrame() throws {
    let frames = "requestAnimationFrame(() => requestAnimationFrame(() => done({})))"
    _ = try ask("return new Promise(done => \(frames));")
  }

  /// Presses a key, as a person does.
  func press(_ key: String, code: Int = 0) throws {
    var event: [String: Any] = ["key": key, "windowsVirtualKeyCode": code]
    if key.count == 1 { event["text"] = key }
    if key == "Enter" { event["text"] = "\r" }
    event["type"] = "keyDown"
    try call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    try call("Input.dispatchKeyEvent", event)
  }

  /// A picture of the whole page.
  func picture() throws -> Data {
    let said = try call("Page.captureScreenshot", ["captureBeyondViewport": true])
    return Data(base64Encoded: said["data"] as? String ?? "") ?? Data()
  }

  /// What is said of `method` since the page was opened.
  func events(of method: String) -> [[String: Any]] {
    events.compactMap { $0["method"] as? String == method ? $0["params"] as? [String: Any] : nil }
  }

  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    number += 1
    var question: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { question["sessionId"] = session }
    let bytes = Array(try JSONSerialization.data(withJSONObject: question)) + [0]
    guard write(toBrowser, bytes, bytes.count) == bytes.count else { throw Failure(text: "it takes nothing") }
    while let answer = try next(within: 30) {
      guard answer["id"] as? Int == number else {
        events.append(answer)
        continue
      }
      if let error = answer["error"] { throw Failure(text: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
    throw Failure(text: "\(method): no answer")
  }

  private func next(within seconds: Double) throws -> [String: Any]? {
    let end = BootClock.now().advanced(bySeconds: seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      if let at = text.firstIndex(of: 0) {
        defer { text.removeSubrange(...at) }
        return try JSONSerialization.jsonObject(with: Data(text[..<at])) as? [String: Any]
      }
      let left = end.seconds(since: BootClock.now())
      guard left > 0 else { return nil }
      var polled = pollfd(fd: fromBrowser, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let count = read(fromBrowser, &buffer, buffer.count)
      if count > 0 { text += buffer[..<count] }
    }
  }
}
