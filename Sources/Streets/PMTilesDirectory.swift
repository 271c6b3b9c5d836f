/// A directory as it stands in the file once it is unpacked: how many entries, then all identifiers, each
/// less the one before, all run lengths, all lengths and all offsets. It is searched as it stands, so that
/// nothing is reserved for what it claims to hold.
struct PMTilesDirectory {
  /// Where a tile is, or a directory that knows it.
  enum Place {
    case tile(PMTilesStretch)
    case leaf(PMTilesStretch)
  }

  /// Bytes once unpacked.
  static let longest = 4 << 20

  let bytes: [UInt8]

  /// Where tile `identifier` is; nil where there is none.
  func place(of identifier: UInt64) throws(WireReader.Damage) -> Place? {
    var identifiers = WireReader(bytes)
    let count = try identifiers.number()
    // Each entry has four numbers of a byte or more.
    guard count <= UInt64(bytes.count) / 4 else { throw WireReader.Damage() }
    var (index, found, id) = (0, -1, UInt64(0))
    var foundID: UInt64 = 0
    for _ in 0..<Int(count) {
      let (sum, isOver) = id.addingReportingOverflow(try identifiers.number())
      guard !isOver else { throw WireReader.Damage() }
      id = sum
      if id <= identifier { (found, foundID) = (index, id) }
      index += 1
    }
    guard found >= 0 else { return nil }
    var runs = identifiers
    var run: UInt64 = 0
    for index in 0..<Int(count) {
      let value = try runs.number()
      if index == found { run = value }
    }
    guard run == 0 || identifier - foundID < run else { return nil }
    var lengths = runs, offsets = runs
    for _ in 0..<Int(count) { _ = try offsets.number() }
    var stretch = PMTilesStretch(offset: 0, length: 0)
    for index in 0...found {
      let (length, code) = (try lengths.number(), try offsets.number())
      // Nought says that it begins where the one before ends.
      guard code > 0 || index > 0 else { throw WireReader.Damage() }
      stretch = PMTilesStretch(offset: code > 0 ? code - 1 : stretch.offset &+ stretch.length, length: length)
    }
    return run == 0 ? .leaf(stretch) : .tile(stretch)
  }
}
