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
    func part(_ part: HTTPServerResponsePart) -> NIOAny { NIOAny(part) }
    var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    head.headers.add(name: "Content-Type", value: type)
    head.headers.add(name: "Content-Length", value: "\(text.utf8.count)")
    head.headers.add(name: "Content-Security-Policy", value: policy)
    context.write(part(.head(head)), promise: nil)
    context.write(part(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    context.writeAndFlush(part(.end(nil))).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}
