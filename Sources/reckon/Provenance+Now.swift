import CLibrary
import Drives
import Navigation
import Programs
import Release

extension Provenance {
  /// What the command of this name, which runs, makes now of sensors or of what a service says: with the
  /// options that it was given.
  static func now(command name: String?) -> Provenance {
    let options = CommandLine.arguments.drop { $0 != name }.dropFirst()
    return now(drive: nil, options: options.filter { $0 != "--json" })
  }

  /// Figures of `drive` that this program makes now, by the host's clock to the second; or at the time that
  /// the environment variable SOURCE_DATE_EPOCH names, for files that are to be the same to the byte.
  static func now(drive: String?, options: [String]) -> Provenance {
    let asked = getenv("SOURCE_DATE_EPOCH").flatMap { Int64(String(cString: $0)) }
    let seconds = asked.flatMap { (0..<(1 << 33)).contains($0) ? $0 : nil } ?? Int64(time(nil))
    let date = UTC.text(
      Timestamp(nanoseconds: 0), origin: Timestamp(nanoseconds: seconds * 1_000_000_000))
    return Provenance(
      version: Release.version, commit: ProgramVersion.commit, options: options, drive: drive,
      date: date.prefix { $0 != "." } + "Z")
  }
}
