import JSON

/// Where figures or a track come from: what is needed to make them again.
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

  /// How ``text`` begins, by which a track is known for one of ours.
  static let mark = "Made by Reckon"

  /// One sentence for people.
  package var text: String {
    let chosen = options.isEmpty ? "default options" : options.joined(separator: " ")
    let source = drive.map { " from \($0)" } ?? ""
    return
      "\(Self.mark) \(version), commit \(commit ?? "unknown"), on \(date)\(source) with \(chosen)."
  }

  /// ``text`` on one line, whatever the drive is called.
  var line: String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }

  /// ``line`` as it may stand between tags of XML.
  var xml: String {
    line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// What is not known is null, and not left out.
  package var json: JSON {
    .members([
      "version": .string(version), "commit": commit.map(JSON.string) ?? .null,
      "options": .array(options.map(JSON.string)), "drive": drive.map(JSON.string) ?? .null,
      "date": .string(date),
    ])
  }
}
