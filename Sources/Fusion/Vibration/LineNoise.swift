// Body and wheels' suspension hum at frequencies of their own, whatever the speed: there noise is larger than
// beside, along several axes at once, and what it makes looks like a line as long as the speed stays.
import CLibrary

/// Mean p of noise, by axis and frequency.
package struct LineNoise: Sendable {
  /// Their centres lie from 1 Hz up, the last at 82 Hz. [chosen: the fourth line at 34 m/s]
  private static let bins = 64
  /// Logarithm of the ratio of one centre to the next. [chosen: the first line is 5 % wide, hums are wider]
  private static let width = 0.07
  /// A mean is that of its last so many readings of four hypotheses; at first it is 1, as if seen as often
  /// as the second number says. With 100, 200, 400 the P50 after outages of 30 s is 1.35, 1.36, 1.35 m, with
  /// 8, 20 it is 1.36, 1.39 m. [measured on six drives of boulder and ontario, geometric mean]
  private static let memory: (longest: Float, start: Float) = (200, 8)
  /// Least mean. [chosen]
  private static let least: Float = 0.05

  private var means = InlineArray<384, Float>(repeating: 1)
  private var counts = InlineArray<384, Float>(repeating: Self.memory.start)

  package init() {}

  /// Where a frequency of 1 Hz or more lies among the bins, bins from the first.
  package static func place(hertz: Double) -> Float { Float(log(max(hertz, 1)) / width) }

  /// Between the bins. Nothing changes; but what is not `mutating` is copied before it is indexed.
  @inline(__always) package mutating func mean(axis: Int, at place: Float) -> Float {
    let place = min(place, Float(Self.bins) - 1.001)
    let bin = Int(place)
    let part = place - Float(bin)
    let i = axis * Self.bins + bin
    return max(Self.least, means[i] * (1 - part) + means[i + 1] * part)
  }

  @inline(__always) package mutating func learn(_ mean: Float, axis: Int, at place: Float) {
    let i = axis * Self.bins + min(Int(place + 0.5), Self.bins - 1)
    counts[i] = min(counts[i] + 1, Self.memory.longest)
    means[i] += (mean - means[i]) / counts[i]
  }
}
