/// Where figures come from: what is needed to make them again.
public struct Provenance: Sendable, Equatable {
  /// Version of the program.
  public var version: String
  /// Commit that it was built from; nil where nobody said.
  public var commit: String?
  /// The options that the figures depend on, as they stand on a command line.
  public var options: [String]
  /// The drive, as it was named.
  public var drive: String
  /// When the figures were made, in UTC, as `2026-03-01T12:00:00Z`.
  public var date: String

  /// The origin of the figures of `drive`.
  public init(version: String, commit: String?, options: [String], drive: String, date: String) {
    (self.version, self.commit, self.options) = (version, commit, options)
    (self.drive, self.date) = (drive, date)
  }

  /// One sentence for people.
  var text: String {
    let chosen = options.isEmpty ? "default options" : options.joined(separator: " ")
    return
      "Made by Reckon \(version), commit \(commit ?? "unknown"), on \(date) from \(drive) with \(chosen)."
  }

  var json: JSONValue {
    .object([
      ("version", .string(version)), ("commit", commit.map(JSONValue.string) ?? .null),
      ("options", .array(options.map(JSONValue.string))), ("drive", .string(drive)), ("date", .string(date)),
    ])
  }
}
