import JSON

/// Where figures come from: what is needed to make them again.
public struct Provenance: Sendable, Equatable {
  /// Version of the program.
  public var version: String
  /// Commit that it was built from; nil where nobody said.
  public var commit: String?
  /// The options that the figures depend on, as they stand on a command line.
  public var options: [String]
  /// The drive, as it was named, or the names of several; nil where there is none.
  public var drive: String?
  /// When the figures were made, in UTC, as `2026-03-01T12:00:00Z`.
  public var date: String

  /// The origin of the figures of `drive`.
  public init(version: String, commit: String?, options: [String], drive: String?, date: String) {
    (self.version, self.commit, self.options) = (version, commit, options)
    (self.drive, self.date) = (drive, date)
  }

  /// One sentence for people.
  var text: String {
    let chosen = options.isEmpty ? "default options" : options.joined(separator: " ")
    let source = drive.map { " from \($0)" } ?? ""
    return
      "Made by Reckon \(version), commit \(commit ?? "unknown"), on \(date)\(source) with \(chosen)."
  }

  /// Names of drives that are said in one text at most. *[chosen: two lines of a page]*
  private static let mostNames = 20

  /// What a study of the drives in `folders` names as its drive: their names, and how many more there are. Not where they lie,
  /// which is not the same on every computer of a cluster.
  public static func names(of folders: [String]) -> String {
    let names = folders.prefix(mostNames).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    let more = folders.count > mostNames ? " and \(folders.count - mostNames) more" : ""
    return names.joined(separator: ", ") + more
  }

  /// A line of its own on a page.
  var html: String { "<p class=\"hint provenance\">\(ReportText.escaped(text))</p>" }

  /// As in the JSON of figures: what is not known is null, and not left out.
  package var json: JSONValue {
    .object([
      ("version", .string(version)), ("commit", commit.map(JSONValue.string) ?? .null),
      ("options", .array(options.map(JSONValue.string))), ("drive", drive.map(JSONValue.string) ?? .null),
      ("date", .string(date)),
    ])
  }

  /// What ``json`` wrote; nil where it is something else.
  init?(_ json: JSON) {
    guard let version = json["version"]?.string, let options = json["options"]?.array,
      let date = json["date"]?.string
    else { return nil }
    self.init(
      version: version, commit: json["commit"]?.string, options: options.compactMap(\.string),
      drive: json["drive"]?.string, date: date)
  }
}
