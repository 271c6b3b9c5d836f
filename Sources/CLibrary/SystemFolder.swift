#if !hasFeature(Embedded)
  /// The folders of the system.
  package enum SystemFolder {
    /// Names of what is in the folder at `path`, in no order; nil where it cannot be listed, and `errno` says
    /// why.
    package static func entries(of path: String) -> [String]? {
      guard let folder = opendir(path) else { return nil }
      defer { closedir(folder) }
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
      }
      return names
    }
  }
#endif
