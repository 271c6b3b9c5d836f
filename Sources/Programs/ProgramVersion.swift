import CLibrary
import CRelease
import Release

/// Which build of our programs runs.
package enum ProgramVersion {
  /// The commit that was built, by the build itself or else, for scripts that build and run at once, by the
  /// environment variable `RECKON_COMMIT`; nil where neither says.
  package static let commit: String? = {
    commit(
      built: String(cString: reckon_commit()),
      environment: getenv("RECKON_COMMIT").map { String(cString: $0) })
  }()

  /// What `--version` prints.
  package static let text = "\(Release.version) (commit \(commit ?? "unknown"))"

  /// What stands for a commit: 7 to 64 hexadecimal digits, and `-dirty` behind them where files were changed.
  static func commit(built: String, environment: String?) -> String? {
    [built, environment ?? ""].first { name in
      let digits = name.hasSuffix("-dirty") ? name.dropLast(6) : name[...]
      return (7...64).contains(digits.utf8.count) && digits.utf8.allSatisfy(isHexDigit)
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
