import NIOHTTP1

/// What a request to the live page asks for, judged by its head alone.
enum PageRequest: Equatable {
  /// The page itself.
  case page
  /// What the page shows, as it comes.
  case events
  /// Neither.
  case refused(LoopbackRequest.Refusal)

  init(_ head: HTTPRequestHead, port: Int, token: PageToken) {
    let path: Substring
    do throws(LoopbackRequest.Refusal) {
      path = try LoopbackRequest.path(head, port: port, token: token)
    } catch {
      self = .refused(error)
      return
    }
    switch (path, head.method) {
    case ("/", .GET): self = .page
    case ("/events", .GET): self = .events
    case ("/", _), ("/events", _): self = .refused(.init(.methodNotAllowed, "Only GET.\n"))
    default: self = .refused(.init(.notFound, "Only / and /events.\n"))
    }
  }
}
