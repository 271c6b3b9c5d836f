import CLibrary
import Foundation
import Fusion
import Persistence
import TestParts
import Testing

@Suite struct SavedStateFileTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private var path: String { folder + "/state.json" }

  /// A state with a number of its own in every place, none of them short in binary.
  private var state: SavedState {
    func v(_ a: Double) -> Vector3 { Vector3(a / 3, -a / 7, a / 11) }
    func scalar(_ a: Double) -> Calibration.Scalar { .init(value: a / 3, sigma: a / 7) }
    func vector(_ a: Double) -> Calibration.Vector { .init(value: v(a), sigma: Vector3(a / 3, a / 7, a / 9)) }
    let calibration = Calibration(
      gyroBias: vector(0.02), accelBias: vector(0.2),
      vehicleFromBody: Quaternion(roll: 0.1, pitch: -0.2, yaw: 2),
      mountingPitchSigma: 0.011, mountingYawSigma: 0.012, odometerScale: scalar(0.03), leverArm: vector(1),
      axleDistance: scalar(2), sideslipGradient: scalar(0.003), pitchPerForce: scalar(0.004),
      positionDelay: scalar(0.1), velocityDelay: scalar(0.2), gyroScale: scalar(0.01),
      gnssPositionBias: vector(3),
      whiteSigma: 0.7, lastingSigma: 1.3, velocityScale: 1.7)
    return SavedState(
      time: Timestamp(nanoseconds: 123_456_789_012_345),
      position: GeodeticPosition(latitude: 0.7, longitude: -2.1, height: 31.7),
      positionCovariance: Matrix3(columns: Vector3(3, 0.1, 0.2), Vector3(0.1, 4, 0.3), Vector3(0.2, 0.3, 5)),
      velocityNED: v(2), isStandingStill: true, navFromBody: Quaternion(roll: 0.3, pitch: 0.1, yaw: -1),
      headingSigma: 0.021, verticalAxis: Quaternion(roll: 0.1, pitch: 0.2, yaw: 0) * Vector3(0, 0, 1),
      calibration: calibration,
      receiverNoise: .init(
        whiteHorizontal: 0.11, whiteVertical: 0.12, lastingHorizontal: 1.3, lastingVertical: 1.4))
  }

  private func bytes() throws -> [UInt8] {
    try SavedStateFile.write(state, to: path)
    return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// It says where the car was: nobody else may read it, whatever the umask, also where it takes the place of
  /// one that everybody could.
  @Test func savedStatesAreTheirOwnersAlone() throws {
    func permissions() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    _ = try bytes()
    #expect(try permissions() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    _ = try bytes()
    #expect(try permissions() == 0o600)
    // Also one that another writes into the file that takes its place.
    try AtomicFile.replace(path) { try Data("x".utf8).write(to: URL(fileURLWithPath: $0)) }
    #expect(try permissions() == 0o600)
  }

  private func reason(_ text: String) -> FileError? {
    do {
      _ = try SavedStateFile.parse(Array(text.utf8), path: "f")
      return nil
    } catch { return error }
  }

  @Test func everyBitComesBack() throws {
    #expect(state.fault == nil)
    try SavedStateFile.write(state, to: path)
    #expect(try SavedStateFile.read(path) == state)
    var bare = state
    bare.receiverNoise = nil
    bare.calibration.whiteSigma = nil
    try SavedStateFile.write(bare, to: path)
    #expect(try SavedStateFile.read(path) == bare)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.json"])
  }

  @Test func ageIsTheTimeBetweenTwoClocks() throws {
    try SavedStateFile.write(state, to: path, unixTime: 1000)
    #expect(try SavedStateFile.read(path, unixTime: 4600).age == 3600)
    #expect(try SavedStateFile.read(path).age == nil)
    // A clock that has not been set yet says nothing.
    #expect(try SavedStateFile.read(path, unixTime: 10).age == nil)
  }

  /// A power cut while an older program wrote it in place.
  @Test func everyTruncationIsAnError() throws {
    let whole = try bytes()
    // The last bytes are the closing brace and a line end, which may go.
    for length in 0..<(whole.count - 2) {
      #expect(throws: FileError.self, "\(length) bytes") {
        try SavedStateFile.parse(Array(whole[..<length]), path: "f")
      }
    }
  }

  /// Whatever is read after a byte went wrong is an error, or a state that may be tried.
  @Test func noSpoiltByteGivesAnImpossibleState() throws {
    let whole = try bytes()
    var refused = 0
    for i in whole.indices {
      for replacement: UInt8 in [
        0, 0xFF, UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "e"), whole[i] ^ 1,
      ] {
        var spoilt = whole
        spoilt[i] = replacement
        if let read = try? SavedStateFile.parse(spoilt, path: "f") {
          #expect(read.fault == nil, "byte \(i)")
        } else {
          refused += 1
        }
      }
    }
    #expect(refused > whole.count)
  }

  @Test func reasonsAreStated() throws {
    let text = String(decoding: try bytes(), as: UTF8.self)
    #expect(reason("")?.description.contains("empty") == true)
    #expect(reason("hello")?.description.contains("not JSON") == true)
    #expect(reason("[1, 2]")?.description.contains("no saved state") == true)
    #expect(reason(#"{"format": "other", "version": 1}"#)?.description.contains("format") == true)
    #expect(
      reason(#"{"format": "reckon-saved-state", "version": 2}"#)
        == .unknownVersion(path: "f", found: 2, known: 1))
    let missing = text.replacingOccurrences(of: "\"headingSigma\"", with: "\"headingSigmo\"")
    #expect(reason(missing)?.description.contains("headingSigma") == true)
    let infinite = text.replacingOccurrences(of: "31.7", with: "1e999")
    #expect(infinite != text && reason(infinite) != nil)
    let short = text.replacingOccurrences(of: "\"velocityNED\" : [", with: "\"velocityNED\" : [1, ")
    #expect(short != text && reason(short)?.description.contains("numbers") == true)
    let absurd = text.replacingOccurrences(of: "31.7", with: "31.7e9")
    #expect(reason(absurd)?.description.contains("position") == true)
    #expect(throws: FileError.unreadable(path: folder + "/none", reason: "no such file")) {
      try SavedStateFile.read(folder + "/none")
    }
    #expect(throws: FileError.self) { try SavedStateFile.read(folder) }
  }

  @Test func anImpossibleStateIsNotWritten() throws {
    try SavedStateFile.write(state, to: path)
    var spoilt = state
    spoilt.velocityNED.x = .nan
    #expect(throws: FileError.self) { try SavedStateFile.write(spoilt, to: path) }
    // What was there before still is.
    #expect(try SavedStateFile.read(path) == state)
    #expect(throws: FileError.self) { try SavedStateFile.write(state, to: folder + "/none/state.json") }
  }

  /// A full disk is no matter of which folder exists.
  @Test func theAdviceIsByTheReason() {
    let full = FileError.unwritable(path: "state.json", reason: SystemError.text(ENOSPC))
    #expect("\(full)".contains("make room") && !"\(full)".contains("folder that exists"), "\(full)")
    #expect("\(FileError.unwritable(path: "a", reason: "it has no name"))".contains("folder that exists"))
  }
}
