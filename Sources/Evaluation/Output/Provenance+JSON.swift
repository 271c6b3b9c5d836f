import Drives
import JSON

extension Provenance {
  /// Names of drives that are said in one text at most. *[chosen: two lines of a page]*
  private static let mostNames = 20

  /// What a study of the drives in `folders` names as its drive: their names, and how many more there are.
  /// Not where they lie, which is not the same on every computer of a cluster.
  public static func names(of folders: [String]) -> String {
    let names = folders.prefix(mostNames).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    let more = folders.count > mostNames ? " and \(folders.count - mostNames) more" : ""
    return names.joined(separator: ", ") + more
  }

  /// A line of its own on a page.
  var html: String { "<p class=\"hint provenance\">\(ReportText.escaped(text))</p>" }

  /// What ``Provenance/json`` says; nil where it is something else.
  init?(_ json: JSON) {
    guard let version = json["version"]?.string, let options = json["options"]?.array,
      let date = json["date"]?.string
    else { return nil }
    self.init(
      version: version, commit: json["commit"]?.string, options: options.compactMap(\.string),
      drive: json["drive"]?.string, date: date)
  }
}
