/// Figures in Prometheus's text format 0.0.4, each with its help and type.
struct PrometheusText {
  typealias Labels = [(String, String)]

  private(set) var text = ""

  /// One figure without labels; `prefix` says whose it is.
  mutating func add(
    _ name: String, _ kind: String, _ help: String, _ value: Double, prefix: String = "reckon_"
  ) {
    add(name, kind, help, [([], value)], prefix: prefix)
  }

  /// One figure for each set of labels; nothing where there are none.
  mutating func add(
    _ name: String, _ kind: String, _ help: String, _ values: [(Labels, Double)], prefix: String = "reckon_"
  ) {
    if values.isEmpty { return }
    text += "# HELP \(prefix)\(name) \(help)\n# TYPE \(prefix)\(name) \(kind)\n"
    for (labels, value) in values {
      let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(prefix)\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
