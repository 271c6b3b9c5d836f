/// Bytes as they come to whole lines, with a bound: a line that is longer is skipped to its end and counted.
package struct LineSplitter {
  /// Longest line in bytes: twice gpsd's longest, a SKY of 140 satellites.
  package static let limit = 65_536

  private var bytes: [CChar] = []
  private var isSkipping = false
  /// Lines that were longer than the limit.
  package private(set) var overlong = 0

  package init() { bytes.reserveCapacity(Self.limit + 1) }

  /// Adds `chunk`, and hands out each line that is whole now, without its end, with a NUL after it;
  /// the line may be changed.
  package mutating func add(
    _ chunk: UnsafeBufferPointer<CChar>, _ body: (UnsafeMutablePointer<CChar>) -> Void
  ) {
    var rest = chunk[...]
    while let end = rest.firstIndex(of: CChar(bitPattern: UInt8(ascii: "\n"))) {
      append(rest[..<end])
      rest = rest[(end + 1)...]
      if !isSkipping, !bytes.isEmpty {
        bytes.append(0)
        bytes.withUnsafeMutableBufferPointer { if let line = $0.baseAddress { body(line) } }
      }
      bytes.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    append(rest)
  }

  private mutating func append(_ part: Slice<UnsafeBufferPointer<CChar>>) {
    guard !isSkipping else { return }
    guard bytes.count + part.count <= Self.limit else {
      isSkipping = true
      overlong += 1
      bytes.removeAll(keepingCapacity: true)
      return
    }
    bytes.append(contentsOf: part)
  }
}
