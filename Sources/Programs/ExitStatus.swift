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
  /// Runs the program: the one place where it ends. Unusable arguments end it with 2 instead of the parser's
  /// 64, and an error that a command leaves to it is said and ends it with 3.
  package static func runToTheEnd() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Terminal.endProgress()
      switch exitCode(for: error) {
      case .validationFailure:
        Terminal.error(fullMessage(for: error))
        exit(withError: ExitStatus.unusableArguments)
      case .failure where !(error is ExitCode):
        Terminal.error("error: \(error)")
        exit(withError: ExitStatus.unusableData)
      default: exit(withError: error)
      }
    }
  }
}
