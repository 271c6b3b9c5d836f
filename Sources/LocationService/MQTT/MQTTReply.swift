import NIOCore

/// What a broker says to a client that only publishes, and nothing else: all of it has two bytes behind its
/// length, or none. So a broker that says anything longer is found out by the second byte, and at most four
/// bytes of it are ever kept.
package enum MQTTReply: Equatable, Sendable {
  /// 3.2: the code of ``MQTTFault/refused(code:)``, 0 for welcome.
  case connected(code: UInt8)
  /// 3.4: the packet of that identifier is in the broker's hands.
  case acknowledged(UInt16)
  /// 3.13.
  case pingResponse

  /// Takes the next from `buffer`; nil while it is not whole.
  package init?(reading buffer: inout ByteBuffer) throws(MQTTFault) {
    guard let type = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return nil }
    let expected: UInt8
    switch type {
    case 0x20, 0x40: expected = 2
    case 0xD0: expected = 0
    default: throw .notExpected(type)
    }
    guard let length = buffer.getInteger(at: buffer.readerIndex + 1, as: UInt8.self) else { return nil }
    guard length == expected else { throw .notExpected(type) }
    guard buffer.readableBytes >= 2 + Int(expected) else { return nil }
    buffer.moveReaderIndex(forwardBy: 2)
    switch type {
    case 0x20:
      // A clean session is never present (3.2.2.2).
      guard let flags: UInt8 = buffer.readInteger(), let code: UInt8 = buffer.readInteger(), flags == 0
      else { throw .notExpected(type) }
      self = .connected(code: code)
    case 0x40: self = .acknowledged(buffer.readInteger() ?? 0)
    default: self = .pingResponse
    }
  }
}

/// Cuts what a broker says into replies.
struct MQTTReplyDecoder: ByteToMessageDecoder {
  typealias InboundOut = MQTTReply

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    guard let reply = try MQTTReply(reading: &buffer) else { return .needMoreData }
    context.fireChannelRead(wrapInboundOut(reply))
    return .continue
  }

  /// What is not whole at the end is nothing.
  mutating func decodeLast(
    context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
  ) throws -> DecodingState {
    while try decode(context: context, buffer: &buffer) == .continue {}
    buffer.clear()
    return .needMoreData
  }
}

/// Why there is no connection with a broker.
package enum MQTTFault: Error, Equatable, CustomStringConvertible {
  /// A packet that a broker never sends to one who only publishes, by its first byte.
  case notExpected(UInt8)
  /// It does not let the client, for a reason of its own (3.2.2.3).
  case refused(code: UInt8)
  /// It said nothing for so many seconds while something was asked of it.
  case silent(seconds: Double)
  case hungUp

  /// What is wrong, and what to look at.
  package var description: String {
    switch self {
    case .notExpected(let type):
      "it sent a packet that begins with 0x\(String(type, radix: 16)): is this a broker of MQTT 3.1.1?"
    case .refused(1): "it does not speak MQTT 3.1.1"
    case .refused(2): "it does not take the client_id"
    case .refused(3): "it is not available for now"
    case .refused(4): "user or password are wrong"
    case .refused(5): "it does not authorize this user: look at its log and its list of users"
    case .refused(let code): "it refused the connection with code \(code)"
    case .silent(let seconds): "it did not answer for \(Int(seconds)) s"
    case .hungUp: "it hung up"
    }
  }
}
