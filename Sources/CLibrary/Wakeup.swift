#if !hasFeature(Embedded)
  /// Wakes a thread that waits in `poll`: a pipe.
  package final class Wakeup: Sendable {
    /// To be polled for reading.
    package let descriptor: Int32
    private let end: Int32

    /// Nil where descriptors have run out; `errno` says so.
    package init?() {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { return nil }
      ends.forEach(SystemDescriptor.prepare)
      (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
      close(descriptor)
      close(end)
    }

    /// Wakes, from any thread. A pipe that is full wakes all the same.
    package func wake() {
      var byte: UInt8 = 1
      _ = write(end, &byte, 1)
    }

    /// Waits to be woken, or so long; -1 is for ever.
    package func wait(milliseconds: Int32 = -1) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, milliseconds)
      clear()
    }

    /// Takes what has woken.
    package func clear() {
      var buffer = [UInt8](repeating: 0, count: 64)
      while read(descriptor, &buffer, buffer.count) == buffer.count {}
    }
  }
#endif
