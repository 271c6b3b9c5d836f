import Navigation

/// What stands at the head of each segment file, 48 bytes, little-endian:
///
///     magic 8 bytes | version u16 | 0 u16 | 0 u32 | number u64 | session u64 |
///     started u64 on the realtime clock | records in the segment before u32 | CRC-32C u32
public struct SegmentHeader: Sendable, Equatable {
  /// As in PNG: a byte that is no ASCII, a name, and line ends that show a transfer as text.
  static let magic: [UInt8] = [0x89, 0x52, 0x4B, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
  package static let length = 48
  static let version: UInt16 = 1

  /// Number of the segment within the recording, from 1.
  public var number: UInt64
  /// Differs from one start of the recorder to the next: the host clock and the engine begin anew there.
  public var session: UInt64
  /// When it was started, by the host's idea of UTC since 1970.
  public var started: Timestamp
  /// Records in the segment before, if it is of the same session; 0 otherwise.
  public var precedingRecords: UInt32 = 0

  package init(number: UInt64, session: UInt64, started: Timestamp, precedingRecords: UInt32 = 0) {
    (self.number, self.session) = (number, session)
    (self.started, self.precedingRecords) = (started, precedingRecords)
  }

  package var bytes: [UInt8] {
    var bytes = ByteEncoder()
    bytes.append(raw: Self.magic)
    bytes.append(Self.version)
    bytes.append(UInt16(0))
    bytes.append(UInt32(0))
    bytes.append(number)
    bytes.append(session)
    bytes.append(started)
    bytes.append(precedingRecords)
    bytes.append(CRC32C.of(bytes.bytes, 0..<bytes.bytes.count))
    return bytes.bytes
  }

  /// What the first bytes of a file say.
  enum Reading: Equatable {
    case good(SegmentHeader)
    case damaged
    case otherVersion(Int)
  }

  static func read(_ file: [UInt8]) -> Reading {
    guard file.count >= length else { return .damaged }
    var bytes = ByteDecoder(file[..<length])
    let magic = bytes.take(8)
    let version: UInt16 = bytes.integer()
    _ = bytes.take(6)
    let header = SegmentHeader(
      number: bytes.integer(), session: bytes.integer(), started: bytes.time(),
      precedingRecords: bytes.integer())
    guard Array(magic) == Self.magic, bytes.integer(UInt32.self) == CRC32C.of(file, 0..<length - 4) else {
      return .damaged
    }
    return version == Self.version ? .good(header) : .otherVersion(Int(version))
  }
}
