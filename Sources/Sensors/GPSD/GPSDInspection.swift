import Navigation

/// A look at a gpsd that changes nothing: what `reckon doctor` and people go by.
public struct GPSDInspection: Sendable, Equatable {
  /// A receiver as gpsd knows it.
  public struct Receiver: Sendable, Equatable {
    /// Its path.
    public var path: String
    /// What gpsd takes it for; empty where it has not recognised what comes from it.
    public var driver: String
    /// Whether gpsd has it open.
    public var isActive: Bool
  }

  /// Who is there.
  public enum Answer: Sendable, Equatable {
    /// Nobody can be reached, for this reason.
    case unreachable(GPSDUnreachable)
    /// Somebody accepts connections and says nothing that gpsd would say.
    case silent
    /// A gpsd of that release, whose protocol is another.
    case incompatible(release: String)
    /// A gpsd of that release.
    case gpsd(release: String)
  }

  /// Seconds between two questions for the receivers.
  private static let interval = 0.5

  /// Who is there.
  public private(set) var answer: Answer = .silent
  /// Its receivers.
  public private(set) var receivers: [Receiver] = []

  /// Looks at the gpsd at `address` for at most `seconds`, or until it has recognised a receiver; the name
  /// service may take longer.
  public init(_ address: GPSDAddress, within seconds: Double) {
    let end = HostClock.now().advanced(bySeconds: seconds)
    do throws(GPSDConnection.Failure) {
      guard let stop = try? StopSignal() else { return }
      let connection = try GPSDConnection(address, stop: stop)
      look(connection, stop, until: end)
    } catch {
      if case .failed(_, let cause) = error { answer = .unreachable(cause) }
    }
  }

  private mutating func look(
    _ connection: borrowing GPSDConnection, _ stop: StopSignal, until end: Timestamp
  ) {
    let decoder = LibgpsDecoder()
    var splitter = LineSplitter()
    var nextQuestion = HostClock.now()
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      while !receivers.contains(where: { !$0.driver.isEmpty }) {
        let now = HostClock.now()
        guard now < end else { return }
        if now >= nextQuestion {
          nextQuestion = now.advanced(bySeconds: Self.interval)
          guard connection.send("?DEVICES;\n") else { return }
        }
        guard stop.wait(for: connection.descriptor, atMost: min(0.1, end.seconds(since: now))) == .ready
        else { continue }
        switch connection.read(into: buffer) {
        case .nothing: break
        case .closed: return
        case .bytes(let count):
          splitter.add(UnsafeBufferPointer(rebasing: buffer[..<count])) { take(decoder.decode($0)) }
        }
        if case .incompatible = answer { return }
      }
    }
  }

  private mutating func take(_ report: GPSDReport?) {
    switch report {
    case .version(let release, 3): answer = .gpsd(release: release)
    case .version(let release, _): answer = .incompatible(release: release)
    case .devices(let list):
      receivers = list.map { Receiver(path: $0.path, driver: $0.driver, isActive: $0.isActive) }
    default: break
    }
  }
}

/// Why nobody is reached where a gpsd should be.
public enum GPSDUnreachable: Sendable, Equatable {
  /// The host's name is not known.
  case unknownHost
  /// The host refuses: nobody listens there.
  case refused
  /// Nothing comes back: the host is off, or something on the way drops what is sent.
  case noAnswer
  /// The system says something else.
  case other(String)
}
