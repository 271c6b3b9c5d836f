import CLibrary
import Foundation
import Location
import LocationService
import TestParts
import Testing

/// Streets under the map.
extension LivePageBrowserTests {
  /// The streets of a made-up town under a drive, in each schema, drawn from the file and from nowhere else.
  @Test(arguments: [MadeStreets.Schema.protomaps, .openMapTiles])
  func streetsOfAFileAreDrawnAtThreeWidthsInLightAndDark(schema: MadeStreets.Schema) throws {
    let town = MadeStreets(latitude: -33.8688, longitude: 151.2093, schema: schema)
    let file = folder + "/town.pmtiles"
    try Data(town.file(10...15, leaf: 20)).write(to: URL(filePath: file))
    let (daemon, address) = try daemon(web: "streets = \"\(file)\"\n")
    let browser = try Chromium()
    try browser.visit(address)
    #expect(try browser.waits(for: "document.getElementById('place').textContent !== '–'", within: 30))
    let shares = """
      const map = document.getElementById('map'), style = getComputedStyle(document.documentElement), pixels = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;
      const share = name => { const [r, g, b] = style.getPropertyValue('--' + name).trim().match(/[0-9a-f]{2}/g).map(h => parseInt(h, 16));
        let count = 0; for (let i = 0; i < pixels.length; i += 4) if (pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b) count++;
        return count / (pixels.length / 4); };
      """
    let drawn =
      "(() => { \(shares) return share('house') > 0.005 && share('road') + share('main') > 0.005; })()"
    for width in [390, 768, 1280] {
      for isDark in [false, true] {
        try browser.look(width: width, isDark: isDark)
        #expect(try browser.waits(for: drawn, within: 20), "\(width) \(isDark)")
        let answer = try browser.ask(Self.look)
        #expect(answer["page"] as? Int ?? .max <= width && answer["wide"] as? String == "", "\(answer)")
        #expect(answer["pale"] as? String == "", "\(width), dark \(isDark): \(answer)")
        if let folder = ProcessInfo.processInfo.environment["RECKON_PICTURES"] {
          let name = "/streets-\(schema)-\(width)-\(isDark ? "dark" : "light").png"
          try browser.picture().write(to: URL(filePath: folder + name))
        }
      }
    }
    let credit = try browser.ask(
      "const e = document.querySelector('.credit'); return { text: e.textContent, seen: e.getBoundingClientRect().width > 0 };"
    )
    #expect(credit["text"] as? String == "Streets: © OpenStreetMap" && credit["seen"] as? Bool == true)
    // Switched off by its button, which says so, there is the grid again; far out and far in nothing breaks.
    try browser.call(
      "Runtime.evaluate", ["expression": "document.querySelector('[data-layer=streets]').focus()"])
    try browser.press("Enter", code: 13)
    #expect(
      try browser.waits(for: "!\(drawn) && document.activeElement.getAttribute('aria-pressed') === 'false'"))
    try browser.press("Enter", code: 13)
    #expect(try browser.waits(for: drawn))
    try browser.call("Runtime.evaluate", ["expression": "document.getElementById('map').focus()"])
    if let folder = ProcessInfo.processInfo.environment["RECKON_PICTURES"] {
      for isDark in [false, true] {
        try browser.look(width: 1280, isDark: isDark)
        for _ in 0..<3 { try browser.press("-") }
        sleep(2)
        try browser.picture().write(to: URL(filePath: folder + "/streets-\(schema)-far-\(isDark).png"))
      }
    }
    for key in [String](repeating: "-", count: 30) + [String](repeating: "+", count: 60) {
      try browser.press(key)
      // A view that is never drawn asks for nothing.
      try browser.waitsForFrame()
    }
    try browser.press("f", code: 70)
    expectCalm(browser)
    let tiles = browser.events(of: "Network.requestWillBeSent").compactMap {
      ($0["request"] as? [String: Any])?["url"] as? String
    }.filter { $0.contains("/streets/") }
    #expect(tiles.count > 40 && tiles.count < 400, "\(tiles.count)")
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }

  /// Tiles of noise, of a bomb, and of an area without end: the page says so, and the map goes on.
  @Test func tilesThatMeanHarmAreSaidAndTheMapGoesOn() throws {
    let town = MadeStreets(latitude: -33.8688, longitude: 151.2093)
    var random = Dice(seed: 17)
    var (entries, data): ([PMTilesEntry], [UInt8]) = ([], [])
    for tile in town.tiles(13...15).sorted(by: {
      MadeStreets.identifier($0.zoom, $0.x, $0.y) < MadeStreets.identifier($1.zoom, $1.x, $1.y)
    }) {
      var bytes = tile.bytes
      for _ in 0..<8 where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 3 == 0 { bytes = [UInt8](repeating: 0x1A, count: 500_000) }
      let packed = MadeStreets.packed(bytes)
      entries.append(
        .init(
          identifier: MadeStreets.identifier(tile.zoom, tile.x, tile.y), offset: data.count,
          length: packed.count, run: 1))
      data += packed
    }
    let file = folder + "/town.pmtiles"
    try Data(MadeStreets.file(entries, data: data, zooms: 13...15, isPacked: true)).write(
      to: URL(filePath: file))
    let (daemon, address) = try daemon(web: "streets = \"\(file)\"\n")
    let browser = try Chromium()
    try browser.visit(address)
    #expect(
      try browser.waits(
        for: "document.getElementById('streets-fault').textContent.startsWith('No streets: a tile')",
        within: 30))
    #expect(try browser.waits(for: "document.getElementById('link').textContent === 'Live'"))
    #expect(browser.events(of: "Runtime.exceptionThrown").isEmpty)
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 6) == 0)
  }
}
