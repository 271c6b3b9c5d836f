import CLibrary
import Drives
import Foundation
import Navigation
import TestParts
import Testing

@Suite struct BadDriveTests {
  @Test func missingFolderIsNamed() {
    let error = driveError { _ = try Contents("/nowhere/at/all") }
    #expect(error == .folderNotFound(path: "/nowhere/at/all"))
    #expect("\(error.map(\.description) ?? "")".contains("/nowhere/at/all"))
  }

  @Test func missingDescriptionIsNamed() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0])], json: nil)
    #expect(driveError { _ = try Contents(drive.path) } == .missingDescription(path: drive.path))
  }

  @Test(arguments: [
    "", "{", "[]", "{\"name\": 3}", "{\"place\": \"x\"}", "{\"name\": \"x\", \"kind\": \"dreamt\"}",
    "{\"name\": \"x\", \"antennaLeverArmMetres\": [1, 2]}", "{\"name\": \"x\", \"notes\": [1]}",
  ])
  func malformedDescriptionIsAnError(json: String) throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0])], json: json)
    guard case .malformedDescription(let file, let reason) = driveError({ _ = try Contents(drive.path) })
    else {
      Issue.record("no error for \(json)")
      return
    }
    #expect(file == drive("drive.json"))
    #expect(!reason.isEmpty)
  }

  @Test(arguments: [
    ("{\"name\": \"x\",\n \"kind\": }", "line 2, column 10: unexpected text"),
    ("", "line 1, column 1: unexpected text"),
    ("{\"name\": \"x\"\n}}", "line 2, column 2: unexpected text"),
    ("{\"name\": \"x", "line 1, column 12: unexpected text"),
    ("{\"a\": [1, -2.5e3, true, null, {}], \"b\": 1.}", "line 1, column 43: unexpected text"),
    ("nul", "line 1, column 4: unexpected text"),
    ("{\"name\": \"x\",\n  \"name\": \"y\"}", "line 2, column 3: a key that stands here already"),
  ])
  func brokenJSONIsPlaced(json: String, place: String) throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0])], json: json)
    let reason = "not valid JSON: \(place)"
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .malformedDescription(file: drive("drive.json"), reason: reason))
  }

  @Test func wrongTypeInTheDescriptionNamesItsKey() throws {
    let json = "{\"name\": \"x\", \"imu\": {\"rateHz\": \"fast\"}}"
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0])], json: json)
    let error = driveError { _ = try Contents(drive.path) }
    #expect("\(error.map(\.description) ?? "")".contains("drive.json: \"imu.rateHz\": "))
  }

  @Test func randomDamageEndsInRowsOrInAnError() throws {
    let rows = "time_s,speed_m_s,yaw_rate_rad_s\r\n" + (0..<40).map { "\($0).5,1.25,-0.125\n" }.joined()
    let drive = try ScratchFolder.drive([:])
    var dice = Dice(seed: 7)
    var errors = 0
    for _ in 0..<400 {
      var bytes = Array(rows.utf8)
      for _ in 0...dice.below(4) {
        switch dice.below(3) {
        case 0: bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
        case 1: bytes.removeLast(dice.below(bytes.count / 2))
        default:
          let some = bytes[dice.below(bytes.count)...].prefix(20)
          bytes.insert(contentsOf: some, at: dice.below(bytes.count))
        }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: drive("wheel.csv")))
      let error = driveError {
        let times = try Contents(drive.path).samples.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      }
      if error != nil { errors += 1 }
    }
    #expect(errors > 0 && errors < 400)
  }

  @Test func driveWithoutSensorsIsAnError() throws {
    let drive = try ScratchFolder.drive(["truth.csv": "time_s,latitude_deg,longitude_deg\n"])
    #expect(driveError { _ = try Contents(drive.path) } == .noSensorFiles(path: drive.path))
  }

  @Test(arguments: ["", "\n\n", "\r\n"])
  func emptyFileIsAnError(text: String) throws {
    let drive = try ScratchFolder.drive(["imu.csv": text])
    #expect(driveError { _ = try Contents(drive.path) } == .emptyFile(file: drive("imu.csv")))
  }

  @Test func missingColumnIsNamedWithFileAndLine() throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "\ntime_s,speed_kmh\n0,1\n"])
    let error = driveError { _ = try Contents(drive.path) }
    let expected = DriveError.missingColumn(
      file: drive("wheel.csv"), line: 2, column: "speed_m_s", found: ["time_s", "speed_kmh"])
    #expect(error == expected)
    #expect("\(expected)".contains("wheel.csv:2: no column speed_m_s among time_s, speed_kmh"))
  }

  /// A file that is no table must not write to the terminal what it likes.
  @Test func whatStandsForColumnsIsShownShortAndPrintable() {
    let found = ["\u{1B}[31mtime", String(repeating: "x", count: 5000)] + Array(repeating: "a", count: 100)
    let text = "\(DriveError.missingColumn(file: "wheel.csv", line: 1, column: "time_s", found: found))"
    #expect(text.utf8.count < 400, "\(text.utf8.count) bytes")
    #expect(text.contains("?[31mtime") && text.contains("and 82 more"), "\(text)")
  }

  @Test(arguments: [(ENOSPC, "make room"), (EISDIR, "not a folder"), (EFBIG, "ulimit -f")])
  func whatTheSystemRefusesComesWithWhatToDo(number: Int32, advice: String) {
    let reason = SystemError.text(number)
    #expect("\(DriveError.system(file: "t.csv", operation: "write", reason: reason))".contains(advice))
  }

  @Test func repeatedColumnIsAnError() throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s,time_s\n"])
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .repeatedColumn(file: drive("wheel.csv"), line: 1, column: "time_s"))
  }

  @Test(arguments: ["1x2", "abc", "1.2.3", "0x1p3", "1e", "-", "\"3\"", "1 2", "1;2", "nanny", "٣"])
  func lettersInANumberAreAnErrorWithItsPlace(cell: String) throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n1,\(cell)\n2,3\n"])
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .notANumber(file: drive("wheel.csv"), line: 3, column: "speed_m_s", text: cell))
  }

  @Test func lettersInAnOptionalCellAreAnErrorToo() throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s,yaw_rate_rad_s\n0,1,left\n"])
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .notANumber(file: drive("wheel.csv"), line: 2, column: "yaw_rate_rad_s", text: "left"))
  }

  @Test(arguments: [("1", 1), ("1,2,3", 3), ("1,2,", 3)])
  func wrongNumberOfCellsIsAnError(row: String, found: Int) throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n\(row)\n2,3\n"])
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .wrongCellCount(file: drive("wheel.csv"), line: 3, expected: 2, found: found))
  }

  @Test func overlongLineIsAnError() throws {
    let long = String(repeating: "7", count: 70_000)
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n1,\(long)\n"])
    #expect(
      driveError { _ = try Contents(drive.path) }
        == .lineTooLong(file: drive("wheel.csv"), line: 3, limit: 65536))
    let endless = try ScratchFolder.drive(["wheel.csv": String(repeating: "\0", count: 1 << 20)])
    #expect(
      driveError { _ = try Contents(endless.path) }
        == .lineTooLong(file: endless("wheel.csv"), line: 1, limit: 65536))
  }

  @Test func folderInPlaceOfATableIsAnError() throws {
    let drive = try ScratchFolder.drive([:])
    try FileManager.default.createDirectory(
      atPath: drive("imu.csv"), withIntermediateDirectories: false)
    let reason = "is a folder, and a file is needed; there is none in it"
    let error = driveError { _ = try Contents(drive.path) }
    #expect(error == .malformedFile(file: drive("imu.csv"), reason: reason))
  }
}
