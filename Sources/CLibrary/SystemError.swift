#if !hasFeature(Embedded)
  /// The system's words for its error numbers.
  package enum SystemError {
    /// The text of `number`, by default the calling thread's `errno`.
    package static func text(_ number: Int32 = errno) -> String {
      // Not strerror, which shares a buffer among threads.
      var text = [CChar](repeating: 0, count: 256)
      guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
      return string(text)
    }

    /// The text in `characters` up to the NUL.
    package static func string(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
