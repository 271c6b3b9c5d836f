import Navigation

/// A stretch of time of a drive.
struct StressSpan: Sendable {
  var start: Timestamp
  var length: Double

  func contains(_ time: Timestamp) -> Bool { time >= start && time.seconds(since: start) < length }
}

extension StressDrive {
  /// Stretches that come again and again: the first after `first` seconds, each next one `every` so many from
  /// start to start, for as long as `length` says.
  func spans(
    _ random: inout StressRandom, every: (Double, Double), first: (Double, Double),
    length: (inout StressRandom) -> Double
  ) -> [StressSpan] {
    let (start, end) = span
    var spans: [StressSpan] = []
    var offset = random.uniform(first.0, first.1)
    while case let time = start.advanced(bySeconds: offset), time < end {
      let span = StressSpan(start: time, length: length(&random))
      spans.append(span)
      offset += max(random.uniform(every.0, every.1), span.length + 5)
    }
    return spans
  }
}

/// A number with one decimal below ten and none above, for the parameters of a change.
func rounded(_ value: Double) -> String { TextTable.cell(value, digits: abs(value) < 10 ? 2 : 0) }
