import Locks
import Navigation
import SensorEvents
import Sensors

/// What a source has posted so far.
final class EventLog: Sendable {
  private let events = Mutex<[SensorEvent]>([])

  /// The sink to hand to a source.
  var sink: EventSink { { [self] event in events.withLock { $0.append(event) } } }

  /// A copy of its own: where two share an array the reference count puts in order who reads and who writes,
  /// in the standard library, where ThreadSanitizer sees nothing.
  var all: [SensorEvent] { events.withLock { $0.map { $0 } } }

  var fixes: [FixReading] {
    all.compactMap {
      if case .fix(let reading) = $0.content, reading.dimensions != .none { reading } else { nil }
    }
  }

  var skies: [SkyReading] { all.compactMap { if case .sky(let sky) = $0.content { sky } else { nil } } }

  var clocks: [ClockComparison] {
    all.compactMap { if case .clocks(let clocks) = $0.content { clocks } else { nil } }
  }

  var statuses: [SourceStatus] {
    all.compactMap { if case .status(let status) = $0.content { status } else { nil } }
  }

  /// Whether a status of that state, with those words, was said at or after event `start`.
  func has(_ state: SourceStatus.State, _ words: String = "", from start: Int = 0) -> Bool {
    all.dropFirst(start).contains {
      if case .status(let status) = $0.content {
        status.state == state && status.message.contains(words)
      } else {
        false
      }
    }
  }
}
