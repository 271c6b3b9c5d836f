import Navigation

/// Gives out samples in order of their own time, once none can come before them any more: what the live
/// engine does by going back to a snapshot, done by waiting.
struct SampleQueue: Sendable {
  struct Entry: Sendable {
    var sample: SensorSample
    /// When it arrived, or the sample that had to come before it could be used.
    var arrival: Timestamp
  }

  private let window: Double
  private var entries: [Entry] = []
  /// Index of the first entry that has not been taken out.
  private var first = 0
  private var leapGuard = LeapGuard()
  private var newest: Timestamp?

  init(window: Double) { self.window = window }

  enum Arrival: Sendable {
    case taken
    /// The clock went back: all entries have to be used, and then it begins with the sample.
    case beginsAnew
  }

  /// Takes a sample, in order of arrival.
  mutating func insert(_ sample: SensorSample, arrival: Timestamp) -> Arrival {
    let nothing = Timestamp(nanoseconds: .min)
    switch leapGuard.examine(sample, newest: newest, oldest: nothing, window: window) {
    case .take: break
    case .hold, .refuse: return .taken
    case .takeAfter(let held):
      if held.time < sample.time { place(held, arrival: arrival) }
    case .beginAnew: return .beginsAnew
    }
    place(sample, arrival: arrival)
    return .taken
  }

  /// Begins anew with a sample, once it is empty.
  mutating func begin(with sample: SensorSample, arrival: Timestamp) {
    newest = nil
    place(sample, arrival: arrival)
  }

  /// Puts a sample in its place.
  private mutating func place(_ sample: SensorSample, arrival: Timestamp) {
    var place = entries.count
    while place > first, sample.place < entries[place - 1].sample.place { place -= 1 }
    if place > first, entries[place - 1].sample.place == sample.place { return }
    entries.insert(Entry(sample: sample, arrival: arrival), at: place)
    newest = max(newest ?? sample.time, sample.time)
  }

  /// Sets the fixes that wait back by `change` seconds more, as `offset` has been.
  mutating func setBack(_ offset: FixTimeOffset, by change: Double) {
    guard change != 0 else { return }
    let waiting = entries[first...]
    entries.removeSubrange(first...)
    var fixes: [(fix: GNSSFix, arrival: Timestamp)] = []
    for entry in waiting {
      if case .gnss(let fix) = entry.sample {
        fixes.append((fix, entry.arrival))
      } else {
        entries.append(entry)
      }
    }
    for (fix, arrival) in fixes {
      if let sample = offset.setBack(fix, by: change) { place(sample, arrival: arrival) }
    }
  }

  /// Takes out the first sample, with the IMU's next one where it needs that: once nothing can come before it
  /// any more, or, at the end, at once.
  mutating func next(isEnd: Bool) -> (entry: Entry, following: InertialSample?)? {
    guard let newest, first < entries.count else { return nil }
    var entry = entries[first]
    guard isEnd || newest.seconds(since: entry.sample.time) > window else { return nil }
    first += 1
    defer {
      if first == entries.count || first >= 512 {
        entries.removeFirst(first)
        first = 0
      }
    }
    if case .inertial = entry.sample { return (entry, nil) }
    for later in entries[first...] {
      guard case .inertial(let following) = later.sample else { continue }
      entry.arrival = max(entry.arrival, later.arrival)
      return (entry, following)
    }
    return (entry, nil)
  }
}
