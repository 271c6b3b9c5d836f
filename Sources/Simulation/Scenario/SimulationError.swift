/// What is wrong with a scenario: which file, which key and what to do.
public enum SimulationError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened.
  case unreadable(file: String, reason: String)
  /// The text is not JSON.
  case notJSON(file: String, reason: String)
  /// A key that means nothing here.
  case unknownKey(file: String, key: String, known: [String])
  /// A key that has to be there.
  case missingKey(file: String, key: String)
  /// A value of the wrong kind or out of range.
  case wrongValue(file: String, key: String, found: String, expected: String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): cannot be read (\(reason)); give the path of a scenario file, or a name of reckon simulate --list"
    case .notJSON(let file, let reason): "\(file): not valid JSON: \(reason)"
    case .unknownKey(let file, let key, let known):
      "\(file): unknown key \(key); known here: \(known.joined(separator: ", "))"
    case .missingKey(let file, let key): "\(file): \(key) is missing; add it"
    case .wrongValue(let file, let key, let found, let expected):
      "\(file): \(key) is \(found); expected \(expected)"
    }
  }
}
