/// What is not plain memory, and still has an image.
protocol Imaged {
  /// The type of what it holds; nil where that is plain.
  static var part: (any Any.Type)? { get }
  static func encode(_ memory: UnsafeRawPointer, to bytes: inout ByteEncoder) throws
  static func initialize(_ memory: UnsafeMutableRawPointer, from bytes: inout ByteDecoder) throws
}

extension String: Imaged {
  static var part: (any Any.Type)? { nil }

  static func encode(_ memory: UnsafeRawPointer, to bytes: inout ByteEncoder) {
    bytes.append(memory.assumingMemoryBound(to: String.self).pointee)
  }

  static func initialize(_ memory: UnsafeMutableRawPointer, from bytes: inout ByteDecoder) throws {
    let text = bytes.text()
    guard bytes.isWhole else { throw ValueImage.Fault.cutOff }
    memory.initializeMemory(as: String.self, to: text)
  }
}

extension Optional: Imaged {
  static var part: (any Any.Type)? { Wrapped.self }

  static func encode(_ memory: UnsafeRawPointer, to bytes: inout ByteEncoder) throws {
    switch memory.assumingMemoryBound(to: Self.self).pointee {
    case nil: bytes.append(UInt8(0))
    case let value?:
      bytes.append(UInt8(1))
      try withUnsafeBytes(of: value) { try ValueImage.encode(Wrapped.self, $0, to: &bytes) }
    }
  }

  static func initialize(_ memory: UnsafeMutableRawPointer, from bytes: inout ByteDecoder) throws {
    let isThere = bytes.integer(UInt8.self) != 0
    guard bytes.isWhole else { throw ValueImage.Fault.cutOff }
    guard isThere else {
      memory.initializeMemory(as: Self.self, to: nil)
      return
    }
    let value = UnsafeMutablePointer<Wrapped>.allocate(capacity: 1)
    defer { value.deallocate() }
    try ValueImage.initialize(Wrapped.self, UnsafeMutableRawPointer(value), from: &bytes)
    memory.initializeMemory(as: Self.self, to: value.move())
  }
}

extension Array: Imaged {
  static var part: (any Any.Type)? { Element.self }

  static func encode(_ memory: UnsafeRawPointer, to bytes: inout ByteEncoder) throws {
    let array = memory.assumingMemoryBound(to: Self.self).pointee
    bytes.append(UInt32(array.count))
    try array.withUnsafeBytes { raw in
      if _isPOD(Element.self) { return bytes.append(raw: raw) }
      for i in array.indices {
        let start = i * MemoryLayout<Element>.stride
        let element = UnsafeRawBufferPointer(rebasing: raw[start..<start + MemoryLayout<Element>.size])
        try ValueImage.encode(Element.self, element, to: &bytes)
      }
    }
  }

  static func initialize(_ memory: UnsafeMutableRawPointer, from bytes: inout ByteDecoder) throws {
    let count = Int(bytes.integer(UInt32.self))
    let stride = _isPOD(Element.self) ? MemoryLayout<Element>.stride : 1
    guard bytes.isWhole, count <= bytes.rest.count / Swift.max(1, stride) else {
      throw ValueImage.Fault.cutOff
    }
    // The standard library writes the count of its one empty array, which other
    // threads read (ThreadSanitizer).
    guard count > 0 else {
      memory.initializeMemory(as: Self.self, to: [])
      return
    }
    let array = try Self(unsafeUninitializedCapacity: count) { buffer, made in
      guard let base = buffer.baseAddress else { return }
      if _isPOD(Element.self) {
        bytes.take(count * MemoryLayout<Element>.stride).withUnsafeBytes {
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
        }
        made = count
        return
      }
      while made < count {
        try ValueImage.initialize(Element.self, UnsafeMutableRawPointer(base + made), from: &bytes)
        made += 1
      }
    }
    memory.initializeMemory(as: Self.self, to: array)
  }
}
