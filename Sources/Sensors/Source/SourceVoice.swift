import Navigation
import SensorEvents

/// What a source says, in order whichever of its threads says it; a state is said when it changes.
final class SourceVoice: Sendable {
  private let id: SourceID
  private let sink: EventSink
  private let state = Guarded(State())

  private struct State {
    var announcer = StatusAnnouncer()
    var isClosed = false
  }

  init(id: SourceID, sink: @escaping EventSink) {
    self.id = id
    self.sink = sink
  }

  /// Says `content`, in hand at `arrival`.
  func say(_ content: SensorEvent.Content, arrival: Timestamp = HostClock.now()) {
    state.withLock { state in
      if !state.isClosed { sink(SensorEvent(source: id, arrival: arrival, content: content)) }
    }
  }

  /// Says the state, unless it was the last that was said.
  func say(_ newState: SourceStatus.State, _ message: String = "") {
    state.withLock { state in
      guard !state.isClosed, let status = state.announcer.change(to: SourceStatus(newState, message)) else {
        return
      }
      sink(SensorEvent(source: id, arrival: HostClock.now(), content: .status(status)))
    }
  }

  /// Says nothing more from now on.
  func close() { state.withLock { $0.isClosed = true } }
}
