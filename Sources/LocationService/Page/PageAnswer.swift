import NIOCore
import NIOHTTP1

/// An answer to a browser that allows it nothing but what it says.
enum PageAnswer {
  static let headers: HTTPHeaders = [
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin", "Connection": "close",
  ]

  /// Writes a whole one, and then closes the connection.
  static func write(
    _ status: HTTPResponseStatus, _ text: String, type: String = "text/plain; charset=utf-8",
    policy: String = "default-src 'none'", to context: ChannelHandlerContext
  ) {
    write(
      status, ByteBuffer(string: text), [("Content-Type", type), ("Content-Security-Policy", policy)],
      to: context)
  }

  /// Writes a tile as it stands in its file, or that there is none.
  static func write(tile bytes: [UInt8]?, isPacked: Bool, to context: ChannelHandlerContext) {
    var lines = [("Content-Security-Policy", "default-src 'none'")]
    if bytes != nil { lines.append(("Content-Type", "application/vnd.mapbox-vector-tile")) }
    if bytes != nil, isPacked { lines.append(("Content-Encoding", "gzip")) }
    write(bytes == nil ? .noContent : .ok, ByteBuffer(bytes: bytes ?? []), lines, to: context)
  }

  private static func write(
    _ status: HTTPResponseStatus, _ body: ByteBuffer, _ lines: [(String, String)],
    to context: ChannelHandlerContext
  ) {
    func part(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
    var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    for (name, value) in lines { head.headers.add(name: name, value: value) }
    if status != .noContent { head.headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
    context.write(part(.head(head)), promise: nil)
    context.write(part(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(part(.end(nil))).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}
