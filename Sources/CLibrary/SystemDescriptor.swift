#if !hasFeature(Embedded)
  /// The system's numbers of what is open.
  package enum SystemDescriptor {
    /// Keeps `descriptor` from programs that this process starts, and calls on it from waiting.
    package static func prepare(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
#endif
