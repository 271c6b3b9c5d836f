#if !hasFeature(Embedded)
  /// What the system says of files.
  package enum SystemFile {
    /// The kind of what is at `path`, such as `S_IFDIR`; nil where there is nothing. Of a symbolic link it is
    /// that of what the link leads to, unless links are not followed.
    package static func kind(of path: String, followingLinks: Bool = true) -> mode_t? {
      var status = stat()
      guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
      return status.st_mode & S_IFMT
    }

    /// Whether `path` leads to what a process has open, such as /dev/stdout: to be written on, whatever it
    /// is, and not to be replaced by another file.
    package static func isOpened(_ path: String) -> Bool {
      var path = path
      // As many links as the system follows.
      for _ in 0..<40 {
        let slash = path.lastIndex(of: "/")
        if let folder = realpath(slash.map { String(path[...$0]) } ?? ".", nil) {
          defer { free(folder) }
          let name = String(cString: folder)
          if name.hasPrefix("/proc/"), name.hasSuffix("/fd") { return true }
        }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(path, &target, target.count - 1) > 0 else { return false }
        let next = SystemError.string(target)
        path = next.hasPrefix("/") ? next : (slash.map { String(path[...$0]) } ?? "") + next
      }
      return false
    }

    /// How `open` makes a file of the name `path` that is to hold nothing else, or goes on with one that a
    /// process has open, as a shell that redirects it says.
    package static func flagsToWrite(_ path: String) -> Int32 {
      O_WRONLY | O_CREAT | O_CLOEXEC | (isOpened(path) ? O_APPEND : O_TRUNC)
    }

    /// The bytes of the file at `path`, or the first `limit`; nil where it cannot be read, and `errno` says
    /// why.
    package static func bytes(of path: String, atMost limit: Int = .max) -> [UInt8]? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return bytes(of: descriptor, atMost: limit)
    }

    /// The same of what is open, from where it stands. What a file claims of its length is not reserved
    /// before it is there.
    package static func bytes(of descriptor: Int32, atMost limit: Int = .max) -> [UInt8]? {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
      while bytes.count < limit {
        let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        bytes += chunk[..<count]
      }
      return bytes
    }
  }
#endif
