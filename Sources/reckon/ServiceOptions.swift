import ArgumentParser
import CLibrary
import Location
import Programs

/// Where the service is, and as whom to speak to it.
struct ServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the service listens; else RECKON_SOCKET, else \(LocationManager.defaultSocket).",
      valueName: "path"))
  var socket: String?
  @Option(name: .customLong("as"), help: ArgumentHelp("Name of the client to be.", valueName: "name"))
  var client = "reckon"

  /// The socket's path.
  var path: String {
    socket ?? getenv("RECKON_SOCKET").map { String(cString: $0) } ?? LocationManager.defaultSocket
  }
}
