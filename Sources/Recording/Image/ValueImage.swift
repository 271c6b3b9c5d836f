@_spi(Reflection) import Swift

/// A value as bytes, exactly: every field of it by the layout that this build gives it.
///
/// It follows structs, arrays, optionals and strings down to what is plain memory, by the field offsets that
/// the compiler leaves for reflection. So the types need not know of it, and nothing can be forgotten when
/// one gets a field. A value with anything else in it (a class, a closure, a set) has no image. An image is
/// for the build that made it; the ``fingerprint(of:)`` tells.
public enum ValueImage {
  /// The image of `value`; nil where it holds what cannot be kept.
  public static func encode<Value>(_ value: Value) -> EngineImage? {
    guard let fingerprint = fingerprint(of: Value.self) else { return nil }
    var bytes = ByteEncoder()
    do {
      try withUnsafeBytes(of: value) { try encode(Value.self, $0, to: &bytes) }
    } catch { return nil }
    return EngineImage(fingerprint: fingerprint, bytes: bytes.bytes)
  }

  /// The value of an image; nil where another build or another type made it, or it is not whole.
  public static func decode<Value>(_ image: EngineImage, as _: Value.Type = Value.self) -> Value? {
    guard image.fingerprint == fingerprint(of: Value.self) else { return nil }
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { memory.deallocate() }
    var bytes = ByteDecoder(image.bytes[...])
    do {
      try initialize(Value.self, UnsafeMutableRawPointer(memory), from: &bytes)
    } catch { return nil }
    // Of bytes that are too few nothing was made; of too many the value is good, and
    // not the one that was kept.
    guard bytes.isComplete else {
      memory.deinitialize(count: 1)
      return nil
    }
    return memory.move()
  }

  enum Fault: Error { case unsupported, cutOff }

  // MARK: One value

  static func encode(_ type: any Any.Type, _ memory: UnsafeRawBufferPointer, to bytes: inout ByteEncoder)
    throws
  {
    if _isPOD(type) { return bytes.append(raw: memory) }
    guard let base = memory.baseAddress else { throw Fault.unsupported }
    if let type = type as? any Imaged.Type { return try type.encode(base, to: &bytes) }
    try forEachField(of: type) { offset, field in
      try encode(field, UnsafeRawBufferPointer(start: base + offset, count: size(of: field)), to: &bytes)
    }
  }

  /// Makes a value of `type` in memory that holds none.
  static func initialize(
    _ type: any Any.Type, _ memory: UnsafeMutableRawPointer, from bytes: inout ByteDecoder
  ) throws {
    if _isPOD(type) {
      let count = size(of: type)
      let raw = bytes.take(count)
      guard bytes.isWhole else { throw Fault.cutOff }
      raw.withUnsafeBytes { raw in
        if let base = raw.baseAddress { memory.copyMemory(from: base, byteCount: count) }
      }
      return
    }
    if let type = type as? any Imaged.Type { return try type.initialize(memory, from: &bytes) }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size(of: type))
    try forEachField(of: type) { offset, field in try initialize(field, memory + offset, from: &bytes) }
  }

  /// Calls `body` with offset and type of each stored property of a struct.
  private static func forEachField(of type: any Any.Type, _ body: (Int, any Any.Type) throws -> Void) throws {
    // The first word of a type's metadata says what kind it is; an enum would seem to have no field.
    let kind = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    guard _MetadataKind(rawValue: kind) == .struct else { throw Fault.unsupported }
    var fault: (any Error)?
    let isWalked = _forEachField(of: type) { _, offset, field, _ in
      do {
        try body(offset, field)
        return true
      } catch {
        fault = error
        return false
      }
    }
    if let fault { throw fault }
    if !isWalked { throw Fault.unsupported }
  }

  static func size(of type: any Any.Type) -> Int {
    func open<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    return _openExistential(type, do: open)
  }

  // MARK: Which build

  /// Tells the layout of a type and the program's code apart from others; nil where the type has no image.
  public static func fingerprint<Value>(of type: Value.Type) -> UInt64? {
    guard let code = ProgramIdentity.value else { return nil }
    var hash = WordHash(seed: code)
    do { try add(type, to: &hash) } catch { return nil }
    return hash.value
  }

  private static func add(_ type: any Any.Type, to hash: inout WordHash) throws {
    // No names: those of private types hold addresses, which differ from run to run.
    hash.add(UInt64(size(of: type)))
    if _isPOD(type) { return }
    if let type = type as? any Imaged.Type {
      if let part = type.part { try add(part, to: &hash) }
      return
    }
    try forEachField(of: type) { offset, field in
      hash.add(UInt64(offset))
      try add(field, to: &hash)
    }
  }
}
