import NIOHTTP1
import Streets

/// What a request to the live page asks for, judged by its head alone.
enum PageRequest: Equatable {
  /// The page itself.
  case page
  /// What the page shows, as it comes.
  case events
  /// A tile of the streets under its map.
  case tile(StreetTile)
  /// None of these.
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
    case (_, .GET) where path.hasPrefix("/streets/"):
      self = Self.tile(path).map { .tile($0) } ?? .refused(.init(.notFound, "There is no such tile.\n"))
    case ("/", _), ("/events", _): self = .refused(.init(.methodNotAllowed, "Only GET.\n"))
    default: self = .refused(.init(.notFound, "Only /, /events and /streets.\n"))
    }
  }
  /// The tile of `/streets/ZOOM/COLUMN/ROW`.
  private static func tile(_ path: Substring) -> StreetTile? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } && part.utf8.count < 9 ? Int(part) : nil
    }
    guard parts.count == 3, numbers.count == 3 else { return nil }
    return StreetTile(zoom: numbers[0], column: numbers[1], row: numbers[2])
  }
}
