import NIOHTTP1

/// What is asked of a port on the loopback: by whom, judged by the request's head alone.
enum LoopbackRequest {
  /// A refusal, and its reason for people.
  struct Refusal: Error, Equatable {
    var status: HTTPResponseStatus
    var reason: String

    init(_ status: HTTPResponseStatus, _ reason: String) { (self.status, self.reason) = (status, reason) }
  }

  /// The path that `head` asks for, once it has named this very `port` and shown `token`. A browser that
  /// another site's name leads here says that name; one that another site's page asks here says that site.
  static func path(_ head: HTTPRequestHead, port: Int, token: PageToken) throws(Refusal) -> Substring {
    let hosts = head.headers["host"].map { $0.lowercased() }
    guard let host = hosts.first, hosts.count == 1, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host)
    else { throw Refusal(.misdirectedRequest, "This is 127.0.0.1:\(port), and nothing else.\n") }
    try refuseOtherSites(head, host)
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("token="), token.isEqual(to: parts[1].dropFirst(6)) else {
      throw Refusal(
        .forbidden, "Open the address that is in reckond's address_file: it is another after each start.\n")
    }
    return parts[0]
  }

  /// The path that `head` asks for of a port without a token: of this computer by whatever port, as a tunnel
  /// may have another, but by no other site's name or page. A program that names no host is no browser.
  static func path(_ head: HTTPRequestHead) throws(Refusal) -> Substring {
    let hosts = head.headers["host"].map { $0.lowercased() }
    let names = hosts.map { $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0] }
    guard hosts.count <= 1, names.allSatisfy({ ["127.0.0.1", "localhost"].contains($0) }) else {
      throw Refusal(.misdirectedRequest, "This is 127.0.0.1, and nothing else.\n")
    }
    try refuseOtherSites(head, hosts.first ?? "")
    return head.uri[...]
  }

  private static func refuseOtherSites(_ head: HTTPRequestHead, _ host: String) throws(Refusal) {
    let isOwn =
      head.headers["origin"].allSatisfy { $0 == "http://\(host)" }
      && head.headers["sec-fetch-site"].allSatisfy { ["same-origin", "none"].contains($0) }
    guard isOwn else { throw Refusal(.forbidden, "Another site's page is told nothing.\n") }
  }
}

/// A connection that can be hung up on.
protocol Visitor: AnyObject {
  func close()
}

/// Connections that have not asked for anything yet, or not with the token.
struct WaitingRoom {
  /// So many at once: of more the oldest ends.
  static let most = 32

  private var waiting: [any Visitor] = []

  /// Takes one more; returns the one that is to be hung up on for it.
  mutating func enter(_ visitor: any Visitor) -> (any Visitor)? {
    waiting.append(visitor)
    return waiting.count > Self.most ? waiting.removeFirst() : nil
  }

  mutating func leave(_ visitor: any Visitor) { waiting.removeAll { $0 === visitor } }
}
