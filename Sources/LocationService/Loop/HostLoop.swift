import JSON
import Location
import Navigation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the host's thread does: the hub, the sockets and the clients in this process, one thing after another.
struct HostLoop {
  /// Seconds from one look at the time to the next.
  static let beat = 0.1

  let host: LocationHost
  var hub: Hub
  var connections: [Hub.ConnectionID: Connection] = [:]
  var locals: [Hub.ConnectionID: LocalProvider] = [:]
  var count = HostStatistics()
  private let listener: Int32?
  private let writer: StoreWriter?
  private var acceptsAgain = Timestamp(nanoseconds: .min)
  private var demand: HardwareDemand?
  private var encoder = LineEncoder()
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(host: LocationHost, hub: Hub, listener: Int32?, store: (any LocationStore)?) {
    self.host = host
    self.hub = hub
    self.listener = listener
    writer = store.map { store in
      StoreWriter(store: store, log: host.configuration.log) { number, succeeded in
        host.perform { loop in
          if !succeeded { loop.count.storeFailures += 1 }
          loop.hub.stored(number, succeeded: succeeded)
        }
      }
    }
  }

  mutating func run() {
    var due = BootClock.now()
    while true {
      let ready = wait(until: due)
      let now = BootClock.now()
      host.beat(now)
      let mail = host.mail.withLock { mail in
        defer { (mail.input, mail.commands) = (nil, []) }
        return mail
      }
      for command in mail.commands { command(&self) }
      if let (input, utc, _) = mail.input {
        count.solutions += 1
        hub.update(input, at: now, utc: utc ?? BootClock.utc())
        due = now.advanced(bySeconds: Self.beat)
      } else if now >= due {
        hub.tick(at: now, utc: BootClock.utc())
        due = now.advanced(bySeconds: Self.beat)
      }
      for id in ready { read(id, at: now) }
      accept(at: now)
      store()
      flush(at: now)
      if let published = mail.input?.published {
        count.worstDelivery = max(count.worstDelivery, BootClock.now().seconds(since: published))
      }
      report()
      if mail.isStopping { return end() }
    }
  }

  /// Waits for whatever comes first, and says which connections can be read.
  private mutating func wait(until due: Timestamp) -> [Hub.ConnectionID] {
    let now = BootClock.now()
    let ids = connections.keys.sorted()
    var polled = [pollfd(fd: host.wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
    for id in ids {
      let isFlushed = connections[id]?.isFlushed ?? true
      let events = isFlushed ? POLLIN : POLLIN | POLLOUT
      polled.append(
        pollfd(fd: connections[id]?.descriptor ?? -1, events: Int16(events), revents: 0))
    }
    if let listener, now >= acceptsAgain {
      polled.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    let left = max(0, min(due.seconds(since: now), Self.beat))
    _ = poll(&polled, nfds_t(polled.count), Int32((left * 1000).rounded(.up)))
    if polled[0].revents != 0 { host.wakeup.clear() }
    return ids.indices.filter { Int32(polled[$0 + 1].revents) & ~POLLOUT != 0 }.map { ids[$0] }
  }

  private mutating func accept(at now: Timestamp) {
    guard let listener, now >= acceptsAgain else { return }
    // Bounded, so that who connects without end delays nobody for long.
    for _ in 0..<64 {
      let descriptor: Int32
      do {
        guard let next = try UnixSocket.accept(listener) else { return }
        descriptor = next
      } catch {
        // Out of descriptors: to be woken for it again at once would help nobody.
        acceptsAgain = now.advanced(bySeconds: Self.beat)
        host.configuration.log(error.description)
        return
      }
      let limits = host.configuration.limits
      guard connections.count < limits.connections, let peer = UnixSocket.peer(descriptor),
        connections.values.count(where: { $0.user == peer.user }) < limits.connectionsPerUser
      else {
        count.refused += 1
        close(descriptor)
        continue
      }
      count.accepted += 1
      let id = hub.connect(user: peer.user)
      connections[id] = Connection(descriptor: descriptor, user: peer.user, at: now, limits: limits)
    }
  }

  private mutating func read(_ id: Hub.ConnectionID, at now: Timestamp) {
    guard var connection = connections.removeValue(forKey: id) else { return }
    switch UnixSocket.read(connection.descriptor, into: &buffer) {
    case .ended:
      drop(connection, id)
      return
    case .wait: break
    case .moved(let bytes):
      if connection.isEnding == nil {
        connection.lines.append(buffer[..<bytes])
        take(&connection, id, at: now)
      }
    }
    connections[id] = connection
  }

  private mutating func take(_ connection: inout Connection, _ id: Hub.ConnectionID, at now: Timestamp) {
    while connection.isEnding == nil, let line = connection.lines.next() {
      connection.lineBegan = nil
      guard connection.allowsMessage(at: now, host.configuration.limits) else {
        return violate(&connection, id, "too many messages", at: now)
      }
      guard line.count <= ClientMessage.longestLine, let json = JSONParser.parse(line),
        let message = ClientMessage(json: json)
      else { return violate(&connection, id, "a line is no message", at: now) }
      connection.hasSpoken = true
      count.received += 1
      hub.receive(message, from: id, at: now)
    }
    if connection.lines.isOverlong { return violate(&connection, id, "a line is too long", at: now) }
    if !connection.lines.isInside { connection.lineBegan = nil }
    if connection.lines.isInside, connection.lineBegan == nil { connection.lineBegan = now }
  }

  private mutating func violate(
    _ connection: inout Connection, _ id: Hub.ConnectionID, _ reason: String, at now: Timestamp
  ) {
    count.violations += 1
    hub.reject(id, reason)
    connection.isEnding = now
  }

  /// Gives every socket what it has room for.
  private mutating func flush(at now: Timestamp) {
    for id in Array(connections.keys) {
      guard var connection = connections.removeValue(forKey: id) else { continue }
      if connection.isEnding == nil, let reason = connection.lateness(at: now, host.configuration.limits) {
        violate(&connection, id, reason, at: now)
      }
      if hub.isOver(id), connection.isEnding == nil { connection.isEnding = now }
      var isOpen = true
      while isOpen, connection.hasRoom, let next = hub.next(for: id) {
        connection.append(encoder.line(next.message))
        count.sent += 1
        if !connection.hasRoom { isOpen = connection.flush() }
      }
      isOpen = isOpen && connection.flush()
      // The last word is waited for, though not for ever.
      if let ending = connection.isEnding, connection.isFlushed || now.seconds(since: ending) > 1 {
        isOpen = false
      }
      if isOpen { connections[id] = connection } else { drop(connection, id) }
    }
    for (id, local) in locals where hub.hasOutput(id) {
      local.take { hub.next(for: id)?.message }
    }
  }

  private mutating func drop(_ connection: Connection, _ id: Hub.ConnectionID) {
    close(connection.descriptor)
    hub.disconnect(id)
  }

  private mutating func store() {
    guard let (number, changes) = hub.takeStoreChanges() else { return }
    if let writer {
      writer.write(number, changes)
    } else {
      hub.stored(number)
    }
  }

  private mutating func report() {
    count.connections = hub.connectionCount
    count.lostLocations = hub.lostLocations
    host.statistics.withLock { shared in
      let worst = max(shared.worstDelivery, count.worstDelivery)
      shared = count
      shared.worstDelivery = worst
    }
    count.worstDelivery = 0
    let needed = hub.demand
    if needed != demand {
      demand = needed
      host.configuration.onDemand(needed)
    }
  }

  private mutating func end() {
    for id in Array(connections.keys) {
      guard let connection = connections.removeValue(forKey: id) else { continue }
      drop(connection, id)
    }
    hub.tick(at: BootClock.now(), utc: BootClock.utc())
    hub.saveAll()
    store()
    writer?.finish()
    if let listener { close(listener) }
    if let path = host.configuration.socket, host.configuration.listener == nil { unlink(path) }
  }
}

/// Sleeps.
package func pause(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }
