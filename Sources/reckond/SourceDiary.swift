import Live
import Navigation
import SensorEvents

/// Says in the log what becomes of the sources, each at most every ten seconds.
struct SourceDiary {
  private var said: [SourceID: (state: SourceStatus.State, time: Timestamp)] = [:]

  mutating func news(_ status: LiveStatus) -> [String] {
    status.sources.compactMap { source in
      if let last = said[source.id] {
        guard last.state != source.state, status.time.seconds(since: last.time) >= 10 else { return nil }
      } else if source.state == .connecting {
        return nil
      }
      said[source.id] = (source.state, status.time)
      return "\(source.name): \(source.state)" + (source.message.isEmpty ? "" : ": \(source.message)")
    }
  }
}
