#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The pages of the program's code and of its libraries'.
enum CodePages {
  /// When something is over that is not done again, in seconds: the start, and then learning the heading, with the first save of it.
  static let settled = [10.0, 90.0]

  /// Lets go of all of them. Those that are needed come back as they are used, out of the system's cache, 64 KB at a time; those that
  /// only the start needed, about 7 MB, are no longer this process's. Memory that is locked stays.
  static func release() {
    #if os(Linux)
      guard let maps = fopen("/proc/self/maps", "re") else { return }
      defer { fclose(maps) }
      var line: UnsafeMutablePointer<CChar>?
      var size = 0
      defer { free(line) }
      while getline(&line, &size, maps) > 0, let text = line {
        let words = String(cString: text).split(whereSeparator: \.isWhitespace)
        // Of a file, and not for writing: what is there again is what was there.
        guard words.count >= 6, words[1] == "r-xp", words[5].hasPrefix("/") else { continue }
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { continue }
        madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
