import CLibrary
import Location
import Logging
import NIOCore
import NIOPosix

extension LocationHost {
  /// Something that is served on the loopback to who has its address.
  private struct Door {
    /// The section of the configuration that names its port.
    var section: String
    /// What the log calls it.
    var title: String
    /// How addresses begin there.
    var scheme: String
    var place: Configuration.Page
    var bootstrap: ServerBootstrap
    /// Opens it on the event loop; the token of its address.
    var open: @Sendable (HostLoop) -> PageToken
  }

  /// Listens for browsers and for clients of VISS, where there is a port for them.
  func openLoopback() throws(LocationError) {
    let user = geteuid()
    if let place = configuration.page {
      let streets = PageStreets(path: place.streets)
      if case .unusable(let fault) = streets {
        configuration.log.warning("\(fault.warning)")
      }
      try open(
        Door(
          section: "[web]", title: "live page", scheme: "http", place: place,
          bootstrap: PageHandler.bootstrap(loop, state, configuration.log)
        ) { host in
          let server = PageServer(user: user, streets: streets)
          host.page = server
          return server.token
        })
    }
    guard let place = configuration.viss else { return }
    try open(
      Door(
        section: "[viss]", title: "VISS", scheme: "ws", place: place,
        bootstrap: VISSDoor.bootstrap(loop, state, configuration.log)
      ) { host in
        let server = VISSServer(user: user)
        host.viss = server
        return server.token
      })
  }

  /// Listens, then writes where it is found.
  private func open(_ door: Door) throws(LocationError) {
    let place = door.place
    do {
      let token = try loop.submit { [state, open = door.open] in state.value.map { open($0).text } }.wait()
      let address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(place.port))
      let channel = try door.bootstrap.bind(to: address).wait()
      let port = channel.localAddress?.port ?? Int(place.port)
      let file = try AddressFile.save(
        "\(door.scheme)://127.0.0.1:\(port)/?token=\(token ?? "")", to: place.addressFile)
      try loop.submit { [state] in if let file { state.value?.addresses.append(file) } }.wait()
      configuration.log.info("\(door.title): its address is in \(place.addressFile)")
    } catch let error as IOError {
      let failure = UnixSocket.Failure("127.0.0.1:\(place.port)", error.errnoCode)
      throw .serviceUnreachable("\(door.section) port: \(failure)")
    } catch let error as UnixSocket.Failure {
      throw .serviceUnreachable("\(door.section) address_file: \(error)")
    } catch { throw .serviceUnreachable("\(door.section) port: 127.0.0.1:\(place.port): \(error)") }
  }
}
