import Foundation

/// A folder of its own for one test, gone with it. Its path is short enough for that of a socket.
package final class ScratchFolder: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "reckon-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and makes the folders that it lies in.
  package func put(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    let file = URL(fileURLWithPath: self(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  package func put(_ name: String, _ text: String) throws { try put(name, text.utf8) }

  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self(name))))
  }
}
