import Foundation
import TestParts

/// Headless Chromium: that of `RECKON_CHROMIUM`, else Debian's.
enum Browser {
  private static let program = ProcessInfo.processInfo.environment["RECKON_CHROMIUM"] ?? "chromium"

  /// Whether it is there; says where it is not.
  static let isThere: Bool = {
    if (try? ProgramRun(program, ["--version"]))?.output.contains("Chrom") == true { return true }
    print(
      "skipped: there is no \(program); apt-get install chromium, or set RECKON_CHROMIUM to a browser of its kind"
    )
    return false
  }()

  /// What `script` returns in `page`, opened at `fragment` in a window of this size: its last element says
  /// so in an attribute. Without a screen there may be no frames to draw in: `drawsAtOnce` makes
  /// each when it is asked for.
  static func ask(
    _ page: String, _ script: String, at fragment: String = "", width: Int, height: Int = 900,
    drawsAtOnce: Bool = false
  ) throws -> [String: Any] {
    let scratch = ScratchFolder()
    let frames = drawsAtOnce ? "window.requestAnimationFrame = draw => draw();" : ""
    let watch =
      "<script>window.mishaps = []; addEventListener('error', e => mishaps.push(e.message));\(frames)</script>"
    let probe = """
      <script>setTimeout(() => { let answer; try { answer = (() => { \(script) })(); } catch (e) { answer = { failed: String(e) }; }
      parent.postMessage(JSON.stringify({ ...answer, mishaps }), '*'); }, 400);</script></body>
      """
    try page.replacing("<body>", with: "<body>" + watch, maxReplacements: 1)
      .replacing("</body>", with: probe, maxReplacements: 1)
      .write(toFile: scratch("page.html"), atomically: true, encoding: .utf8)
    // A window is never narrower than 500 pixels, a frame is.
    let frame = URL(fileURLWithPath: scratch("frame.html"))
    try """
    <!doctype html><body style="margin:0"><script>addEventListener('message', e => { document.body.dataset.answer = e.data; });</script>
    <iframe src="page.html\(fragment)" style="border:0" width="\(width)" height="\(height)"></iframe></body>
    """.write(to: frame, atomically: true, encoding: .utf8)
    let text = try ProgramRun(
      program,
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--user-data-dir=\(scratch.path)/profile", "--window-size=\(max(width, 800)),\(height + 100)",
        "--virtual-time-budget=3000", "--dump-dom", frame.absoluteString,
      ]
    ).output
    guard let start = text.firstRange(of: "data-answer=\"")?.upperBound,
      let end = text[start...].firstIndex(of: "\"")
    else { throw Failure(text: "no answer from the page: \(text.suffix(300))") }
    let json = text[start..<end].replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    return try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
  }

  struct Failure: Error { let text: String }
}
