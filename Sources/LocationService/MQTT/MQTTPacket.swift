import NIOCore

/// What a client says to a broker: MQTT 3.1.1 (OASIS Standard, 2014), chapter 3.
package enum MQTTPacket: Equatable, Sendable {
  /// 3.1, the first packet, and only that.
  case connect(Connect)
  /// 3.3, with an identifier by quality of service 1, without one by 0.
  case publish(Message, identifier: UInt16?)
  /// 3.12.
  case pingRequest

  /// Something said about a topic.
  package struct Message: Equatable, Sendable {
    package var topic: String
    package var payload: String
    /// Whether the broker keeps it for those who subscribe later.
    package var isRetained: Bool

    /// What is said about a topic.
    package init(topic: String, payload: String, isRetained: Bool = false) {
      (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
  }

  /// Who connects, always with a clean session: nothing is kept for it between connections.
  package struct Connect: Equatable, Sendable {
    /// Empty: the broker makes a name.
    package var clientID = ""
    package var user: String?
    /// Only with a user.
    package var password: String?
    /// Seconds of silence after which the broker counts the client as gone.
    package var keepAlive: UInt16 = 30
    /// What the broker says once the client is gone without a word, by quality of service 0.
    package var will: Message?

    /// Anybody.
    package init() {}
  }

  /// Bytes that any text may have (1.5.3).
  static let longestText = 65_535
  /// Bytes that a packet may have behind its length (2.2.3).
  static let longestPacket = 268_435_455

  /// Appends its bytes. Texts are at most ``longestText`` long, which the configuration sees to.
  package func write(to buffer: inout ByteBuffer) {
    switch self {
    case .connect(let connect):
      var body = ByteBuffer()
      connect.write(to: &body)
      Self.write(0x10, body, to: &buffer)
    case .publish(let message, let identifier):
      var body = ByteBuffer()
      body.writeMQTT(message.topic)
      if let identifier { body.writeInteger(identifier) }
      body.writeString(message.payload)
      let flags: UInt8 = (identifier == nil ? 0 : 0b0010) | (message.isRetained ? 0b0001 : 0)
      Self.write(0x30 | flags, body, to: &buffer)
    case .pingRequest: Self.write(0xC0, ByteBuffer(), to: &buffer)
    }
  }

  /// A fixed header (2.2), seven bits of the length a byte, and what it is of.
  private static func write(_ type: UInt8, _ body: ByteBuffer, to buffer: inout ByteBuffer) {
    precondition(body.readableBytes <= longestPacket, "a packet of MQTT has at most \(longestPacket) bytes")
    buffer.writeInteger(type)
    var length = body.readableBytes
    repeat {
      let digit = UInt8(length % 128)
      length /= 128
      buffer.writeInteger(length > 0 ? digit | 0x80 : digit)
    } while length > 0
    buffer.writeImmutableBuffer(body)
  }
}

extension MQTTPacket.Connect {
  fileprivate func write(to body: inout ByteBuffer) {
    body.writeMQTT("MQTT")
    // Level 4 is version 3.1.1; then the flags, of which 0x02 is the clean session (3.1.2).
    body.writeInteger(4 as UInt8)
    var flags: UInt8 = 0x02
    if let will { flags |= 0x04 | (will.isRetained ? 0x20 : 0) }
    if user != nil { flags |= 0x80 }
    if user != nil, password != nil { flags |= 0x40 }
    body.writeInteger(flags)
    body.writeInteger(keepAlive)
    body.writeMQTT(clientID)
    if let will {
      body.writeMQTT(will.topic)
      body.writeMQTT(will.payload)
    }
    guard let user else { return }
    body.writeMQTT(user)
    if let password { body.writeMQTT(password) }
  }
}

extension ByteBuffer {
  /// A text behind its length in two bytes (1.5.3).
  fileprivate mutating func writeMQTT(_ text: String) {
    precondition(text.utf8.count <= MQTTPacket.longestText, "a text of MQTT has at most 65535 bytes")
    writeInteger(UInt16(text.utf8.count))
    writeString(text)
  }
}
