import Foundation
import Testing

/// Python with evo and numpy: that of `RECKON_PYTHON`, else the one on the path.
enum PythonTools {
  private static let program = ProcessInfo.processInfo.environment["RECKON_PYTHON"] ?? "python3"

  /// Whether `module` is there; says where it is not.
  static func has(_ module: String) -> Bool {
    if (try? run("import \(module)", [])) != nil { return true }
    print(
      "skipped: \(program) has no \(module); make a venv, pip install \(module), and set RECKON_PYTHON to its python3"
    )
    return false
  }

  /// What `script` prints, as JSON.
  @discardableResult
  static func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
    let said = Data(try OtherTool.run(program, ["-c", script] + arguments).utf8)
    return said.isEmpty ? [:] : try JSONSerialization.jsonObject(with: said) as? [String: Any] ?? [:]
  }
}
