import Coarse
import Foundation
import Location
import TestParts
import Testing

@Suite struct CoarseDatabaseTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private var output: String { folder + "/places.sqlite" }

  private func table(_ name: String, _ text: String) throws -> String {
    try scratch.put(name, text)
    return scratch(name)
  }

  private func scan(_ lines: String) throws -> CoarseScan {
    var state = CoarseProtocol()
    for line in lines.split(separator: "\n") { #expect(try state.read(String(line)) == nil) }
    return try #require(try state.read(""))
  }

  private static let cells = """
    radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal
    LTE,262,1,4711,123456,12,11.5,48.1,1400,9,1,1459692342,1488347104,-94
    LTE,262,1,4711,123457,,11.52,48.12,0,1,1,1459692342,1488347104,
    GSM,262,1,4711,99,,11.9,48.3,2500,2,1,1459692342,1488347104,

    """

  @Test func tablesBecomeADatabaseThatIsRead() throws {
    let paths = [
      try table("cells.csv", Self.cells),
      try table(
        "wifi.csv", "bssid,lat,lon,range\naa:bb:cc:dd:ee:f0,48.1,11.5,20\nAA-BB-CC-DD-EE-F2,48.2,11.5\n"),
    ]
    let summary = try CoarseImport.make(output, from: paths)
    #expect(summary.taken == 5 && summary.refused == 0 && summary.firstRefusal == nil)
    let database = try CoarseDatabase(path: output)
    #expect(try database.counts() == (2, 3, 2))
    let anchors = try database.anchors(
      for: scan(
        "wifi AA:bb:cc:dd:ee:f0 -61\nwifi 00:00:00:00:00:02 -50\ncell lte 262 1 4711 123456 -95\ncell gsm 262 1 4711 98\ncell nr 262 1 1 1\n"
      ))
    #expect(
      anchors.map(\.kind) == [.accessPoint, .area, .cell] && anchors.map(\.strength) == [-61, nil, -95]
        && anchors.map { $0.radius.rounded() } == [30, 2500, 1400])
    #expect(anchors[2].place == Coordinate(latitudeDegrees: 48.1, longitudeDegrees: 11.5))
    // A cell of which nothing but its place is known reaches as far as its like.
    #expect(try database.anchors(for: scan("cell lte 262 1 4711 123457\n")).map(\.radius) == [1500])
  }

  @Test func aTableOfCellsNeedsNoHeaderAndTheLaterRowHolds() throws {
    let rows = Self.cells.split(separator: "\n").dropFirst().joined(separator: "\n")
    let again = "LTE,262,1,4711,123456,12,12.5,49.1,1400,9,1,1459692342,1488347104,-94\n"
    _ = try CoarseImport.make(output, from: [try table("a.csv", rows), try table("b.csv", again)])
    let anchors = try CoarseDatabase(path: output).anchors(for: scan("cell lte 262 1 4711 123456\n"))
    #expect(anchors.map(\.place) == [Coordinate(latitudeDegrees: 49.1, longitudeDegrees: 12.5)])
  }

  @Test func aGroupLiesAmongItsCellsAndHoldsTwoThirdsOfThemAlsoAcrossTheDateLine() throws {
    var rows = ""
    for i in 0..<100 {
      let longitude = 179.9 + Double(i) * 0.002
      rows += "UMTS,530,1,7,\(i),,\(longitude > 180 ? longitude - 360 : longitude),-40,1000\n"
    }
    _ = try CoarseImport.make(output, from: [try table("c.csv", rows)])
    let group = try #require(
      try CoarseDatabase(path: output).anchors(for: scan("cell umts 530 1 7 5000\n")).first)
    #expect(
      abs(abs(group.place.longitudeDegrees) - 180) < 0.01 && abs(group.place.latitudeDegrees + 40) < 0.01)
    // 17 km from end to end: 68 % within 5.8 km of the middle, and a cell's reach.
    #expect(group.kind == .area && abs(group.radius - 6800) < 200)
  }

  @Test func rowsThatSayNothingAreCountedAndTheFirstIsNamed() throws {
    let path = try table(
      "c.csv",
      Self.cells
        + "LTE,0,1,1,1,,11,48,0\nCDMA,1,1,1,1,,11,48,0\nLTE,262,1,1,1,,0,0,0\nLTE,262,1,1,1,,11,95,0\nx\n")
    let summary = try CoarseImport.make(output, from: [path])
    #expect(summary.taken == 3 && summary.refused == 5)
    #expect(summary.firstRefusal == "\(path): line 5: mcc, net, area or cell is not a number in its range")
  }

  @Test func whatIsNoTableLeavesTheDatabaseThatWasThere() throws {
    _ = try CoarseImport.make(output, from: [try table("c.csv", Self.cells)])
    let before = try Data(contentsOf: URL(filePath: output))
    for text in ["", "a,b\n1,2\n", "bssid,lat\naa:bb:cc:dd:ee:ff,1\n", "radio,mcc\n", "\u{0}\u{1}\n"] {
      #expect(throws: CoarseError.self) { try CoarseImport.make(output, from: [try table("bad.csv", text)]) }
    }
    #expect(throws: CoarseError.self) { try CoarseImport.make(output, from: [folder + "/none.csv"]) }
    #expect(throws: CoarseError.self) {
      try CoarseImport.make("/nowhere/p.sqlite", from: [folder + "/c.csv"])
    }
    #expect(try Data(contentsOf: URL(filePath: output)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains(".new") })
  }

  /// Editors begin a text with a mark; a table with one is the same table, with a header and without.
  @Test func aMarkBeforeATableIsPassedOver() throws {
    let cells = try table("c.csv", "\u{FEFF}" + Self.cells)
    let wifi = try table("w.csv", "\u{FEFF}aa:bb:cc:dd:ee:f0,48.1,11.5,20\n")
    let summary = try CoarseImport.make(output, from: [cells, wifi])
    #expect(summary.taken == 4 && summary.refused == 0, "\(summary)")
  }

  /// As OpenCellID hands its tables out.
  @Test func aPackedTableIsSaidAsSuch() throws {
    let packed = folder + "/cells.csv.gz"
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]).write(to: URL(filePath: packed))
    let reason = "it is packed by gzip; unpack it: gunzip < IN > OUT"
    #expect(throws: CoarseError.unreadable(path: packed, reason: reason)) {
      try CoarseImport.make(output, from: [packed])
    }
  }

  @Test func onlyADatabaseOfPlacesIsReplaced() throws {
    let cells = try table("c.csv", Self.cells)
    let draft = try table("places.sqlite.new", Self.cells)
    let letter = try table("letter", String(repeating: "dear all ", count: 100))
    #expect(throws: CoarseError.isTable(path: cells)) { try CoarseImport.make(cells, from: [cells]) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: cells)
    #expect(throws: CoarseError.isTable(path: folder + "/link")) {
      try CoarseImport.make(folder + "/link", from: [cells])
    }
    #expect(throws: CoarseError.isTable(path: draft)) { try CoarseImport.make(output, from: [draft]) }
    #expect(throws: CoarseError.inTheWay(path: letter)) { try CoarseImport.make(letter, from: [cells]) }
    for path in [cells, draft] {
      #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.cells)
    }
    for _ in 0..<2 { #expect(try CoarseImport.make(output, from: [cells]).taken == 3) }
  }

  @Test func whatIsNoDatabaseOfPlacesIsSaid() throws {
    #expect(throws: CoarseError.self) { try CoarseDatabase(path: folder + "/none") }
    let path = try table("text", String(repeating: "no database ", count: 1000))
    #expect(throws: CoarseError.notPlaces(path: path)) { try CoarseDatabase(path: path) }
  }

  @Test(arguments: [Dice.newSeed]) func damagedDatabasesNeverCrash(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    _ = try CoarseImport.make(output, from: [try table("c.csv", Self.cells)])
    let good = try Data(contentsOf: URL(filePath: output))
    let scan = try scan("cell lte 262 1 4711 123456\ncell gsm 262 1 4711 98\nwifi aa:bb:cc:dd:ee:f0 -50\n")
    for _ in 0..<200 {
      var bytes = good
      for _ in 0..<20 { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      try bytes.write(to: URL(filePath: folder + "/bad"))
      guard let database = try? CoarseDatabase(path: folder + "/bad") else { continue }
      if let anchors = try? database.anchors(for: scan), let estimate = CoarseEstimate(anchors) {
        #expect(estimate.place.isValid && estimate.radius > 0)
      }
    }
  }

  @Test(arguments: [
    "wifi", "wifi aa:bb:cc:dd:ee:ff", "wifi aa:bb:cc:dd:ee -60", "wifi 00:00:00:00:00:00 -60",
    "wifi ff:ff:ff:ff:ff:ff -60",
    "wifi aa:bb:cc:dd:ee:f0 60", "wifi aa:bb:cc:dd:ee:f0 nan", "wifi aa:bb:cc:dd:ee:+f -6", "cell",
    "cell cdma 1 1 1 1",
    "cell lte 262 1 4711", "cell lte 0 1 4711 1", "cell lte 1000 1 1 1", "cell lte 262 1 -1 1",
    "cell lte 262 1 1 99999999999999999999",
    "cell lte 262 1 1 1 x", "bluetooth 1", "wifi aa:bb:cc:dd:ee:f0 -60 7",
  ]) func whatIsNoObservationIsRefusedAndChangesNothing(_ line: String) throws {
    var state = CoarseProtocol()
    #expect(throws: CoarseProtocol.Refusal.self) { try state.read(line) }
    #expect(try state.read("") == nil)
  }

  @Test func aScanEndsWithAnEmptyLineAndIsBounded() throws {
    var state = CoarseProtocol()
    #expect(try state.read("# a comment") == nil && state.read("") == nil)
    for i in 0..<CoarseProtocol.largestScan { _ = try state.read("cell lte 262 1 1 \(i)\r") }
    #expect(throws: CoarseProtocol.Refusal.self) { try state.read("cell lte 262 1 1 9999") }
    #expect(try state.read(" \t\r")?.count == CoarseProtocol.largestScan)
    // Heard twice: the stronger.
    _ = try state.read("wifi aa:bb:cc:dd:ee:f0 -80")
    _ = try state.read("wifi aa:bb:cc:dd:ee:f0 -60")
    #expect(try state.read("")?.accessPoints.map(\.value) == [-60])
  }
}
