import Drives
import Foundation
import Navigation
import Testing

/// Real drives, where they are at hand: `RECKON_DRIVES`, by default `../shared/drives` beside the package.
@Suite struct RealDriveTests {
  private static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["RECKON_DRIVES"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().path + "/shared/drives"
  }()

  @Test func everyRealDriveIsReadToItsEnd() throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder))?.sorted() ?? []
    let drives = names.map { "\(Self.folder)/\($0)" }
      .filter { FileManager.default.fileExists(atPath: "\($0)/drive.json") }
    if drives.isEmpty { print("skipped: no real drives in \(Self.folder); set RECKON_DRIVES") }
    for path in drives {
      let reader = try DriveReader(path: path)
      let contents = try Contents(path)
      // The folder may hold anybody's drives: with any axes, with or without truth.
      #expect(!reader.description.name.isEmpty)
      #expect(reader.hasTruth == !contents.truth.isEmpty)
      #expect(!contents.samples.isEmpty)
      for file in contents.rejections {
        #expect(file.accepted > 0, "\(path): \(file)")
        let lines = try String(contentsOfFile: "\(path)/\(file.file)", encoding: .utf8)
          .split(separator: "\n")
        #expect(file.accepted + file.total == lines.count - 1, "\(path): \(file)")
        if file.total > 0 { print("\(reader.description.name): \(file)") }
      }
    }
  }
}
