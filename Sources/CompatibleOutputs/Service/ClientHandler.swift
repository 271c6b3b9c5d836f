import NIOCore

/// One client's connection: its requests, and an outbox that holds little. Lives on the event loop.
///
/// While the client does not take in what it was sent, reports for it are dropped, its requests wait, and
/// nothing more is read from it: it costs a few kilobytes. When it is ready again, it gets the newest report.
/// If it is not within the stall limit, it is closed.
final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What waits for a client in this process at most, not counting one answer; the
  /// kernel holds as much again.
  static let outboxBytes = 4096

  private let hub: OutputHub
  /// A client of gpsd's protocol; nil for one that only listens to NMEA.
  private var conversation: Conversation?
  private var context: ChannelHandlerContext?
  private var missed: (report: Bool, sky: Bool) = (false, false)
  private var isAnswering = false
  /// Since when it takes nothing in.
  private var stalledSince: NIODeadline?
  /// When it last asked for something.
  private(set) var lastRequest = NIODeadline.now()
  /// It is told no more; what it sends is thrown away until it, or this deadline, closes the connection.
  private var closesAt: NIODeadline?

  struct Conversation {
    var session = GPSDSession()
    var reader = GPSDRequestReader()
  }

  init(hub: OutputHub, speaksGPSD: Bool) {
    self.hub = hub
    conversation = speaksGPSD ? Conversation() : nil
  }

  var speaksGPSD: Bool { conversation != nil }
  /// Whether it speaks gpsd's protocol and is told no reports.
  var isIdle: Bool { speaksGPSD && !wantsJSON && !wantsNMEA }
  private var wantsJSON: Bool { conversation?.session.wantsJSON ?? false }
  private var wantsNMEA: Bool { conversation?.session.wantsNMEA ?? true }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    guard hub.admit(self) else {
      if speaksGPSD { send(GPSDSession.error("Too many clients"), flush: true) }
      context.close(promise: nil)
      return
    }
    if speaksGPSD { send(GPSDSession.version(hub.state), flush: true) }
    context.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    hub.remove(self)
    self.context = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Sends no more and closes, at the latest at `deadline`; meanwhile what was sent can be taken in.
  func finish(by deadline: NIODeadline) {
    guard let context, closesAt == nil else { return }
    closesAt = deadline
    context.close(mode: .output, promise: nil)
    context.read()
  }

  func close() { context?.close(promise: nil) }

  /// Closes what has been stalled, idle or finished for too long.
  func check(at now: NIODeadline) {
    let isStalled = stalledSince.map { now - $0 >= hub.stallLimit } ?? false
    let isForgotten = isIdle && now - lastRequest >= hub.idleLimit
    if isStalled || isForgotten || closesAt.map({ now >= $0 }) ?? false { close() }
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard conversation != nil, closesAt == nil else { return }
    conversation?.reader.append(unwrapInboundIn(data).readableBytesView)
    lastRequest = .now()
    answerRequests()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if context.channel.isWritable || closesAt != nil { context.read() }
  }

  private func answerRequests() {
    guard !isAnswering, let context else { return }
    isAnswering = true
    defer { isAnswering = false }
    var hasAnswered = true
    // A flush may make room for more; an answer may fill the outbox.
    while hasAnswered, context.channel.isWritable, closesAt == nil {
      hasAnswered = false
      while context.channel.isWritable, let request = conversation?.reader.next() {
        if let answer = conversation?.session.answer(request, hub.state) { send(answer, flush: false) }
        hasAnswered = true
      }
      if hasAnswered { context.flush() }
      if conversation?.reader.isOverflown == true { finish(by: .now() + .seconds(1)) }
    }
  }

  // MARK: Reports

  /// Sends a report, or remembers that there was one.
  func deliver(_ frame: Frame) {
    guard wantsJSON || wantsNMEA, let context, closesAt == nil else { return }
    guard context.channel.isWritable else {
      missed.report = true
      return
    }
    if wantsNMEA { send(frame.nmea, flush: false) }
    if wantsJSON { send(frame.json, flush: false) }
    context.flush()
  }

  /// The same for the satellites.
  func deliver(sky: ByteBuffer) {
    guard wantsJSON, let context, closesAt == nil else { return }
    guard context.channel.isWritable else {
      missed.sky = true
      return
    }
    send(sky, flush: true)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard context.channel.isWritable else {
      stalledSince = .now()
      return
    }
    stalledSince = nil
    answerRequests()
    // The newest, once, in place of all that were dropped.
    if missed.report, let frame = hub.frame {
      missed.report = false
      deliver(frame)
    }
    if missed.sky, let sky = hub.skyLine {
      missed.sky = false
      deliver(sky: sky)
    }
    if context.channel.isWritable { context.read() }
  }

  private func send(_ bytes: [UInt8], flush: Bool) { send(ByteBuffer(bytes: bytes), flush: flush) }

  private func send(_ buffer: ByteBuffer, flush: Bool) {
    guard let context else { return }
    context.write(wrapOutboundOut(buffer), promise: nil)
    if flush { context.flush() }
  }
}
