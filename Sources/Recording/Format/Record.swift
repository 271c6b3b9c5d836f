import Navigation
import SensorEvents

/// One record as it stands in a segment, little-endian:
///
///     marker u16 = 0x4B52 | kind u8 | 0 u8 | sequence u32 | length u32 | payload |
///     CRC-32C u32 of all before it
///
/// The marker makes the next good record easy to find behind a damaged part; the sequence number counts the
/// records of a segment from 0, so that it is known how many are missing.
package struct Record {
  static let marker: UInt16 = 0x4B52
  static let headerLength = 12
  static let overhead = headerLength + 4
  /// Longest payload: an engine's state is a few MB.
  static let longestPayload = 1 << 24

  package enum Kind: UInt8 {
    case event = 1
    case tick, lost, snapshot, configuration
  }

  var kind: UInt8
  var sequence: UInt32
  var payload: Range<Int>
  /// Where the next record begins.
  var end: Int { payload.upperBound + 4 }

  /// The whole record that begins at `offset`; nil where there is none.
  init?(in bytes: [UInt8], at offset: Int) {
    guard bytes.count - offset >= Self.overhead, bytes[offset] == 0x52, bytes[offset + 1] == 0x4B,
      bytes[offset + 3] == 0
    else { return nil }
    var header = ByteDecoder(bytes[(offset + 4)..<(offset + Self.headerLength)])
    sequence = header.integer()
    let length = Int(header.integer(UInt32.self))
    guard length <= Self.longestPayload, bytes.count - offset - Self.overhead >= length else { return nil }
    kind = bytes[offset + 2]
    payload = (offset + Self.headerLength)..<(offset + Self.headerLength + length)
    var check = ByteDecoder(bytes[payload.upperBound..<payload.upperBound + 4])
    guard check.integer(UInt32.self) == CRC32C.of(bytes, offset..<payload.upperBound) else { return nil }
  }

  package static func append(_ item: RecordedItem, sequence: UInt32, to bytes: inout ByteEncoder) {
    let start = bytes.bytes.count
    bytes.append(marker)
    bytes.append(item.kind.rawValue)
    bytes.append(UInt8(0))
    bytes.append(sequence)
    bytes.append(UInt32(0))
    item.encode(to: &bytes)
    bytes.overwrite(UInt32(bytes.bytes.count - start - headerLength), at: start + 8)
    bytes.append(CRC32C.of(bytes.bytes, start..<bytes.bytes.count))
  }
}

extension RecordedItem {
  package var kind: Record.Kind {
    switch self {
    case .event: .event
    case .tick: .tick
    case .lost: .lost
    case .snapshot: .snapshot
    case .configuration: .configuration
    }
  }

  package func encode(to bytes: inout ByteEncoder) {
    switch self {
    case .event(let event): event.encode(to: &bytes)
    case .tick(let time): bytes.append(time)
    case .lost(let count, let reason):
      bytes.append(Int64(count))
      bytes.append(reason.rawValue)
    case .snapshot(let image):
      bytes.append(image.fingerprint)
      bytes.append(raw: image.bytes)
    case .configuration(let text): bytes.append(text)
    }
  }

  /// Nil for a kind that this version does not know.
  package init?(kind: UInt8, payload: ArraySlice<UInt8>) {
    var bytes = ByteDecoder(payload)
    switch Record.Kind(rawValue: kind) {
    case .event:
      guard let event = SensorEvent(from: &bytes) else { return nil }
      self = .event(event)
    case .tick: self = .tick(bytes.time())
    case .lost:
      let count = bytes.count()
      guard let reason = LossReason(rawValue: bytes.integer()) else { return nil }
      self = .lost(count: count, reason: reason)
    case .snapshot:
      let fingerprint: UInt64 = bytes.integer()
      self = .snapshot(EngineImage(fingerprint: fingerprint, bytes: Array(bytes.rest)))
      return
    case .configuration: self = .configuration(bytes.text())
    case nil: return nil
    }
    guard bytes.isComplete else { return nil }
  }
}
