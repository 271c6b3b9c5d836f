/// One thing that was looked at, how it is, and what to do about it.
public struct Finding: Sendable, Equatable {
  /// How something is.
  public enum Grade: String, Sendable {
    /// As it should be.
    case good
    /// Usable, and could be better.
    case advice
    /// Not usable as it is.
    case fault
  }

  /// What was looked at.
  public var subject: String
  /// How it is.
  public var grade: Grade
  /// What was seen.
  public var text: String
  /// What to do; empty where there is nothing to do.
  public var remedy: String

  /// What was seen of `subject`.
  public init(_ subject: String, _ grade: Grade, _ text: String, remedy: String = "") {
    (self.subject, self.grade, self.text, self.remedy) = (subject, grade, text, remedy)
  }

  /// The finding in lines for people.
  public func lines(columns: Int = 80) -> [String] {
    let mark =
      switch grade {
      case .good: "ok    "
      case .advice: "advice"
      case .fault: "FAULT "
      }
    var lines = Wrapping.lines(text, columns - 22)
    if !remedy.isEmpty { lines += Wrapping.lines("→ " + remedy, columns - 22) }
    return lines.enumerated().map { i, line in
      (i == 0 ? "\(mark)  \(Figures.padded(subject, 12))  " : String(repeating: " ", count: 22)) + line
    }
  }
}

extension [Finding] {
  /// One finding alone.
  package static func only(
    _ grade: Finding.Grade, _ subject: String, _ text: String, remedy: String = ""
  ) -> [Finding] {
    [Finding(subject, grade, text, remedy: remedy)]
  }

  /// Adds a finding.
  package mutating func add(
    _ grade: Finding.Grade, _ subject: String, _ text: String, remedy: String = ""
  ) {
    append(Finding(subject, grade, text, remedy: remedy))
  }
}
