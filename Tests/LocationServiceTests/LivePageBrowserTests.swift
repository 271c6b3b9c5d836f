import CLibrary
import Foundation
import Location
import LocationService
import TestParts
import Testing

/// The live page of a real `reckond` in a real browser. `RECKON_PICTURES` names a folder for pictures of it.
@Suite(
  .serialized,
  .enabled(
    if: Daemon.binary != nil && Chromium.isThere, "there is no reckond beside the tests or no Chromium"))
struct LivePageBrowserTests {
  let scratch = ScratchFolder()
  var folder: String { scratch.path }
  let port: UInt16
  static let drive = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../datasets/tunnel-and-garage").path

  init() throws { port = try Listener.freePort() }

  func daemon(
    _ settings: String = "", web: String = "", drive: String? = drive
  ) throws -> (Daemon, String) {
    let daemon = try Daemon(folder, drive: drive, settings: settings + "\n[web]\nport = \(port)\n" + web)
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: folder + "/live-page") { usleep(20_000) }
    let address = try String(contentsOfFile: folder + "/live-page", encoding: .utf8)
    return (daemon, address.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Nothing failed, and nobody but the service was asked for anything.
  func expectCalm(_ browser: Chromium) {
    #expect(browser.events(of: "Runtime.exceptionThrown").isEmpty)
    let faults = browser.events(of: "Log.entryAdded").compactMap { $0["entry"] as? [String: Any] }
      .filter { $0["level"] as? String == "error" }
    #expect(faults.isEmpty, "\(faults)")
    let asked = browser.events(of: "Network.requestWillBeSent").compactMap {
      ($0["request"] as? [String: Any])?["url"] as? String
    }
    #expect(asked.contains { $0.contains("/events?") })
    for url in asked { #expect(url.hasPrefix("http://127.0.0.1:\(port)/") || url == "data:,", "\(url)") }
  }

  @Test func itIsReadAtThreeWidthsInLightAndDark() throws {
    let (daemon, address) = try daemon()
    let browser = try Chromium()
    try browser.visit(address)
    #expect(try browser.waits(for: "document.querySelectorAll('#learned tr').length > 4", within: 60))
    for width in [390, 768, 1280] {
      for isDark in [false, true] {
        try browser.look(width: width, isDark: isDark)
        usleep(400_000)
        let answer = try browser.ask(Self.look)
        #expect(answer["inner"] as? Int == width && answer["page"] as? Int ?? .max <= width, "\(answer)")
        #expect(answer["wide"] as? String == "", "\(width): \(answer)")
        #expect(answer["pale"] as? String == "", "\(width), dark \(isDark): \(answer)")
        #expect(answer["map"] as? Int ?? 0 >= 300 && answer["map"] as? Int ?? .max < 900, "\(answer)")
        #expect(answer["colours"] as? Int ?? 0 > 5)
        if let folder = ProcessInfo.processInfo.environment["RECKON_PICTURES"] {
          try browser.picture()
            .write(to: URL(filePath: folder + "/live-\(width)-\(isDark ? "dark" : "light").png"))
        }
      }
    }
    let texts = try browser.ask(
      "return Object.fromEntries(['mode', 'radius', 'speed', 'place', 'link'].map(id => [id, document.getElementById(id).textContent]));"
    )
    #expect(texts["link"] as? String == "Live" && texts["place"] as? String != "–", "\(texts)")
    #expect((texts["radius"] as? String)?.hasSuffix(" m") == true)
    expectCalm(browser)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
    #expect(try browser.waits(for: "document.getElementById('link').textContent.includes('lost')"))
  }

  /// What is wider than the window, what text stands out by less than 4.5 to 1, and how the map is.
  static let look = """
    const wide = [...document.querySelectorAll('main *, header *')].filter(e => !e.closest('.scroll') && !e.closest('.unseen')
      && e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.id || e.className || e.tagName);
    const channels = text => text.match(/[\\d.]+/g).map(Number);
    const light = rgb => { const [r, g, b] = rgb.map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
      return .2126 * r + .7152 * g + .0722 * b; };
    const back = e => { for (; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
    const pale = [...document.querySelectorAll('main *, header *')].filter(e => {
      if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length || e.closest('.skip')) return false;
      const [a, b] = [light(channels(getComputedStyle(e).color)), light(back(e))].sort((p, q) => q - p);
      return (a + .05) / (b + .05) < 4.5;
    }).map(e => (e.id || e.className || e.tagName) + ' ' + e.textContent.slice(0, 20));
    const map = document.getElementById('map');
    return { inner: innerWidth, page: document.documentElement.scrollWidth, wide: wide.join(), pale: pale.join(),
      map: Math.round(map.getBoundingClientRect().height),
      colours: new Set(map.getContext('2d').getImageData(0, 0, map.width, map.height).data).size };
    """

  @Test func itIsUsedByKeysAlone() throws {
    let (daemon, address) = try daemon()
    let browser = try Chromium()
    try browser.visit(address)
    #expect(try browser.waits(for: "document.getElementById('place').textContent !== '–'", within: 30))
    var stops: [String] = []
    for _ in 0..<40 {
      try browser.press("Tab", code: 9)
      let at = try browser.ask(
        """
        const e = document.activeElement, box = e.getBoundingClientRect(), ring = getComputedStyle(e).outlineStyle;
        return { name: e.id || e.dataset.map || e.dataset.layer || e.className || e.tagName, seen: box.width > 0 && ring !== 'none' };
        """)
      let name = at["name"] as? String ?? ""
      if stops.contains(name) && name != "scroll" || name == "BODY" { break }
      #expect(at["seen"] as? Bool == true, "\(name)")
      stops.append(name)
    }
    for name in ["skip", "pause", "track", "fixes", "radius", "map", "in", "out", "fit", "follow", "SUMMARY"]
    {
      #expect(stops.contains(name), "\(name) in \(stops)")
    }
    // The map follows the car until it is moved; F follows it again.
    let follows = "document.getElementById('follow').getAttribute('aria-pressed')"
    try browser.call("Runtime.evaluate", ["expression": "document.getElementById('map').focus()"])
    try browser.press("ArrowLeft", code: 37)
    #expect(try browser.waits(for: "\(follows) === 'false'", within: 2))
    try browser.press("f", code: 70)
    #expect(try browser.waits(for: "\(follows) === 'true'", within: 2))
    // What pauses takes nothing any more, and goes on when it is let.
    let link = "document.getElementById('link').textContent"
    try browser.call("Runtime.evaluate", ["expression": "document.getElementById('pause').focus()"])
    try browser.press("Enter", code: 13)
    #expect(try browser.waits(for: "\(link) === 'Paused'", within: 2))
    try browser.press("Enter", code: 13)
    #expect(try browser.waits(for: "\(link) === 'Live'"))
    expectCalm(browser)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }

  @Test func aScreenReaderIsToldWhatThereIs() throws {
    let (daemon, address) = try daemon()
    let browser = try Chromium()
    try browser.visit(address)
    #expect(try browser.waits(for: "document.querySelectorAll('#learned tr').length > 4", within: 60))
    #expect(try browser.waits(for: "document.getElementById('said').textContent !== ''"))
    let tree = try browser.call("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    func value(_ node: [String: Any], _ key: String) -> String {
      (node[key] as? [String: Any])?["value"] as? String ?? ""
    }
    let nodes = tree.filter { $0["ignored"] as? Bool != true }
      .map { (role: value($0, "role"), name: value($0, "name")) }
    for role in ["button", "application", "image", "region", "heading", "table", "columnheader", "rowheader"]
    {
      let all = nodes.filter { $0.role == role }
      #expect(!all.isEmpty && all.allSatisfy { role == "table" || !$0.name.isEmpty }, "\(role): \(all)")
    }
    for landmark in ["main", "banner", "status"] {
      #expect(nodes.contains { $0.role == landmark }, "\(landmark)")
    }
    #expect(nodes.contains { $0.role == "heading" && $0.name == "Where the car is" })
    #expect(nodes.contains { $0.role == "rowheader" && $0.name.hasPrefix("Gyroscope bias") })
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }

  @Test func aDenialIsShownAndEmptiesThePage() throws {
    let (daemon, address) = try daemon()
    let browser = try Chromium()
    try browser.visit(address)
    #expect(try browser.waits(for: "document.getElementById('place').textContent !== '–'", within: 30))
    let client = try daemon.client()
    client.say(.authorize(.init(name: "reckon-live-page", user: getuid()), .init(.denied)))
    #expect(
      try browser.waits(
        for:
          "document.getElementById('place').textContent === '–' && !document.getElementById('notice').hidden"
      ))
    let left = try browser.ask(
      "return { text: document.getElementById('notice').textContent, learned: document.querySelectorAll('#learned tr').length };"
    )
    #expect(
      (left["text"] as? String)?.contains("does not let this page") == true && left["learned"] as? Int == 0)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }

  @Test func sensorsAreShownWithWhatIsStillNeeded() throws {
    let imu = try IIODServer([.imu()])
    let feed = try IMUFeed(imu)
    let gpsd = try StandingReceiver()
    let settings = "[sensors]\ngpsd = \"127.0.0.1:\(gpsd.port)\"\nimu = \"\(imu.uri)\"\n"
    let (daemon, address) = try daemon(settings, drive: nil)
    let browser = try Chromium()
    try browser.visit(address)
    #expect(
      try browser.waits(
        for: """
          document.querySelectorAll('#sensors tr').length === 2 && document.getElementById('sensors').textContent.includes('Hz')
          && document.getElementById('needs').textContent.includes('drive off')
          """, within: 20))
    let texts = try browser.ask(
      "return { sensors: document.getElementById('sensors').textContent, place: document.getElementById('place').textContent };"
    )
    #expect((texts["sensors"] as? String)?.contains("gpsd 127.0.0.1:\(gpsd.port)") == true, "\(texts)")
    #expect((texts["place"] as? String)?.hasPrefix("52.5") == true, "\(texts)")
    expectCalm(browser)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
    feed.stop()
  }
}
