import Navigation

/// Changes of the start and of the wheel speed.
extension StressDrive {
  mutating func startLater(_ random: inout StressRandom) -> String {
    // Half of a short drive stays.
    let delay = random.uniform(10, min(150, duration / 2))
    let start = span.first.advanced(bySeconds: delay)
    inertial.removeAll { $0.time < start }
    wheel.removeAll { $0.time < start }
    fixes.removeAll { $0.arrival < start }
    return "\(rounded(delay)) s later"
  }

  mutating func removeWheel() {
    wheel = []
  }

  mutating func spoilWheel(_ random: inout StressRandom) -> String {
    let scale = random.uniform(0.9, 1.1)
    let delay = random.uniform(0, 0.3)
    // Less than half of the shortest spacing: the samples stay in order.
    let shortest = zip(wheel, wheel.dropFirst()).map { $1.time.seconds(since: $0.time) }.min() ?? 0
    let jitter = random.uniform(0, min(0.02, 0.4 * shortest))
    for i in wheel.indices {
      wheel[i].speed *= scale
      wheel[i].time = wheel[i].time.advanced(bySeconds: delay + jitter * random.uniform(-1, 1))
    }
    return "times \(rounded(scale)), \(rounded(delay)) s late, ±\(rounded(jitter)) s"
  }
}
