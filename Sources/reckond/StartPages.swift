#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The pages of the program and its libraries that are in memory. Starting touches some 8 MB of code that serving never
/// needs: it stays where it is on the disk, and what is needed again comes back by itself.
enum StartPages {
  /// Lets them go. Nothing happens where they are locked, as for real time.
  static func release() {
    #if os(Linux)
      guard let file = fopen("/proc/self/maps", "re") else { return }
      defer { fclose(file) }
      var line: UnsafeMutablePointer<CChar>?
      var room = 0
      defer { free(line) }
      while getline(&line, &room, file) > 0, let line {
        // "7f0a1000-7f0a9000 r-xp 00001000 fd:01 1234 /usr/bin/reckon": code that nobody has written to.
        let words = String(cString: line).split { $0 == " " || $0 == "\n" }
        let ends = words.first?.split(separator: "-").compactMap { UInt(String($0), radix: 16) } ?? []
        guard words.count >= 6, words[1] == "r-xp", words[5].hasPrefix("/"), ends.count == 2 else { continue }
        madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
