import Drives
import Foundation
import Simulation
import Testing

@Suite struct DatasetTests {
  private static let names = ["downtown-canyon", "open-sky-commute", "tunnel-and-garage"]
  private static let files = ["drive.json", "imu.csv", "gnss.csv", "sky.csv", "truth.csv"]

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("datasets")
  }

  @Test(arguments: names) func regeneratingADriveGivesTheSameBytes(name: String) throws {
    let folder = Self.folder.appendingPathComponent(name)
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("reckon-dataset-\(UInt64.random(in: 0...UInt64.max))")
    defer { try? FileManager.default.removeItem(at: copy) }
    let scenario = try Scenario(path: folder.appendingPathComponent("scenario.json").path)
    try Simulator(scenario: scenario).run().write(to: copy.path)
    let made = try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted()
    #expect(Set(made).isSuperset(of: Self.files))
    #expect(made.contains("wheel.csv") == (name == "downtown-canyon"))
    for file in made {
      let fresh = try Data(contentsOf: copy.appendingPathComponent(file))
      let kept = try Data(contentsOf: folder.appendingPathComponent(file))
      #expect(fresh == kept, "\(name)/\(file) differs")
    }
  }

  @Test func datasetsStaySmall() throws {
    var bytes = 0
    for name in Self.names {
      let folder = Self.folder.appendingPathComponent(name)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        bytes += try Data(contentsOf: folder.appendingPathComponent(file)).count
      }
    }
    #expect(bytes < 25_000_000)
  }
}
