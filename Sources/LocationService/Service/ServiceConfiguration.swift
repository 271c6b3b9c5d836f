import Location

/// What the file of the service says. Every key has a default; a key that is not known is an error.
public struct ServiceConfiguration: Sendable, Equatable {
  /// Where clients connect, unless systemd hands a socket over.
  public var socket = LocationManager.defaultSocket
  /// Permissions of the socket.
  public var socketMode: UInt32 = 0o666
  /// The database; empty keeps nothing.
  public var database = "/var/lib/reckon/reckon.sqlite"
  /// Whether anybody is told anything.
  public var locationServicesEnabled = true
  /// Whether programs of the service's own user are let where nothing else is said.
  public var trustOwnUser = true
  /// Seconds from one line of health to the next; 0 for none.
  public var healthInterval = 60.0
  /// Port on the loopback for Prometheus; 0 for none.
  public var metricsPort: UInt16 = 0
  /// What clients may do.
  public var limits = HostLimits()
  /// What is read.
  public var sensors = SensorConfiguration()
  /// What is served to programs that expect a receiver.
  public var outputs = OutputConfiguration()
  /// The live page.
  public var web = WebConfiguration()
  /// VISS version 2.
  public var viss = WebConfiguration()
  /// The broker that is told where the car is.
  public var mqtt = MQTTConfiguration()
  /// Places by cells and access points.
  public var coarse = CoarseConfiguration()
  /// Who may know.
  public var rules: [AuthorizationPolicy.Rule] = []

  /// The sensors, by the texts that `reckon run` takes; who opens them judges the texts.
  public struct SensorConfiguration: Sendable, Equatable {
    /// Where gpsd is, and which of its receivers: `host:port:device`; `none` for none.
    public var gpsd = "localhost:2947"
    /// The IMU by libiio: a context, and after a comma a device, and another after a plus; `none` for none.
    public var imu = "local:"
    /// Samples a second that are asked of the IMU.
    public var imuRate = 100.0
    /// Path of the socket to make for the car's speed; empty for none.
    public var wheel = ""
    /// The barometer, as `reckon run --barometer` takes it; empty for none.
    public var barometer = ""
    /// Whether sensors are read also while nobody needs them.
    public var always = false
    /// Seconds for which sensors are read on after the last need.
    public var patience = 60.0
    /// Whether a receiver that reports more often than anybody needs is asked to report less.
    public var adjustsReceiver = false
    /// Whether real-time priority and locked memory are asked for.
    public var realtime = false

    /// What is found on the computer itself.
    public init() {}
  }

  /// gpsd's protocol and NMEA 0183. Whoever can connect there is told, whatever ``rules`` say: by
  /// default there is none of it.
  public struct OutputConfiguration: Sendable, Equatable {
    /// Name or address that gpsd's protocol is served on.
    public var gpsdHost = "127.0.0.1"
    /// TCP port of gpsd's protocol; 0 for none.
    public var gpsdPort: UInt16 = 0
    /// Path of the socket that NMEA is served on; empty for none.
    public var nmeaSocket = ""
    /// Path of the link to a pseudo-terminal that NMEA is written to; empty for none.
    public var terminal = ""
    /// Permissions of the socket and the pseudo-terminal.
    public var mode: UInt16 = 0o660

    /// None.
    public init() {}

    /// Whether there is any.
    public var isAny: Bool { gpsdPort != 0 || !nmeaSocket.isEmpty || !terminal.isEmpty }
  }

  /// One page in a browser on this computer, or VISS for programs on it.
  public struct WebConfiguration: Sendable, Equatable {
    /// Port on the loopback; 0 for none.
    public var port: UInt16 = 0
    /// The file that the address is written to, its owner's alone; empty for `live-page` or
    /// `viss` beside ``socket``.
    public var addressFile = ""
    /// A PMTiles file with the streets that the page draws under the track; empty for
    /// none. VISS has no use for it.
    public var streets = ""

    /// None.
    public init() {}
  }

  /// Where the address of the live page is written to.
  public var pageAddressFile: String {
    web.addressFile.isEmpty ? besideSocket("live-page") : web.addressFile
  }

  /// Where the address of VISS is written to.
  public var vissAddressFile: String { viss.addressFile.isEmpty ? besideSocket("viss") : viss.addressFile }

  private func besideSocket(_ name: String) -> String {
    (socket.lastIndex(of: "/").map { String(socket[...$0]) } ?? "") + name
  }

  /// Where what is heard of cells and access points is taken, and the database of their places: both or none.
  public struct CoarseConfiguration: Sendable, Equatable {
    /// The database, made by `reckon places`; empty for none.
    public var database = ""
    /// Path of the socket to make for who hears them; empty for none.
    public var socket = ""
    /// Permissions of the socket: who may write there can say where the car is.
    public var mode: UInt32 = 0o660

    /// None.
    public init() {}

    /// Whether there is any.
    public var isAny: Bool { !database.isEmpty }
  }

  /// The defaults.
  public init() {}

  /// A file that cannot be used: where, and why.
  public struct Flaw: Error, Equatable, CustomStringConvertible {
    /// Line, from 1.
    public var line: Int
    /// What is wrong, and what would be right.
    public var reason: String
    /// The flaw in a line.
    public var description: String { "line \(line): \(reason)" }
  }

  /// Reads the text of a file: sections, `key = value`, and `#` before a comment, as in TOML.
  public init(text: String) throws(Flaw) {
    self.init()
    var section = ""
    var seen: Set<String> = []
    var line = 0
    // A carriage return before the line feed makes one character of both, and editors may
    // begin a file with a mark.
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      line += 1
      let content = try Self.content(String(raw), line)
      if content.isEmpty { continue }
      if content.hasPrefix("[") {
        section = content
        switch content {
        case "[service]", "[sensors]", "[coarse]", "[outputs]", "[web]", "[viss]", "[mqtt]", "[limits]":
          guard seen.insert(content).inserted else {
            throw Flaw(line: line, reason: "\(content) stands here twice")
          }
        case "[[client]]": rules.append(.init(name: "", user: nil, grant: .init(.denied)))
        default:
          throw Flaw(
            line: line,
            reason:
              "\(content) is not known; there are [service], [sensors], [coarse], [outputs], [web], [viss], [mqtt], [limits] and [[client]]"
          )
        }
        continue
      }
      guard let equals = content.firstIndex(of: "=") else {
        throw Flaw(line: line, reason: "neither a section nor key = value")
      }
      let key = Self.trimmed(content[..<equals])
      let value = ConfigurationValue(
        text: Self.trimmed(content[content.index(after: equals)...]), key: key, line: line)
      let place = section == "[[client]]" ? "\(section)\(rules.count).\(key)" : "\(section).\(key)"
      guard seen.insert(place).inserted else { throw Flaw(line: line, reason: "\(key) stands here twice") }
      try set(section, key, value)
    }
    guard coarse.database.isEmpty == coarse.socket.isEmpty else {
      throw Flaw(line: line, reason: "[coarse] needs database and socket, or neither")
    }
    for rule in rules where rule.name.isEmpty {
      throw Flaw(line: line, reason: "a [[client]] has no name")
    }
    for rule in rules where !rule.grant.fullAccuracyPurposeKeys.isEmpty && rule.grant.accuracy == .full {
      throw Flaw(
        line: line, reason: "full_accuracy_purpose_keys of \(rule.name) goes with allow = \"reduced\"")
    }
  }

  private mutating func set(_ section: String, _ key: String, _ value: ConfigurationValue) throws(Flaw) {
    switch (section, key) {
    case ("[service]", "socket"): socket = try value.string()
    case ("[service]", "socket_mode"): socketMode = try value.permissions()
    case ("[service]", "database"): database = try value.string()
    case ("[service]", "location_services_enabled"): locationServicesEnabled = try value.bool()
    case ("[service]", "trust_own_user"): trustOwnUser = try value.bool()
    case ("[service]", "health_interval"): healthInterval = try value.number(in: 0...86_400)
    case ("[service]", "metrics_port"): metricsPort = UInt16(try value.integer(in: 0...65_535))
    case ("[sensors]", "gpsd"): sensors.gpsd = try value.string()
    case ("[sensors]", "imu"): sensors.imu = try value.string()
    case ("[sensors]", "imu_rate"): sensors.imuRate = try value.number(in: 10...2000)
    case ("[sensors]", "wheel"): sensors.wheel = try value.string()
    case ("[sensors]", "barometer"): sensors.barometer = try value.string()
    case ("[sensors]", "always"): sensors.always = try value.bool()
    case ("[sensors]", "patience_seconds"): sensors.patience = try value.number(in: 0...86_400)
    case ("[sensors]", "gnss_rate"):
      sensors.adjustsReceiver = try value.choice(["receiver", "demand"]) == "demand"
    case ("[sensors]", "realtime"): sensors.realtime = try value.bool()
    case ("[coarse]", "database"): coarse.database = try value.string()
    case ("[coarse]", "socket"): coarse.socket = try value.string()
    case ("[coarse]", "mode"): coarse.mode = try value.permissions()
    case ("[outputs]", "gpsd_host"): outputs.gpsdHost = try value.string()
    case ("[outputs]", "gpsd_port"): outputs.gpsdPort = UInt16(try value.integer(in: 0...65_535))
    case ("[outputs]", "nmea_socket"): outputs.nmeaSocket = try value.string()
    case ("[outputs]", "terminal"): outputs.terminal = try value.string()
    case ("[outputs]", "mode"): outputs.mode = UInt16(try value.permissions())
    case ("[web]", "port"): web.port = UInt16(try value.integer(in: 0...65_535))
    case ("[web]", "address_file"): web.addressFile = try value.string()
    case ("[web]", "streets"): web.streets = try value.string()
    case ("[viss]", "port"): viss.port = UInt16(try value.integer(in: 0...65_535))
    case ("[viss]", "address_file"): viss.addressFile = try value.string()
    case ("[limits]", _) where try limits.set(key, value): break
    case ("[[client]]", "name"): rules[rules.count - 1].name = try value.clientName()
    case ("[[client]]", "user"):
      rules[rules.count - 1].user = UInt32(try value.integer(in: 0...Int64(UInt32.max)))
    case ("[[client]]", "allow"):
      let keys = rules[rules.count - 1].grant.fullAccuracyPurposeKeys
      rules[rules.count - 1].grant = try value.grant()
      rules[rules.count - 1].grant.fullAccuracyPurposeKeys = keys
    case ("[[client]]", "full_accuracy_purpose_keys"):
      rules[rules.count - 1].grant.fullAccuracyPurposeKeys = try value.purposeKeys()
    case ("[mqtt]", _) where try mqtt.set(key, value): break
    default:
      throw Flaw(
        line: value.line,
        reason: section.isEmpty
          ? "\(key) stands before any section" : "\(key) is not known in \(section)")
    }
  }

  /// Without its comment and the blanks about it.
  private static func content(_ line: String, _ number: Int) throws(Flaw) -> String {
    var isQuoted = false
    var content = ""
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if character == "#", !isQuoted { break }
      content.append(character)
    }
    if isQuoted { throw Flaw(line: number, reason: "a \" has no other") }
    return trimmed(content[...])
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
