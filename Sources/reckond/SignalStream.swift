import Location
import Locks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals one after the other, as they come. A handler may do next to nothing: it writes the number into a pipe.
enum SignalStream {
  private static let end = Atomic<Int32>(-1)

  /// Takes these signals from now on; to be called once.
  static func taking(_ numbers: [Int32]) throws -> AsyncStream<Int32> {
    let (reading, writing) = try UnixSocket.pipe()
    // Stored before a signal can come: a handler may not make it.
    end.store(writing, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let before = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(SignalStream.end.load(ordering: .relaxed), &byte, 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    // Whoever started the service may have blocked them, and a blocked signal is inherited.
    var taken = sigset_t()
    sigemptyset(&taken)
    for number in numbers {
      sigaction(number, &action, nil)
      sigaddset(&taken, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    PlainThread.start {
      var buffer = [UInt8](repeating: 0, count: 16)
      var polled = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      while true {
        _ = poll(&polled, 1, -1)
        if case .moved(let count) = UnixSocket.read(reading, into: &buffer) {
          for number in buffer[..<count] { continuation.yield(Int32(number)) }
        }
      }
    }
    return stream
  }
}
