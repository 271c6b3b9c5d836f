#if !hasFeature(Embedded)
  /// A thread of the system's: hand-over to tasks takes too long when the machine is busy.
  package enum PlainThread {
    private final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which nobody joins, with a stack of so many bytes or the usual one. 0, or
    /// the system's number for why there was no thread to be had.
    @discardableResult
    package static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Int32 {
      #if os(Linux)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let box = Unmanaged.passRetained(Body(body))
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      let code = pthread_create(
        &thread, &attributes,
        { argument in
          #if os(Linux)
            guard let argument else { return nil }
          #endif
          Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
      if code != 0 { box.release() }
      return code
    }
  }
#endif
