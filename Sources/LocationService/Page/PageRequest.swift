import NIOHTTP1

/// What a request to the live page asks for, judged by its head alone.
enum PageRequest: Equatable {
  /// The page itself.
  case page
  /// What the page shows, as it comes.
  case events
  /// Neither.
  case refused(HTTPResponseStatus, String)

  /// A browser that another site's name leads here says that name; one that another site's page asks here says that site.
  init(_ head: HTTPRequestHead, port: Int, token: PageToken) {
    let hosts = head.headers["host"].map { $0.lowercased() }
    guard let host = hosts.first, hosts.count == 1, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host)
    else {
      self = .refused(.misdirectedRequest, "This is 127.0.0.1:\(port), and nothing else.\n")
      return
    }
    let isOwn =
      head.headers["origin"].allSatisfy { $0 == "http://\(host)" }
      && head.headers["sec-fetch-site"].allSatisfy { ["same-origin", "none"].contains($0) }
    guard isOwn else {
      self = .refused(.forbidden, "Another site's page is told nothing.\n")
      return
    }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("token="), token.isEqual(to: parts[1].dropFirst(6)) else {
      self = .refused(
        .forbidden, "Open the address that is in reckond's address_file: it is another after each start.\n")
      return
    }
    switch (parts[0], head.method) {
    case ("/", .GET): self = .page
    case ("/events", .GET): self = .events
    case ("/", _), ("/events", _): self = .refused(.methodNotAllowed, "Only GET.\n")
    default: self = .refused(.notFound, "Only / and /events.\n")
    }
  }
}
