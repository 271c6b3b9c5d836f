#if !hasFeature(Embedded)
  /// The file that a socket was bound to: by its number too, because another program may have made one of
  /// the same name since.
  package struct SocketFile: Sendable {
    private let path: String
    private let device: dev_t
    private let number: ino_t

    /// The file at `path` as it is now; nil where there is none.
    package init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.path = path
      (device, number) = (status.st_dev, status.st_ino)
    }

    /// Removes it, unless its name is another's by now. To be called while the socket is open: its number is
    /// not given to another until then.
    package func remove() {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == number else { return }
      unlink(path)
    }
  }
#endif
