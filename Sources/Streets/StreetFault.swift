/// Why a file of streets cannot be used, and what to do about it.
package struct StreetFault: Error, Equatable, CustomStringConvertible {
  package var file: String
  /// What is wrong, and what would be right.
  package var reason: String
  /// One line.
  package var description: String { "\(file): \(reason)" }

  init(_ file: String, _ reason: String) { (self.file, self.reason) = (file, reason) }
}
