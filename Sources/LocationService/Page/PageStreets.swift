import Dispatch
import JSON
import NIOCore
import Pages
import Streets

/// The streets under the live page's map: those of one file, why there are none, or none at all.
enum PageStreets {
  case none
  case unusable(StreetFault)
  case file(StreetReader)

  /// Those of the file at `path`; an empty path is none.
  init(path: String) {
    guard !path.isEmpty else {
      self = .none
      return
    }
    do throws(StreetFault) { self = .file(StreetReader(try StreetFile(path: path))) } catch {
      self = .unusable(error)
    }
  }
}

/// Reads tiles on a thread of its own: a disk that is slow holds up no client.
final class StreetReader: Sendable {
  /// Questions at once, whoever asks: more are refused.
  static let most = 32

  let file: StreetFile
  private let queue = DispatchQueue(label: "streets")

  init(_ file: StreetFile) { self.file = file }

  /// The bytes of `tile`, as they stand in the file.
  func bytes(of tile: StreetTile, on loop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
    let promise = loop.makePromise(of: [UInt8]?.self)
    queue.async { [file] in promise.completeWith(Result { try file.bytes(of: tile) }) }
    return promise.futureResult
  }

  /// What the page's script has to know, as an attribute's value.
  var attribute: String {
    let value = JSON.members([
      "from": .integer(Int64(file.zooms.lowerBound)), "to": .integer(Int64(file.zooms.upperBound)),
    ])
    return PageText.escaped(value.text)
  }
}
