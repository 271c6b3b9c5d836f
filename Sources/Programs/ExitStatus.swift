import ArgumentParser

/// How our programs end when they do not succeed.
package enum ExitStatus {
  /// Everything could be used, and was found wanting.
  package static let worse = ExitCode(1)
  /// An argument, or a configuration, that cannot be used.
  package static let unusableArguments = ExitCode(2)
  /// Data that cannot be used, or something that could not be opened or written.
  package static let unusableData = ExitCode(3)
}

extension AsyncParsableCommand {
  /// Runs the program; unusable arguments end it with 2 instead of the parser's 64.
  package static func runToTheEnd() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      Terminal.error(fullMessage(for: error))
      exit(withError: ExitStatus.unusableArguments)
    }
  }
}
