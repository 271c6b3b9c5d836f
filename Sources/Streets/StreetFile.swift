import CLibrary
import Drives
import JSON

/// Vector tiles of streets in one PMTiles file of version 3, on this computer.
///
/// Whatever the file says, a question reads at most four directories of a megabyte, 4 MB unpacked, and one
/// tile of ``longestTile``. Several threads may ask.
package final class StreetFile: Sendable {
  /// Bytes of a tile as it stands in the file.
  /// *[chosen: twice what programs that make tiles stop at, 500 KB]*
  package static let longestTile: UInt64 = 1 << 20
  /// Directories from the root to a tile, as in the specification's own programs.
  private static let depth = 4
  private static let longestMetadata: UInt64 = 1 << 20

  package let path: String
  package let zooms: ClosedRange<Int>
  /// Whether the tiles are packed by gzip.
  package let areTilesPacked: Bool
  /// Whose data it is, as it says itself, in words alone; empty where it does not say.
  package let attribution: String
  private let header: PMTilesHeader
  private let root: PMTilesDirectory
  private let descriptor: Int32

  /// Opens the file, reads what it says of itself, and its first directory.
  package init(path: String) throws(StreetFault) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw StreetFault(path, "cannot be opened: \(SystemError.text())")
    }
    var status = stat()
    do {
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw PMTilesHeader.Reason("is no file")
      }
      let size = UInt64(status.st_size)
      let start = try Self.read(descriptor, .init(offset: 0, length: UInt64(min(status.st_size, 127))))
      let header = try PMTilesHeader(start, size: size)
      root = try Self.directory(descriptor, header.root, header)
      _ = try root.place(of: 0)
      attribution = try Self.attribution(descriptor, header)
      self.header = header
    } catch {
      close(descriptor)
      throw StreetFault(path, (error as? PMTilesHeader.Reason)?.text ?? "its directory is damaged")
    }
    (self.path, zooms, areTilesPacked) = (path, header.zooms, header.areTilesPacked)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The bytes of a tile as they stand in the file; nil where it has none there.
  package func bytes(of tile: StreetTile) throws(StreetFault) -> [UInt8]? {
    guard zooms.contains(tile.zoom) else { return nil }
    do {
      var directory = root
      for _ in 0..<Self.depth {
        switch try directory.place(of: tile.identifier) {
        case nil: return nil
        case .tile(let stretch):
          let place = try absolute(stretch, in: header.tiles)
          guard stretch.length <= Self.longestTile else {
            throw PMTilesHeader.Reason(
              "it has \(stretch.length) bytes, and more than \(Self.longestTile) are not read: make it of simpler tiles"
            )
          }
          return try Self.read(descriptor, place)
        case .leaf(let stretch):
          directory = try Self.directory(descriptor, absolute(stretch, in: header.leaves), header)
        }
      }
      throw PMTilesHeader.Reason("it is behind more than \(Self.depth) directories: the file is damaged")
    } catch {
      throw StreetFault(
        path,
        "tile \(tile.zoom)/\(tile.column)/\(tile.row): "
          + ((error as? PMTilesHeader.Reason)?.text ?? "the directory that it should be in is damaged"))
    }
  }

  private func absolute(
    _ stretch: PMTilesStretch, in part: PMTilesStretch
  ) throws(PMTilesHeader.Reason) -> PMTilesStretch {
    guard stretch.isWithin(part.length) else {
      throw PMTilesHeader.Reason(
        "it would lie beyond what the file has: the file is damaged or was not copied whole")
    }
    return PMTilesStretch(offset: part.offset + stretch.offset, length: stretch.length)
  }

  // MARK: Reading

  private static func directory(
    _ descriptor: Int32, _ place: PMTilesStretch, _ header: PMTilesHeader
  ) throws(PMTilesHeader.Reason) -> PMTilesDirectory {
    guard place.length <= PMTilesHeader.longestDirectory else {
      throw .init(
        "it is behind a directory of \(place.length) bytes, and more than \(PMTilesHeader.longestDirectory) are not read"
      )
    }
    return PMTilesDirectory(
      bytes: try unpacked(try read(descriptor, place), header, limit: PMTilesDirectory.longest, "a directory")
    )
  }

  private static func unpacked(
    _ bytes: [UInt8], _ header: PMTilesHeader, limit: Int, _ what: String
  ) throws(PMTilesHeader.Reason) -> [UInt8] {
    guard header.packing == .gzip else { return bytes }
    do { return try Gzip.unpack(bytes, limit: limit) } catch {
      throw .init("\(what) cannot be unpacked: \(error.text)")
    }
  }

  private static func read(
    _ descriptor: Int32, _ place: PMTilesStretch
  ) throws(PMTilesHeader.Reason) -> [UInt8] {
    let wanted = Int(place.length)
    var done = 0, fault: Int32 = 0
    var bytes = [UInt8](repeating: 0, count: wanted)
    while done < wanted {
      let got = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return pread(descriptor, rest.baseAddress, rest.count, off_t(place.offset) + off_t(done))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { fault = errno }
      guard got > 0 else { break }
      done += got
    }
    guard done == wanted else {
      throw .init(
        fault == 0
          ? "the file is cut off: it was not copied whole"
          : "it cannot be read: \(SystemError.text(fault))")
    }
    return bytes
  }

  // MARK: Whose it is

  private static func attribution(
    _ descriptor: Int32, _ header: PMTilesHeader
  ) throws(PMTilesHeader.Reason) -> String {
    guard header.metadata.length > 0 else { return "" }
    guard header.metadata.length <= longestMetadata else {
      throw .init(
        "its metadata has \(header.metadata.length) bytes, and more than \(longestMetadata) are not read")
    }
    let bytes = try unpacked(
      try read(descriptor, header.metadata), header, limit: Int(longestMetadata) * 8, "the metadata")
    let limits = JSONParser.Limits(depth: 64, bytes: Int(longestMetadata) * 8)
    guard let metadata = try? JSONParser.read(bytes[...], limits: limits) else { return "" }
    return plain(metadata["attribution"]?.string ?? "")
  }

  /// The words of a text in HTML, at most 200 characters of them: it is shown as text and never as HTML.
  package static func plain(_ html: String) -> String {
    var (text, isTag) = ("", false)
    for character in String(html.unicodeScalars.prefix(4000)) {
      switch character {
      case "<": isTag = true
      case ">" where isTag: isTag = false
      default: if !isTag { text.append(character.isWhitespace ? " " : character) }
      }
    }
    for (entity, character) in [
      ("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
      ("&amp;", "&"),
    ] { text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character) }
    let words = text.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
    let line = String(String.UnicodeScalarView(words)).split(separator: " ").joined(separator: " ")
    return String(line.unicodeScalars.prefix(200))
  }
}
