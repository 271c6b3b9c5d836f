import JSON

/// Reads one JSON object of a scenario, and at the end complains of the first key that nobody asked for.
struct ScenarioReader {
  let file: String
  let path: String
  private let members: [String: JSON]
  private var asked: [String] = []

  init(_ value: JSON, file: String, path: String) throws(SimulationError) {
    guard case .object(let members) = value else {
      throw .wrongValue(
        file: file, key: path.isEmpty ? "the scenario" : path, found: value.summary, expected: "an object")
    }
    self.file = file
    self.path = path
    self.members = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
  }

  func keyPath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func has(_ key: String) -> Bool { members[key] != nil }

  private mutating func member(_ key: String) -> JSON? {
    asked.append(key)
    if case .null? = members[key] { return nil }
    return members[key]
  }

  func wrong(_ key: String, _ found: String, expected: String) -> SimulationError {
    .wrongValue(file: file, key: keyPath(key), found: found, expected: expected)
  }

  mutating func number(
    _ key: String, in range: ClosedRange<Double>, default fallback: Double? = nil
  ) throws(SimulationError) -> Double {
    guard let value = member(key) else {
      guard let fallback else { throw .missingKey(file: file, key: keyPath(key)) }
      return fallback
    }
    guard let number = value.double, range.contains(number) else {
      throw wrong(key, value.summary, expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func string(_ key: String, default fallback: String? = nil) throws(SimulationError) -> String {
    guard let value = member(key) else {
      guard let fallback else { throw .missingKey(file: file, key: keyPath(key)) }
      return fallback
    }
    guard case .string(let string) = value else { throw wrong(key, value.summary, expected: "a string") }
    return string
  }

  mutating func bool(_ key: String, default fallback: Bool) throws(SimulationError) -> Bool {
    guard let value = member(key) else { return fallback }
    guard case .bool(let bool) = value else { throw wrong(key, value.summary, expected: "true or false") }
    return bool
  }

  /// One of the names of an enumeration.
  mutating func name<Name: RawRepresentable & CaseIterable>(
    _ key: String, default fallback: Name?
  ) throws(SimulationError) -> Name where Name.RawValue == String {
    let string = try string(key, default: fallback?.rawValue)
    guard let name = Name(rawValue: string) else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(key, "\"\(string)\"", expected: "one of \(names)")
    }
    return name
  }

  /// Three numbers, each at most `limit` in size.
  mutating func triple(
    _ key: String, limit: Double, default fallback: (Double, Double, Double)
  ) throws(SimulationError) -> (Double, Double, Double) {
    guard let value = member(key) else { return fallback }
    var numbers: [Double] = []
    if case .array(let values) = value {
      numbers = values.compactMap(\.double).filter { abs($0) <= limit }
      if values.count == 3, numbers.count == 3 { return (numbers[0], numbers[1], numbers[2]) }
    }
    throw wrong(key, value.summary, expected: "three numbers from \(-limit) to \(limit)")
  }

  mutating func object(_ key: String) throws(SimulationError) -> ScenarioReader? {
    guard let value = member(key) else { return nil }
    return try ScenarioReader(value, file: file, path: keyPath(key))
  }

  mutating func objects(_ key: String) throws(SimulationError) -> [ScenarioReader] {
    guard let value = member(key) else { throw .missingKey(file: file, key: keyPath(key)) }
    guard case .array(let values) = value, !values.isEmpty else {
      throw wrong(key, value.summary, expected: "an array with at least one object")
    }
    var readers: [ScenarioReader] = []
    for (i, value) in values.enumerated() {
      readers.append(try ScenarioReader(value, file: file, path: "\(keyPath(key))[\(i)]"))
    }
    return readers
  }

  /// To be called when everything has been asked for.
  func finish() throws(SimulationError) {
    guard let key = members.keys.sorted().first(where: { !asked.contains($0) }) else { return }
    throw .unknownKey(file: file, key: keyPath(key), known: asked)
  }
}

extension JSON {
  /// The value in a few words, for an error.
  fileprivate var summary: String {
    switch self {
    case .null, .bool, .integer, .number: text
    case .string(let value): "\"\(value)\""
    case .array(let values): "an array of \(values.count)"
    case .object: "an object"
    }
  }
}
