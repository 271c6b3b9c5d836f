import CLibrary
import Navigation

/// Changes of what the fixes say, from the first to the last of them.
extension StressDrive {
  mutating func thinFixes(_ random: inout StressRandom) -> String {
    let spacing = fixRate > 0 ? 1 / fixRate : 1
    let choices = [1.0, 2, 3, 4, 5].filter { $0 > 1.4 * spacing }
    let interval = choices.isEmpty ? 2 * spacing : choices[random.integer(0...choices.count - 1)]
    guard let first = fixes.first?.time else { return "no fix" }
    var lastCell = -Double.infinity
    fixes = fixes.filter { fix in
      // A microsecond of slack, so that a fix on the second is not lost to rounding.
      let cell = ((fix.time.seconds(since: first) + 1e-6) / interval).rounded(.down)
      defer { lastCell = max(lastCell, cell) }
      return cell > lastCell
    }
    return "every \(rounded(interval)) s"
  }

  mutating func addNoise(_ random: inout StressRandom) -> String {
    let kind = random.integer(0...2)
    let white = kind != 1 ? random.logUniform(0.5, 5) : 0
    let correlated = kind != 0 ? random.logUniform(0.5, 5) : 0
    let time = random.logUniform(5, 60)
    let isStated = random.chance(0.5)
    addError(&random, white: white, correlated: correlated, over: time, isStated: isStated)
    return "white \(rounded(white)) m, lasting \(rounded(correlated)) m over \(rounded(time)) s, "
      + (isStated ? "stated" : "not stated")
  }

  mutating func addLastingError(_ random: inout StressRandom) -> String {
    let sigma = random.uniform(3, 5)
    let time = random.uniform(60, 200)
    addError(&random, white: 0, correlated: sigma, over: time, isStated: false)
    return "\(rounded(sigma)) m over \(rounded(time)) s"
  }

  mutating func addVelocityNoise(_ random: inout StressRandom) -> String {
    let sigma = random.logUniform(0.1, 1)
    let isStated = random.chance(0.5)
    for i in fixes.indices {
      guard let velocity = fixes[i].velocityNED else { continue }
      fixes[i].velocityNED = velocity + sigma * random.normals()
      guard isStated else { continue }
      fixes[i].speedSigma = hypot(fixes[i].speedSigma ?? 0, sigma)
      let course = sigma / max(velocity.horizontalNorm, 1e-3)
      fixes[i].courseSigma = min(.pi, hypot(fixes[i].courseSigma ?? 0, course))
    }
    return "\(rounded(sigma)) m/s, \(isStated ? "stated" : "not stated")"
  }

  mutating func removeAccuracy() {
    for i in fixes.indices {
      fixes[i].positionSigma = nil
      fixes[i].speedSigma = nil
      fixes[i].courseSigma = nil
    }
  }

  mutating func removeVelocity() {
    for i in fixes.indices { fixes[i].removeVelocity() }
  }

  mutating func delayFixes(_ random: inout StressRandom) -> String {
    let delay = random.logUniform(0.1, 1.5)
    let jitter = random.chance(0.5) ? random.uniform(0, 0.2) : 0
    let lag = random.chance(0.3) ? random.uniform(0.05, 0.3) : 0
    var last = Timestamp(nanoseconds: .min)
    for i in fixes.indices {
      let delayed = fixes[i].arrival.advanced(bySeconds: delay * (1 + jitter * random.uniform(-1, 1)))
      fixes[i].time = fixes[i].time.advanced(bySeconds: lag)
      last = max(last, delayed, fixes[i].time)
      fixes[i].received = last
    }
    return "\(rounded(delay)) s" + (lag > 0 ? ", stamped \(rounded(lag)) s too late" : "")
  }

  private mutating func addError(
    _ random: inout StressRandom, white: Double, correlated: Double, over time: Double, isStated: Bool
  ) {
    // Heights of a receiver are about half as bad again.
    let shape = Vector3(1, 1, 1.5)
    var lasting: (time: Timestamp, error: Vector3)?
    for i in fixes.indices {
      let fresh = random.normals()
      let last = lasting ?? (fixes[i].time, correlated * random.normals())
      let decay = exp(-max(0, fixes[i].time.seconds(since: last.time)) / time)
      let error = decay * last.error + correlated * (1 - decay * decay).squareRoot() * random.normals()
      lasting = (fixes[i].time, error)
      fixes[i].position = fixes[i].position.displaced(byNED: shape.scaled(by: error + white * fresh))
      guard isStated, let sigma = fixes[i].positionSigma else { continue }
      let added = hypot(white, correlated)
      fixes[i].positionSigma = Vector3(
        hypot(sigma.x, added), hypot(sigma.y, added), hypot(sigma.z, shape.z * added))
    }
  }
}

extension GNSSFix {
  mutating func removeVelocity() {
    velocityNED = nil
    speedSigma = nil
    courseSigma = nil
  }
}
