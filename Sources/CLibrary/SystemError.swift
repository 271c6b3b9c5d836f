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

    /// What to do about a refusal for `reason`, one of these texts, as the end of a sentence; nil where that
    /// is for whoever asked to know.
    package static func advice(on reason: String) -> String? {
      switch reason {
      case text(ENOSPC), text(EDQUOT): "make room there, or name a place on another disk"
      case text(EROFS): "name a place on a disk that may be written to"
      case text(EFBIG): "raise the limit of the size of files (ulimit -f)"
      case text(EISDIR): "name a file, and not a folder"
      default: nil
      }
    }

    /// The text in `characters` up to the NUL.
    package static func string(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
