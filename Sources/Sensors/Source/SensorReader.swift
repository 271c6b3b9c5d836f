import SensorEvents

/// A source that one thread reads: a barometer, or the car's own speed.
public final class SensorReader: SensorSource {
  private let voice: SourceVoice
  private let thread: ReaderThread
  private let body: @Sendable (SourceVoice, StopSignal) -> Void

  /// A source that hands over to `sink`, once it is started, what `body` says until it is told to stop.
  init(
    id: SourceID, name: String, sink: @escaping EventSink,
    body: @escaping @Sendable (SourceVoice, StopSignal) -> Void
  ) throws(SourceError) {
    voice = SourceVoice(id: id, sink: sink)
    thread = try ReaderThread(name: name)
    self.body = body
  }

  /// Starts reading; a second call changes nothing. If the system has no thread to give, the status says so.
  public func start() {
    do throws(SourceError) {
      try thread.start { [body, voice] stop in body(voice, stop) }
    } catch {
      voice.say(.failed, error.description)
    }
  }

  /// Stops reading and waits for the thread, no longer than so many seconds; whether it has ended.
  @discardableResult
  public func stop(within seconds: Double = 1) -> Bool {
    voice.close()
    return thread.stop(within: seconds)
  }
}
