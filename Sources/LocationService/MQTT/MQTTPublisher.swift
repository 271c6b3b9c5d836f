import JSON
import Location
import Logging
import NIOCore
import NIOPosix
import Navigation

/// Tells a broker of MQTT where the car is: each ``VehicleSignal`` as a topic of its own, and whether it does
/// at all. Lives on the host's event loop.
///
/// It is one client of the hub, and connected to it only while the broker takes what it says. While it is
/// denied there is no connection with the broker: nothing is said, and the broker tells by the will that
/// nobody speaks any more. No position is retained by the broker, where it would outlast a denial.
final class MQTTPublisher {
  /// By which name it is authorized.
  static let name = "reckon-mqtt"
  /// The topic, below the prefix, of whether it publishes: `online`, or by its will `offline`.
  static let statusTopic = "reckond/status"
  /// Seconds by which a position may come early: the clock of the solutions is not this one's.
  private static let early = 0.05

  private enum Link {
    case resting(until: Timestamp)
    case opening
    case open(MQTTHandler, MQTTSession, since: Timestamp)
    case ended
  }

  private let configuration: MQTTConfiguration
  private let password: String?
  private let loop: any EventLoop
  private let log: Logger
  private var client: HubClient
  private var queue: MQTTQueue
  private var backoff = MQTTBackoff()
  private var link = Link.resting(until: Timestamp(nanoseconds: 0))
  private var connections = 0
  private var told: (location: Timestamp, at: Timestamp)?
  /// What was said last in the log, so that it is not said again.
  private var said = ""

  /// The publisher of a service that runs as `user`.
  init(
    _ configuration: MQTTConfiguration, password: String?, user: UInt32, log: Logger, on loop: any EventLoop
  ) {
    (self.configuration, self.password, self.loop, self.log) = (configuration, password, loop, log)
    client = HubClient(
      name: Self.name, user: user, purpose: "tells the broker \(configuration.host) where the car is")
    queue = MQTTQueue(isAcknowledged: configuration.isAcknowledged)
  }

  /// How it does.
  var statistics: MQTTStatistics {
    var statistics = MQTTStatistics()
    statistics.isConnected = isOpen
    statistics.connections = connections
    (statistics.published, statistics.dropped) = (queue.published, queue.dropped)
    return statistics
  }

  private var isOpen: Bool { if case .open(_, let session, _) = link { session.isOpen } else { false } }

  // MARK: What there is

  /// Takes what the hub has for its client, which is connected while the broker is.
  func take(_ hub: inout Hub) {
    if client.refresh(hub) {
      queue.forget()
      told = nil
    }
    if isOpen, client.grant?.denial == nil { client.connect(&hub) } else { client.disconnect(&hub) }
    client.take(&hub)
  }

  // MARK: What is told

  /// To be called ten times a second, after ``take(_:)`` and without a hold on the hub.
  func tick(at now: Timestamp) {
    if let denial = client.grant?.denial { return hush(denial, at: now) }
    switch link {
    case .resting(let until): if now >= until { connect() }
    case .open(let handler, let session, let since): serve(handler, session, since: since, at: now)
    case .opening, .ended: break
    }
  }

  /// Ends for good; the broker tells by the will.
  func end() {
    if case .open(let handler, _, _) = link { handler.abort() }
    link = .ended
  }

  private func hush(_ denial: LocationError.DenialReason, at now: Timestamp) {
    if case .open(let handler, _, _) = link {
      link = .resting(until: now)
      queue.disconnect()
      handler.abort()
    }
    say(.warning, "nothing is published: \(Self.name) is not let (\(denial.rawValue)); see reckon authorize")
  }

  private func connect() {
    link = .opening
    MQTTHandler.bootstrap(self, on: loop).connect(host: configuration.host, port: Int(configuration.port))
      .assumeIsolated().whenComplete { result in
        do {
          let channel = try result.get()
          self.greet(try channel.pipeline.syncOperations.handler(type: MQTTHandler.self))
        } catch { self.rest("\(error)", after: 0) }
      }
  }

  private func greet(_ handler: MQTTHandler) {
    guard case .opening = link, client.grant?.denial == nil else {
      if case .opening = link { link = .resting(until: BootClock.now()) }
      return handler.abort()
    }
    let now = BootClock.now()
    link = .open(handler, MQTTSession(keepAlive: Double(configuration.keepAlive), at: now), since: now)
    var greeting = MQTTPacket.Connect()
    greeting.clientID = configuration.clientID
    greeting.user = configuration.user.isEmpty ? nil : configuration.user
    greeting.password = password
    greeting.keepAlive = configuration.keepAlive
    greeting.will = status("offline")
    handler.send([.connect(greeting)])
  }

  private func status(_ text: String) -> MQTTPacket.Message {
    .init(topic: configuration.topic(Self.statusTopic), payload: text, isRetained: true)
  }

  private func serve(_ handler: MQTTHandler, _ session: MQTTSession, since: Timestamp, at now: Timestamp) {
    var session = session
    do throws(MQTTFault) {
      let asks = try session.check(waitsSince: queue.waitsSince, at: now)
      link = .open(handler, session, since: since)
      if asks { handler.send([.pingRequest]) }
    } catch { return fail(handler, error) }
    if let location = client.location, isDue(location, at: now) {
      told = (location.timestamp, now)
      let age = now.seconds(since: location.timestamp)
      let computer = BootClock.utc().advanced(bySeconds: -age)
      queue.append(
        VehicleSignal.allCases.compactMap { signal in
          signal.dataPoint(of: location, computer: computer).map {
            .init(topic: configuration.topic(signal.names.joined(separator: "/")), payload: $0.text)
          }
        })
    }
    while session.isOpen, handler.isWritable, let packets = queue.next(at: now) { handler.send(packets) }
  }

  private func isDue(_ location: Location, at now: Timestamp) -> Bool {
    guard location.isValid else { return false }
    guard let told else { return true }
    return told.location != location.timestamp
      && now.seconds(since: told.at) >= configuration.interval - Self.early
  }

  // MARK: What the broker says

  func receive(_ reply: MQTTReply, on handler: MQTTHandler) {
    guard case .open(let current, var session, let since) = link, current === handler else { return }
    do throws(MQTTFault) {
      let wasOpen = session.isOpen
      try session.receive(reply, at: BootClock.now())
      if case .acknowledged(let identifier) = reply, !queue.acknowledge(identifier) {
        throw .notExpected(0x40)
      }
      link = .open(handler, session, since: since)
      guard session.isOpen, !wasOpen else { return }
      connections += 1
      say(.info, "publishes to \(configuration.host):\(configuration.port)")
      handler.send([.publish(status("online"), identifier: nil)])
    } catch { fail(handler, error) }
  }

  /// A connection has ended, for that reason if it is the one that there is.
  func lose(_ handler: MQTTHandler, _ fault: MQTTFault) {
    guard case .open(let current, _, let since) = link, current === handler else { return }
    queue.disconnect()
    rest("\(fault)", after: BootClock.now().seconds(since: since))
  }

  private func fail(_ handler: MQTTHandler, _ fault: MQTTFault) {
    lose(handler, fault)
    handler.abort()
  }

  /// Tries again later, after a connection of so many seconds.
  private func rest(_ reason: String, after seconds: Double) {
    if case .ended = link { return }
    let delay = backoff.delay(after: seconds, share: .random(in: 0...1))
    link = .resting(until: BootClock.now().advanced(bySeconds: delay))
    say(
      .warning,
      "\(configuration.host):\(configuration.port): \(reason); it is tried again, at least once a minute")
  }

  private func say(_ level: Logger.Level, _ text: String) {
    if text != said { log.log(level: level, "[mqtt] \(text)") }
    said = text
  }
}

/// What has become of the positions for a broker.
public struct MQTTStatistics: Sendable, Equatable {
  /// Whether the broker takes them now.
  public var isConnected = false
  /// How often it has taken the service.
  public var connections = 0
  /// Positions that were sent, and by quality of service 1 acknowledged.
  public var published = 0
  /// Positions that were given up because the broker took too long.
  public var dropped = 0

  /// Nothing yet.
  public init() {}
}
