import CLibrary

/// Keeps a second recorder out of a folder. It goes with the process, however that ends.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  init(_ folder: String) throws(RecordingError) {
    let path = folder + "/" + RecordingFolder.lock
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path, "open") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      throw code == EWOULDBLOCK ? .locked(path: folder) : .system(path, "lock", code)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
