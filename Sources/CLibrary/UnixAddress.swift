#if !hasFeature(Embedded)
  extension sockaddr_un {
    /// The address of a Unix-domain socket at `path`; nil where it does not fit beside the NUL.
    package init?(path: String) {
      self.init()
      sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      let isStored = withUnsafeMutableBytes(of: &sun_path) { place in
        guard bytes.count < place.count else { return false }
        place.copyBytes(from: bytes)
        return true
      }
      guard isStored else { return nil }
    }

    /// Calls `body` with the address and its length, as the calls on sockets take it.
    package func withAddress<Result>(
      _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
      try withUnsafePointer(to: self) {
        try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }
#endif
