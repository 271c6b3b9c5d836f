import Navigation

/// Fixes that are missing for a while, or wrong and sure of it.
extension StressDrive {
  mutating func cutFixes(_ random: inout StressRandom) -> String {
    let outages = spans(&random, every: (40, 150), first: (20, 100)) { $0.uniform(10, 60) }
    fixes.removeAll { fix in outages.contains { $0.contains(fix.time) } }
    return outages.map { "\(rounded($0.start.seconds)) s +\(rounded($0.length))" }.joined(separator: ", ")
  }

  mutating func addBursts(_ random: inout StressRandom) -> String {
    var parts: [String] = []
    for _ in 0..<random.integer(1...3) { parts.append(addBurst(&random)) }
    return parts.joined(separator: "; ")
  }

  mutating func moveFirstFix(_ random: inout StressRandom) -> String {
    let offset = random.horizontal(length: random.uniform(50, 500))
    let isFirst = random.chance(0.5)
    let cut = StressSpan(
      start: span.first.advanced(bySeconds: random.uniform(15, max(15, duration - 30))),
      length: random.uniform(10, 20))
    if !isFirst { fixes.removeAll { cut.contains($0.time) } }
    guard let i = isFirst ? fixes.indices.first : fixes.firstIndex(where: { $0.time >= cut.start }) else {
      return "no fix after the cut"
    }
    fixes[i].position = fixes[i].position.displaced(byNED: offset)
    return "\(rounded(offset.norm)) m off at \(rounded(fixes[i].time.seconds)) s"
      + (isFirst ? "" : " after \(rounded(cut.length)) s without")
  }

  private mutating func addBurst(_ random: inout StressRandom) -> String {
    let burst = StressSpan(
      start: span.first.advanced(bySeconds: random.uniform(min(20, duration / 3), max(20, duration - 15))),
      length: random.uniform(3, 30))
    let offset = random.horizontal(length: random.uniform(15, 120))
    let drifts = random.chance(0.5)
    let velocity = random.integer(0...2)
    for i in fixes.indices where burst.contains(fixes[i].time) {
      let part = drifts ? fixes[i].time.seconds(since: burst.start) / burst.length : 1
      fixes[i].position = fixes[i].position.displaced(byNED: part * offset)
      if velocity == 1 { fixes[i].removeVelocity() }
      if velocity == 2, drifts, let stated = fixes[i].velocityNED {
        fixes[i].velocityNED = stated + offset / burst.length
      }
    }
    let kinds = ["kept", "removed", drifts ? "consistent" : "kept"]
    return "\(rounded(burst.start.seconds)) s +\(rounded(burst.length)), \(rounded(offset.norm)) m "
      + (drifts ? "drifting" : "at once") + ", velocity " + kinds[velocity]
  }
}
