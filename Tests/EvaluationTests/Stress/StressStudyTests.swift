import Drives
import Evaluation
import Foundation
import Locks
import TestParts
import Testing

@Suite struct StressStudyTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private func drives() throws -> [String] {
    try ["one", "two"].map { try StressMade.write(StressMade.drive($0, seconds: 90), in: folder) }
  }

  private func run(_ study: StressStudy) -> (results: [StressResult], failures: [String], unchanged: [String])
  {
    let told = Mutex<([StressResult], [String], [String])>(([], [], []))
    study.run { outcome in
      told.withLock {
        switch outcome {
        case .result(let result, _): $0.0.append(result)
        case .failed(let reason): $0.1.append(reason)
        case .unchanged(let path): $0.2.append(path)
        }
      }
    }
    return told.withLock { ($0.0, $0.1, $0.2) }
  }

  @Test func numberOfThreadsChangesNothing() throws {
    var study = StressStudy(drives: try drives(), seeds: 1...4)
    let alone = run(study).results
    #expect(alone.map(\.drive) == Array(repeating: "one", count: 4) + Array(repeating: "two", count: 4))
    #expect(alone.map(\.seed) == [1, 2, 3, 4, 1, 2, 3, 4])
    for jobs in [2, 5, 100] {
      study.jobs = jobs
      let together = run(study).results
      #expect(together == alone)
      #expect(StressJSON.text(together) == StressJSON.text(alone))
    }
  }

  @Test func stoppedRunGoesOnAndEndsTheSame() throws {
    let path = folder + "/state"
    var study = StressStudy(drives: try drives(), seeds: 1...3)
    let plain = StressJSON.text(run(study).results)
    study.state = try StressState(path: path, build: "a")
    #expect(StressJSON.text(run(study).results) == plain)

    // Two lines and a half are left of it; what is in them is believed.
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 6)
    let kept = lines[0].replacing("\"resets\":0", with: "\"resets\":7") + "\n" + lines[1] + "\n"
    try (kept + lines[2].prefix(lines[2].count / 2)).write(toFile: path, atomically: true, encoding: .utf8)
    study.state = try StressState(path: path, build: "a")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == kept)
    var resumed = run(study).results
    #expect(resumed.map(\.figures.resets).filter { $0 == 7 } == [7])
    if let i = resumed.firstIndex(where: { $0.figures.resets == 7 }) { resumed[i].figures.resets = 0 }
    #expect(StressJSON.text(resumed) == plain)
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 6)

    // Another build starts from nothing, and leaves these lines.
    study.state = try StressState(path: path, build: "b")
    #expect(StressJSON.text(run(study).results) == plain)
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 12)
  }

  @Test func foreignLineIsNamed() throws {
    let path = folder + "/state"
    try "{\"build\":\"a\"}\n".write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: EvaluationError.self) { try StressState(path: path, build: "a") }
    #expect(error?.description.contains("line 1") == true)
  }

  @Test func keptVariantIsADrive() throws {
    let drive = try StressDrive(path: StressMade.write(StressMade.drive(seconds: 90), in: folder))
    let variant = StressVariant(of: drive, seed: 4, only: [.slower, .late])
    try variant.write(in: folder + "/kept", seed: 4)
    let read = try StressDrive(path: folder + "/kept/made-4-slower+late")
    #expect(read.inertial.count == variant.drive.inertial.count)
    #expect(read.fixes.count == variant.drive.fixes.count)
    #expect(read.wheel == drive.wheel)
    #expect(read.truth.track.samples == drive.truth.track.samples)
    #expect(read.description.notes.last?.contains("seed 4") == true)
  }

  @Test func driveWithoutTruthIsNamedOnceAndTheOthersGoOn() throws {
    let blind = try StressMade.write(StressMade.drive("blind", seconds: 90), in: folder, truth: false)
    let good = try StressMade.write(StressMade.drive("good", seconds: 90), in: folder)
    let told = run(StressStudy(drives: [blind, good], seeds: 1...3))
    #expect(told.results.map(\.drive) == ["good", "good", "good"])
    #expect(told.failures.count == 1)
    #expect(told.failures.first?.contains("truth.csv") == true)
  }

  @Test func driveThatACommandCannotChangeIsLeftOut() throws {
    var drive = StressMade.drive(seconds: 90)
    drive.wheel = []
    var study = StressStudy(drives: [try StressMade.write(drive, in: folder)], seeds: 1...3)
    study.only = [.noWheel]
    let told = run(study)
    #expect(told.results.isEmpty)
    #expect(told.unchanged.count == 1)
  }

  @Test func folderOfDrivesStandsForItsDrives() throws {
    let drives = try drives()
    #expect(try StressFolders.drives(in: folder).drives == drives)
    #expect(try StressFolders.drives(in: folder + "/").drives == drives)
    #expect(try StressFolders.drives(in: drives[0]).drives == [drives[0]])
    try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
    #expect(throws: EvaluationError.self) { try StressFolders.drives(in: folder + "/empty") }
    #expect(throws: DriveError.self) { try StressFolders.drives(in: folder + "/none") }
  }
}
