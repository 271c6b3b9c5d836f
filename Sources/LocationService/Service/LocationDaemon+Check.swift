import CLibrary
import Coarse
import Location
import Streets

extension LocationDaemon {
  /// Throws what would keep a service of this configuration from starting, in the words of the start, and
  /// changes nothing; what it would go without goes to `log`. The folders of the default places are made at
  /// the start by systemd: that they are missing is no fault.
  public static func check(_ configuration: ServiceConfiguration, log: (String) -> Void) throws {
    let none = ServiceConfiguration()
    let (database, socket) = (configuration.database, configuration.socket)
    if !database.isEmpty, database != none.database || access(database, F_OK) == 0 {
      try SQLiteStore.examine(database)
    }
    if socket != none.socket || access(socket, F_OK) == 0 { try check(socket: socket, "socket") }
    if !configuration.mqtt.host.isEmpty { _ = try configuration.mqtt.password() }
    if configuration.coarse.isAny {
      _ = try CoarseDatabase(path: configuration.coarse.database)
      try check(socket: configuration.coarse.socket, "[coarse] socket")
    }
    let streets = configuration.web.port == 0 ? "" : configuration.web.streets
    if case .unusable(let fault) = PageStreets(path: streets) { log(fault.warning) }
  }

  private static func check(socket path: String, _ key: String) throws(LocationError) {
    do { try UnixSocket.checkPlace(path) } catch { throw .serviceUnreachable("\(key): \(error)") }
  }
}

extension StreetFault {
  /// What is said where the live page has to go without them.
  var warning: String { "[web] streets: \(self); the live page goes without streets" }
}
