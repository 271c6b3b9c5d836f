// Format: NumPy enhancement proposal 1, "A simple file format for NumPy arrays", versions 1.0 to 3.0.

/// An array of numbers from a .npy file, as rows of `Double`.
package struct NumPyArray {
  /// Rows; 1 for a scalar.
  package let rowCount: Int
  /// Numbers a row; 1 for a one-dimensional array.
  package let columnCount: Int
  private let values: [Double]

  package subscript(row: Int, column: Int) -> Double { values[row * columnCount + column] }

  /// Reads a file with a one- or two-dimensional array of integers, floating-point numbers or truth values.
  package init(path: String) throws(DriveError) {
    let bytes = try Folder.contents(of: path, limit: 1 << 30)
    func refuse(_ reason: String) -> DriveError {
      .malformedFile(file: path, reason: "no NumPy array: " + reason)
    }
    guard bytes.starts(with: [0x93] + Array("NUMPY".utf8)), bytes.count >= 12 else {
      throw refuse("it does not begin as one")
    }
    let isShort = bytes[6] == 1
    let start = isShort ? 10 : 12
    let length = (8..<start).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
    guard (1...3).contains(bytes[6]), length <= bytes.count - start else {
      throw refuse("its header is cut off")
    }
    let header = String(decoding: bytes[start..<start + length], as: UTF8.self)
    guard let type = Self.value("descr", in: header)?.filter({ !"'\" ".contains($0) }),
      let order = Self.value("fortran_order", in: header), let shape = Self.shape(header)
    else { throw refuse("its header is not understood: \(header.prefix(80))") }
    guard let number = Number(type) else { throw refuse("numbers of type \(type) are not read") }
    guard shape.count <= 2, shape.allSatisfy({ $0 >= 0 && $0 < 1 << 30 }) else {
      throw refuse("it has \(shape.count) dimensions")
    }
    rowCount = shape.first ?? 1
    columnCount = shape.count == 2 ? shape[1] : 1
    let (count, overflow) = rowCount.multipliedReportingOverflow(by: columnCount)
    let data = start + length
    guard !overflow, count <= (bytes.count - data) / number.size else {
      throw refuse("it breaks off: \(rowCount) × \(columnCount) numbers were announced")
    }
    let isTransposed = order.contains("True") && shape.count == 2
    var values: [Double] = []
    values.reserveCapacity(count)
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let place = isTransposed ? column * rowCount + row : row * columnCount + column
        values.append(number.read(bytes, at: data + place * number.size))
      }
    }
    self.values = values
  }

  /// The text of a key in the header, up to the comma that ends it.
  private static func value(_ key: String, in header: String) -> String? {
    let parts = header.split(separator: "'\(key)':", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? parts[1].split(separator: ",").first.map(String.init) : nil
  }

  private static func shape(_ header: String) -> [Int]? {
    guard let open = header.lastIndex(of: "("), let close = header[open...].firstIndex(of: ")") else {
      return nil
    }
    let items = header[header.index(after: open)..<close].split(separator: ",")
      .map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    let numbers = items.compactMap { Int($0) }
    return numbers.count == items.count ? numbers : nil
  }

  /// How a number stands in the file.
  private struct Number {
    let size: Int
    private let kind: Character
    private let isBigEndian: Bool

    init?(_ type: String) {
      guard type.count >= 3, let order = type.first, "<>|=".contains(order),
        let size = Int(type.dropFirst(2))
      else { return nil }
      kind = type[type.index(after: type.startIndex)]
      self.size = size
      isBigEndian = order == ">"
      switch kind {
      case "f": guard size == 4 || size == 8 else { return nil }
      case "i", "u": guard [1, 2, 4, 8].contains(size) else { return nil }
      case "b": guard size == 1 else { return nil }
      default: return nil
      }
    }

    func read(_ bytes: [UInt8], at offset: Int) -> Double {
      var bits: UInt64 = 0
      for i in 0..<size {
        bits = bits << 8 | UInt64(bytes[offset + (isBigEndian ? i : size - 1 - i)])
      }
      switch (kind, size) {
      case ("f", 8): return Double(bitPattern: bits)
      case ("f", _): return Double(Float(bitPattern: UInt32(bits)))
      case ("i", 1): return Double(Int8(truncatingIfNeeded: bits))
      case ("i", 2): return Double(Int16(truncatingIfNeeded: bits))
      case ("i", 4): return Double(Int32(truncatingIfNeeded: bits))
      case ("i", _): return Double(Int64(bitPattern: bits))
      default: return Double(bits)
      }
    }
  }
}
