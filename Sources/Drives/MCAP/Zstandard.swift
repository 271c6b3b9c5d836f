import CLibrary

/// Unpacks Zstandard by the system's own library, looked for when the first packed chunk is there.
///
/// Debian has it on every computer, since dpkg needs it; so nothing is linked, nothing is needed to build,
/// and the service, which never reads such a file, does not load it.
enum Zstandard {
  enum Failure: Error {
    /// The library is not there.
    case notInstalled
    /// The bytes are damaged, or hold more than was said.
    case damaged
  }

  // Both as zstd.h has them since 1.0, of its stable part.
  private typealias Decompress =
    @convention(c) (UnsafeMutableRawPointer, Int, UnsafeRawPointer, Int) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32

  private struct Library {
    let decompress: Decompress
    let isError: IsError

    init?(_ name: String) {
      guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL), let unpack = dlsym(handle, "ZSTD_decompress"),
        let judge = dlsym(handle, "ZSTD_isError")
      else { return nil }
      decompress = unsafeBitCast(unpack, to: Decompress.self)
      isError = unsafeBitCast(judge, to: IsError.self)
    }
  }

  private static let library = Library("libzstd.so.1")

  /// What the frames in `bytes` hold, `size` bytes at most.
  static func frames(_ bytes: ArraySlice<UInt8>, size: Int) throws(Failure) -> [UInt8] {
    guard let library else { throw .notInstalled }
    let out = [UInt8](unsafeUninitializedCapacity: max(1, size)) { out, count in
      let written = bytes.withUnsafeBytes { packed -> Int? in
        guard let base = out.baseAddress, let start = packed.baseAddress else { return nil }
        let written = library.decompress(base, size, start, packed.count)
        return library.isError(written) == 0 && written <= size ? written : nil
      }
      count = written ?? 0
    }
    guard out.count == size else { throw .damaged }
    return out
  }
}
