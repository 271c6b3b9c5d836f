/// What can stop an evaluation, with what to do about it.
public enum EvaluationError: Error, Equatable, CustomStringConvertible {
  /// A `--degrade` specification that cannot be used.
  case degradation(specification: String, reason: String)
  /// A `--smoother` choice that cannot be used.
  case smoother(String)
  /// A drive without a single sample that can be used.
  case emptyDrive(String)
  /// A drive without truth, where the truth is needed.
  case noTruth(String)
  /// A folder with neither a drive nor folders of drives in it.
  case noDrives(String)
  /// A file of results that cannot be read or written.
  case state(path: String, reason: String)
  /// Shards that cannot be used or put together.
  case shard(String)
  /// A file of figures that cannot be used.
  case figures(path: String, reason: String)
  /// A track of another system that cannot be scored.
  case track(path: String, reason: String)
  /// A folder with the files of a recording, in which no record is whole.
  case emptyRecording(String)
  /// A session that a recording does not have.
  case noSuchSession(path: String, number: Int, count: Int)

  /// The error in a sentence.
  public var description: String {
    switch self {
    case .degradation(let specification, let reason):
      "cannot use the degradation '\(specification)': \(reason). "
        + "Write for example thin:1,white:1.0,velocity:0.1,seed:1 or canyon:8,tau:20,white:3,seed:1."
    case .smoother(let text):
      "cannot use the smoother '\(text)': write lag:SECONDS, for example lag:20, or full."
    case .noSuchSession(let path, let number, let count):
      "\(path): there is no session \(number); give one from 1 to \(count)."
    case .shard(let reason): "\(reason)."
    case .figures(let path, let reason):
      "\(path): no figures of drives: \(reason); give what reckon evaluate --json wrote."
    case .track(let path, let reason): "\(path): \(reason)"
    case .emptyRecording(let path):
      "\(path): holds no recording: not one whole record is in its files."
    case .noTruth(let path):
      "\(path): has no truth.csv with a usable row, and variants are scored against the truth; "
        + "give a drive with truth, for example one of reckon simulate."
    case .noDrives(let path):
      "\(path): has no drive.json, and no folder in it has one; give drive folders, or a folder of drive folders."
    case .state(let path, let reason):
      "\(path): cannot keep results there: \(reason)."
    case .emptyDrive(let path):
      "\(path): no sample can be used; check the times, the places and the units of its files."
    }
  }
}
