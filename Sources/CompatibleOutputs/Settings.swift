import CLibrary

/// What ``CompatibleOutputs`` serves, and where.
public struct CompatibleOutputsSettings: Sendable, Equatable {
  /// gpsd's protocol on TCP; nil serves none.
  public var gpsd: GPSD? = GPSD()
  /// NMEA 0183 on a Unix-domain stream socket; nil serves none.
  public var nmeaSocket: NMEASocket?
  /// NMEA 0183 on a pseudo-terminal, for programs that want a serial port; nil serves none.
  public var terminal: Terminal?
  /// The device that reports name.
  public var deviceName = "reckon"
  /// Name and version that gpsd's VERSION states.
  public var release = "Reckon"
  /// Clients of each listener; for one that comes beyond, one of gpsd's protocol that watches nothing ends,
  /// or it is told so and closed.
  public var maximumClients = 128
  /// Seconds after which a client that takes nothing in is closed.
  public var stallLimitSeconds = 30.0
  /// Seconds after which a client of gpsd's protocol that neither watches nor asks is
  /// closed (gpsd: 15 minutes).
  public var idleLimitSeconds = 900.0

  /// Where gpsd's protocol is served.
  public struct GPSD: Sendable, Equatable {
    /// A name or an address; any but a loopback one shows the position to the network.
    public var host = "127.0.0.1"
    /// 0 lets the system choose. Not gpsd's own 2947: there, most often, the gpsd is
    /// that the fixes come from.
    public var port = 2948

    /// On loopback, port 2948.
    public init() {}
    /// On `port` of `host`.
    public init(host: String = "127.0.0.1", port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// Where NMEA 0183 is served on a socket.
  public struct NMEASocket: Sendable, Equatable {
    /// The socket's path, 107 bytes at most.
    public var path: String
    /// Who may connect, as for a file.
    public var permissions: UInt16 = 0o660

    /// At `path`.
    public init(path: String, permissions: UInt16 = 0o660) {
      self.path = path
      self.permissions = permissions
    }
  }

  /// The pseudo-terminal.
  public struct Terminal: Sendable, Equatable {
    /// A symbolic link to the terminal, whose own name differs from run to run.
    public var link: String
    /// Who may open it, as for a file.
    public var permissions: UInt16 = 0o660

    /// Linked to from `link`.
    public init(link: String, permissions: UInt16 = 0o660) {
      self.link = link
      self.permissions = permissions
    }
  }

  /// gpsd's protocol on loopback, nothing else.
  public init() {}

  /// Throws what makes no sense in them; opens nothing.
  public func check() throws(CompatibleOutputsError) {
    func require(_ isRight: Bool, _ rule: String) throws(CompatibleOutputsError) {
      if !isRight { throw .setting(rule) }
    }
    if let gpsd {
      try require((0...65_535).contains(gpsd.port), "gpsd port must be 0 to 65535, not \(gpsd.port)")
      try require(!gpsd.host.isEmpty, "gpsd host must not be empty")
    }
    if let nmeaSocket {
      try require(
        (1...107).contains(nmeaSocket.path.utf8.count), "path of the NMEA socket must have 1 to 107 bytes")
    }
    if let terminal { try require(!terminal.link.isEmpty, "link of the terminal must not be empty") }
    try require(
      !deviceName.isEmpty && deviceName.utf8.count < 128 && deviceName.utf8.allSatisfy { 0x20...0x7E ~= $0 },
      "device name must have 1 to 127 printable ASCII characters")
    try require(release.utf8.count < 64, "release must have less than 64 bytes")
    try require((1...10_000).contains(maximumClients), "maximum of clients must be 1 to 10000")
    try require(
      (0.01...86_400).contains(stallLimitSeconds) && (0.01...86_400).contains(idleLimitSeconds),
      "limits must be 0.01 s to a day")
  }
}

/// Why the outputs cannot be served.
public enum CompatibleOutputsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A setting makes no sense.
  case setting(String)
  /// The address cannot be listened on.
  case cannotListen(on: String, reason: String)
  /// Another process serves at this path.
  case inUse(path: String)
  /// What stands at the path is not what would be replaced: it is left alone.
  case wouldOverwrite(path: String)
  /// A call of the system failed.
  case system(call: String, path: String, errno: Int32)

  /// What went wrong, and what to do.
  public var description: String {
    switch self {
    case .setting(let rule): "setting of the compatible outputs: \(rule)"
    case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
    case .inUse(let path): "\(path) is in use: another process listens there; stop it or set another path"
    case .wouldOverwrite(let path): "\(path) is there already and not ours; move it away or set another path"
    case .system(let call, let path, let errno): "\(call) \(path): \(SystemError.text(errno))"
    }
  }
}
