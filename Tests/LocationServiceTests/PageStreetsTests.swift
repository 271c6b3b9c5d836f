import Foundation
import JSON
import Location
import LocationService
import TestParts
import Testing

/// The streets of the live page, asked for by hand.
@Suite(.serialized) struct PageStreetsTests {
  private static let town = MadeStreets(latitude: 48, longitude: 11)
  private let scratch = ScratchFolder()
  private var path: String { scratch("town.pmtiles") }

  private func bench(_ bytes: [UInt8], _ log: LineLog = LineLog()) throws -> PageBench {
    try Data(bytes).write(to: URL(filePath: path))
    return try PageBench {
      $0.page?.streets = path
      $0.log = log.logger
    }
  }

  /// Head and body of the answer, byte by byte.
  private func answer(_ bench: PageBench, _ path: String) -> (head: String, body: [UInt8])? {
    let connection = MetricsPage.connect(bench.port)
    defer { close(connection) }
    let bytes = Array(bench.request(path).utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = read(connection, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
    guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    return (
      String(decoding: all[..<end.lowerBound], as: UTF8.self).lowercased(), Array(all[end.upperBound...])
    )
  }

  @Test(arguments: [true, false]) func aTileIsSentAsItStandsInTheFile(isPacked: Bool) throws {
    let bench = try bench(Self.town.file(isPacked: isPacked, leaf: 9))
    let token = "?token=\(bench.token)"
    for tile in Self.town.tiles(14...14) {
      let said = try #require(answer(bench, "/streets/14/\(tile.x)/\(tile.y)\(token)"))
      #expect(said.head.hasPrefix("http/1.1 200") && said.head.contains("\r\ncache-control: no-store"))
      #expect(said.head.contains("\r\ncontent-encoding: gzip") == isPacked)
      #expect(said.body == (isPacked ? MadeStreets.packed(tile.bytes) : tile.bytes))
    }
    let none = try #require(answer(bench, "/streets/14/0/0\(token)"))
    #expect(none.head.hasPrefix("http/1.1 204") && none.body.isEmpty)
  }

  /// What holds for the page holds for its streets: another site's page, another name, and who has no token.
  @Test func whoIsNotItsOwnPageGetsNoTile() throws {
    let bench = try bench(Self.town.file())
    let tile = try #require(Self.town.tiles(14...14).first)
    let (path, token) = ("/streets/14/\(tile.x)/\(tile.y)", "?token=\(bench.token)")
    for (request, status) in [
      (bench.request(path), "403"), (bench.request(path + token.dropLast()), "403"),
      (bench.request(path + token, host: "evil.example"), "421"),
      (bench.request(path + token, ["Origin: http://evil.example"]), "403"),
      (bench.request(path + token, ["Origin: null"]), "403"),
      (bench.request(path + token, ["Sec-Fetch-Site: cross-site"]), "403"),
      (bench.request(path + token, method: "POST"), "404"), (bench.request("/streets" + token), "404"),
      (bench.request("/streets/14/../1" + token), "404"), (bench.request("/streets/14/1" + token), "404"),
      (bench.request("/streets/23/1/1" + token), "404"), (bench.request("/streets/3/8/0" + token), "404"),
      (bench.request("/streets/3/-1/0" + token), "404"), (bench.request("/streets/3/0/0/0" + token), "404"),
      (bench.request("/streets/3/0/99999999999999999999" + token), "404"),
      (bench.request("/streets/%31/0/0" + token), "404"), (bench.request("/streets//0/0" + token), "404"),
    ] {
      let said = try #require(bench.answer(request))
      #expect(
        said.split(separator: " ").dropFirst().first.map(String.init) == status,
        "\(request) \(said.prefix(40))")
      #expect(!said.contains("vector-tile"))
    }
  }

  @Test func aPageWithoutAFileHasNoStreets() throws {
    let bench = try PageBench()
    #expect(
      bench.answer(bench.request("/streets/0/0/0?token=\(bench.token)"))?.hasPrefix("HTTP/1.1 404") == true)
    let page = try #require(bench.answer(bench.request("/?token=\(bench.token)")))
    #expect(page.contains("There are no streets: nothing is fetched.") && !page.contains("data-streets="))
  }

  /// The service goes on without streets, and says why where it logs and on the page.
  @Test(
    arguments: [
      ([], "no PMTiles file"), (Array("PMTiles".utf8) + [3], "cut off within its header"),
      (Array(town.file()[..<3000]), "was not copied whole"),
    ] as [([UInt8], String)]) func aFileThatCannotBeUsedIsSaid(bytes: [UInt8], words: String) throws
  {
    let log = LineLog()
    let bench = try bench(bytes, log)
    #expect(
      log.lines.contains { $0.contains("[web] streets: \(path): ") && $0.contains(words) }, "\(log.lines)")
    let page = try #require(bench.answer(bench.request("/?token=\(bench.token)")))
    #expect(page.contains("There are no streets: \(path): ") && page.contains(words))
    bench.publish(north: 1)
    #expect(bench.stream().first { $0["location"] != nil } != nil)
  }

  @Test func aTileThatCannotBeReadIsSaidAndTheServiceGoesOn() throws {
    let whole = Self.town.file()
    let bench = try bench(whole)
    #expect(truncate(path, off_t(whole.count / 2)) == 0)
    let tile = try #require(Self.town.tiles(15...15).last)
    let said = try #require(answer(bench, "/streets/15/\(tile.x)/\(tile.y)?token=\(bench.token)"))
    #expect(said.head.hasPrefix("http/1.1 500"))
    #expect(
      String(decoding: said.body, as: UTF8.self).contains("tile 15/\(tile.x)/\(tile.y): the file is cut off"))
    bench.publish(north: 1)
    #expect(bench.stream().first { $0["location"] != nil } != nil)
  }

  /// Who asks without end and takes nothing keeps nobody from anything.
  @Test func manyQuestionsThatNobodyWaitsForHarmNobody() throws {
    let bench = try bench(Self.town.file())
    let tile = try #require(Self.town.tiles(14...14).first)
    let request = Array(bench.request("/streets/14/\(tile.x)/\(tile.y)?token=\(bench.token)").utf8)
    for i in 0..<300 {
      let connection = MetricsPage.connect(bench.port)
      _ = send(connection, request, request.count, Int32(MSG_NOSIGNAL))
      if i % 10 == 0 { usleep(1000) }
      close(connection)
    }
    bench.publish(north: 1)
    #expect(bench.stream().first { $0["location"] != nil } != nil)
    #expect(
      answer(bench, "/streets/14/\(tile.x)/\(tile.y)?token=\(bench.token)")?.head.hasPrefix("http/1.1 200")
        == true)
  }

  @Test func theSourceIsTextAndNothingElse() throws {
    let bench = try bench(Self.town.file(attribution: "&lt;img src=x&gt; \"&copy; <b>Town</b>"))
    let page = try #require(bench.answer(bench.request("/?token=\(bench.token)")))
    #expect(page.contains("Streets: &lt;img src=x&gt; &quot;© Town</p>") && !page.contains("<img"))
  }
}
