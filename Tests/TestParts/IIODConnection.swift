import CLibrary
import Sensors

/// One client of an ``IIODServer``, on the thread that calls `serve`.
final class IIODConnection {
  private let peer: Int32
  private let server: IIODServer
  private let stop: StopSignal
  private var timeout = 2.5
  private var opened: (device: String, enabled: [Bool], mask: String)?
  private var input: [UInt8] = []
  private var isOver = false

  init(_ peer: Int32, server: IIODServer, stop: StopSignal) {
    self.peer = peer
    self.server = server
    self.stop = stop
    var one: Int32 = 1
    setsockopt(peer, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Answers until the client leaves or the server stops.
  func serve() {
    while !isOver, let line = line() {
      switch server.state.withLock({ $0.fault }) {
      case .deaf: continue
      case .garbage:
        send((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        continue
      default: answer(line.split(separator: " ").map(String.init))
      }
    }
    release()
    close(peer)
  }

  private func answer(_ words: [String]) {
    guard let command = words.first else { return }
    let device = words.dropFirst().first ?? ""
    switch command {
    case "VERSION": send("0.24.v0.24  \n")
    case "PRINT": reply(server.state.withLock { IIODContext.xml($0.devices) })
    case "TIMEOUT":
      timeout = (Double(device) ?? 2500) / 1000
      send("0\n")
    case "READ": reply(text: attribute(words))
    case "WRITE": write(words)
    case "GETTRIG": trigger(of: device)
    case "SETTRIG": setTrigger(of: device, to: words.count > 2 ? words[2] : "")
    case "SET": send("0\n")
    case "OPEN": open(device, mask: words.last ?? "")
    case "READBUF": readBuffer(length: words.last.flatMap { Int($0) } ?? 0)
    case "CLOSE":
      release()
      send("0\n")
    case "EXIT": isOver = true
    default: send("-22\n")
    }
  }

  // MARK: Attributes

  /// The attribute that `READ device [INPUT channel] name` names.
  private func attribute(_ words: [String]) -> String? {
    server.state.withLock { state in
      guard words.count > 2, let device = state.devices.first(where: { $0.id == words[1] }) else {
        return nil
      }
      guard words[2] == "INPUT" else { return device.attributes[words[2]] }
      return words.count > 4 ? device.channels.first { $0.id == words[3] }?.attributes[words[4]] : nil
    }
  }

  private func write(_ words: [String]) {
    guard let count = words.last.flatMap({ Int($0) }), let bytes = take(count) else { return isOver = true }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let isKnown = server.state.withLock { state in
      guard words.count > 3, let index = state.devices.firstIndex(where: { $0.id == words[1] }) else {
        return false
      }
      if words[2] != "INPUT" {
        guard state.devices[index].attributes[words[2]] != nil else { return false }
        state.devices[index].attributes[words[2]] = text
        return true
      }
      guard let channel = state.devices[index].channels.firstIndex(where: { $0.id == words[3] }),
        state.devices[index].channels[channel].attributes[words[4]] != nil
      else { return false }
      state.devices[index].channels[channel].attributes[words[4]] = text
      return true
    }
    send(isKnown ? "\(count)\n" : "-2\n")
  }

  private func trigger(of id: String) {
    let trigger = server.state.withLock { $0.devices.first { $0.id == id }?.trigger }
    guard let trigger else { return send("-2\n") }
    send(trigger.isEmpty ? "0\n" : "\(trigger.utf8.count)\n\(trigger)\n")
  }

  private func setTrigger(of id: String, to trigger: String) {
    server.state.withLock { state in
      guard let index = state.devices.firstIndex(where: { $0.id == id }) else { return }
      state.devices[index].trigger = state.devices.first { $0.id == trigger }?.name ?? trigger
    }
    send("0\n")
  }

  // MARK: Samples

  private func open(_ id: String, mask: String) {
    let code = server.state.withLock { state -> Int in
      guard let device = state.devices.first(where: { $0.id == id }) else { return -19 }
      if state.refusesBuffers || device.trigger == "" { return -22 }
      guard state.queues[id] == nil else { return -16 }
      // Bits count the channels that a buffer can hold.
      let bits = UInt64(mask, radix: 16) ?? 0
      var place = -1
      opened = (
        id,
        device.channels.map { channel in
          guard channel.format != nil else { return false }
          place += 1
          return bits >> UInt64(place) & 1 == 1
        }, mask
      )
      state.queues[id] = []
      return 0
    }
    send("\(code)\n")
  }

  private func release() {
    guard let opened else { return }
    server.state.withLock { _ = $0.queues.removeValue(forKey: opened.device) }
    self.opened = nil
  }

  private func readBuffer(length: Int) {
    guard let opened else { return send("-9\n") }
    var waited = 0.0
    while !stop.isSet {
      let (fault, bytes) = server.state.withLock { state -> (IIODServer.Fault, [UInt8]?) in
        guard let device = state.devices.first(where: { $0.id == opened.device }) else {
          return (.readError(-19), nil)
        }
        let size = device.layout(enabled: opened.enabled).size
        let count = max(1, length / size)
        guard state.fault != .silentReads, let queue = state.queues[opened.device], queue.count >= count
        else {
          return (state.fault, nil)
        }
        state.queues[opened.device] = Array(queue.dropFirst(count))
        return (state.fault, queue.prefix(count).flatMap { device.bytes(of: $0, enabled: opened.enabled) })
      }
      switch (fault, bytes) {
      case (.readError(let code), _):
        return send("\(code)\n")
      case (.hangUpInSample, let bytes?):
        send("\(bytes.count)\n\(opened.mask)\n")
        send(Array(bytes.prefix(bytes.count / 2)))
        server.set(.none)
        return isOver = true
      case (_, let bytes?):
        return send(Array("\(bytes.count)\n\(opened.mask)\n".utf8) + bytes)
      case (.silentReads, nil): waited = 0
      default: break
      }
      if waited >= timeout { return send("-110\n") }
      guard stop.wait(atMost: 0.001) == .timedOut, !hasHungUp else { return isOver = true }
      waited += 0.001
    }
  }

  private var hasHungUp: Bool {
    var byte: UInt8 = 0
    return recv(peer, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  // MARK: Bytes

  private func reply(_ text: String) { send("\(text.utf8.count)\n\(text)\n") }

  private func reply(text: String?) {
    guard let text else { return send("-2\n") }
    send("\(text.utf8.count + 1)\n\(text)\0\n")
  }

  private func send(_ text: String) { send(Array(text.utf8)) }

  private func send(_ bytes: [UInt8]) {
    let count = bytes.withUnsafeBytes {
      CLibrary.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != bytes.count { isOver = true }
  }

  /// The next line without its end; nil when the client has left or the server stops.
  private func line() -> String? {
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = input[..<end].filter { $0 != UInt8(ascii: "\r") }
        input.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      guard receive() else { return nil }
    }
  }

  private func take(_ count: Int) -> [UInt8]? {
    while input.count < count { guard receive() else { return nil } }
    defer { input.removeFirst(count) }
    return Array(input.prefix(count))
  }

  private func receive() -> Bool {
    while true {
      switch stop.wait(for: peer, atMost: 1) {
      case .stopped: return false
      case .timedOut: continue
      case .ready:
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(peer, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        input += bytes.prefix(count)
        return true
      }
    }
  }
}
