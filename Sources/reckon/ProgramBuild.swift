import Evaluation

/// This program, against one that was built of other sources.
enum ProgramBuild {
  /// Sixteen hexadecimal digits, the same for the same bytes of the program.
  static let digest: String = {
    var digest = FileDigest()
    if !digest.add(file: "/proc/self/exe") { digest.add(file: CommandLine.arguments[0]) }
    return digest.text
  }()
}
