import CLibrary

/// Mixes words into one; not against forgery.
struct WordHash {
  private(set) var value: UInt64

  init(seed: UInt64) { value = seed }

  mutating func add(_ word: UInt64) {
    // FNV-1a by words (Fowler, Noll, Vo), and a rotation so that high bits come down too.
    value = (value ^ word) &* 0x0000_0100_0000_01B3
    value = value << 29 | value >> 35
  }
}

/// Which program this is: a number made of all bytes of the file that holds its code.
enum ProgramIdentity {
  /// Nil where the file cannot be read. Found out once, in some tens of milliseconds.
  static let value: UInt64? = {
    guard let path = codePath else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
    let size = Int(status.st_size)
    guard let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), bytes != MAP_FAILED else {
      return nil
    }
    defer { munmap(bytes, size) }
    var hash = WordHash(seed: UInt64(size))
    let words = bytes.assumingMemoryBound(to: UInt64.self)
    for i in 0..<size / 8 { hash.add(words[i]) }
    return hash.value
  }()

  /// The file that this code was loaded from: the program's own, or a library's.
  private static var codePath: String? {
    guard let maps = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(maps) }
    let here = UInt(bitPattern: #dsohandle)
    var line = [CChar](repeating: 0, count: 4352)
    // "5581e2a00000-5581e2a9f000 r--p 00000000 fe:00 1234  /path"
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let range = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard range.count == 2, range[0] <= here, here < range[1], words.count == 6 else { continue }
      return words[5].drop { $0 == " " }.hasPrefix("/") ? String(words[5].drop { $0 == " " }) : nil
    }
    return nil
  }
}
