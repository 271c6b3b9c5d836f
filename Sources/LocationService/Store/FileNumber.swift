import CLibrary

/// Which file a name leads to, whatever it is called meanwhile.
struct FileNumber: Sendable, Equatable {
  private let device: dev_t
  private let number: ino_t

  /// The file at `path`; nil where there is none.
  init?(_ path: String) {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    (device, number) = (file.st_dev, file.st_ino)
  }
}
