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
  }
#endif
