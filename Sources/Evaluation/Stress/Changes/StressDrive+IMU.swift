import Navigation

/// Changes of the IMU. Each says its parameters.
extension StressDrive {
  mutating func turnIMU(_ random: inout StressRandom) -> String {
    let turn: Quaternion
    if random.chance(0.5) {
      // Four normal numbers of unit length are uniform over all rotations (Shoemake, 1992).
      let w = random.normal()
      let v = random.normals()
      turn = Quaternion(w: w, x: v.x, y: v.y, z: v.z).normalized
    } else {
      let axis = random.normals()
      let angle = Angle.radians(degrees: random.uniform(2, 30))
      turn = Quaternion(rotationVector: angle / axis.norm * axis)
    }
    let rotation = turn.matrix
    for i in inertial.indices {
      inertial[i].angularRate = rotation * inertial[i].angularRate
      inertial[i].specificForce = rotation * inertial[i].specificForce
    }
    return "by \(rounded(Angle.degrees(radians: turn.rotationVector.norm)))°"
  }

  mutating func biasIMU(_ random: inout StressRandom) -> String {
    let sigma = random.chance(0.25) ? 3.0 : 0.5
    let gyro = sigma * random.normals()
    let accel = 0.2 * random.normals()
    for i in inertial.indices {
      inertial[i].angularRate += Angle.radians(degrees: 1) * gyro
      inertial[i].specificForce += accel
    }
    return "\(rounded(gyro.norm)) °/s, \(rounded(accel.norm)) m/s²"
  }

  mutating func slowIMU(_ random: inout StressRandom) -> String {
    let count = random.integer(2...max(2, Int(inertialRate / 10)))
    let averages = random.chance(0.5)
    guard averages else {
      inertial = stride(from: 0, to: inertial.count, by: count).map { inertial[$0] }
      return "1 of \(count) samples"
    }
    var slow: [InertialSample] = []
    for start in stride(from: 0, through: inertial.count - count, by: count) {
      // A gap is not averaged over.
      let group = inertial[start..<start + count]
      guard inertial[start + count - 1].time.seconds(since: inertial[start].time) < 0.25 else { continue }
      slow.append(Self.mean(group))
    }
    inertial = slow
    return "means of \(count)"
  }

  mutating func smoothIMU(_ random: inout StressRandom) -> String {
    // No longer than 0.2 s: what is smoothed more is no car's movement any more.
    let longest = max(3, min(15, Int(0.2 * inertialRate)))
    let half = random.integer(3...longest) / 2
    var smooth = inertial
    for i in inertial.indices where i >= half && i + half < inertial.count {
      let window = inertial[i - half...i + half]
      guard inertial[i + half].time.seconds(since: inertial[i - half].time) < 0.5 else { continue }
      smooth[i] = Self.mean(window)
      smooth[i].time = inertial[i].time
    }
    inertial = smooth
    return "over \(2 * half + 1) samples"
  }

  mutating func shakeIMU(_ random: inout StressRandom) -> String {
    let gyro = random.logUniform(0.05, 1)
    let accel = random.logUniform(0.05, 1)
    for i in inertial.indices {
      inertial[i].angularRate += Angle.radians(degrees: gyro) * random.normals()
      inertial[i].specificForce += accel * random.normals()
    }
    return "\(rounded(gyro)) °/s, \(rounded(accel)) m/s²"
  }

  mutating func interruptIMU(_ random: inout StressRandom) -> String {
    let gaps = spans(&random, every: (20, 90), first: (5, 60)) { random in
      random.chance(0.2) ? random.uniform(1.5, 5) : random.uniform(0.3, 1.5)
    }
    inertial.removeAll { sample in gaps.contains { $0.contains(sample.time) } }
    return "\(gaps.count)"
  }

  /// Turns the IMU in the car, at a time in the middle third of the drive and within a second: its gyroscope
  /// measures that it is turned, and keeps its bias.
  mutating func knockIMU(_ random: inout StressRandom) -> String {
    let from = middle(&random)
    let direction = random.normals()
    let (angle, lasts) = (random.uniform(5, 90), random.uniform(0.2, 1))
    let turn = Angle.radians(degrees: angle) / direction.norm * direction
    let bias = medianRate
    for i in inertial.indices where inertial[i].time >= from {
      let done = min(1, inertial[i].time.seconds(since: from) / lasts)
      let rotation = Quaternion(rotationVector: turn * done).matrix
      // What is at rest turns the other way in the axes of what is turned.
      let own = done < 1 ? turn / -lasts : .zero
      inertial[i].angularRate = rotation * (inertial[i].angularRate - bias) + bias + own
      inertial[i].specificForce = rotation * inertial[i].specificForce
    }
    return "by \(rounded(angle))° at \(rounded(from.seconds)) s"
  }

  /// The gyroscope's bias, nearly: a car stands or goes straight for most of the time.
  private var medianRate: Vector3 {
    func median(_ axis: Int) -> Double {
      let rates = inertial.map { $0.angularRate[axis] }.sorted()
      return rates.isEmpty ? 0 : rates[rates.count / 2]
    }
    return Vector3(median(0), median(1), median(2))
  }

  /// Breaks a part of the IMU, from a time in the middle third of the drive on.
  mutating func breakIMU(_ random: inout StressRandom) -> String {
    let from = middle(&random)
    let fault = random.integer(0...5)
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    let mean = inertial.reduce(Vector3.zero) { $0 + $1.specificForce }
    let vertical = axes.max { abs($0.dot(mean)) < abs($1.dot(mean)) } ?? axes[2]
    let level = axes.first { $0 != vertical } ?? axes[0]
    for i in inertial.indices where inertial[i].time >= from {
      switch fault {
      case 0: inertial[i].angularRate = .zero
      case 1: inertial[i].angularRate -= vertical * vertical.dot(inertial[i].angularRate)
      case 2: inertial[i].angularRate = -inertial[i].angularRate
      case 3: inertial[i].angularRate *= 10
      case 4: inertial[i].specificForce += level
      default: inertial[i].specificForce += 5 * random.normals()
      }
    }
    let part = [
      "gyroscope dead", "the gyroscope's vertical axis dead", "gyroscope's sign turned", "gyroscope times 10",
      "1 m/s² on a level axis", "5 m/s² of noise on the accelerometer",
    ][fault]
    return "\(part) at \(rounded(from.seconds)) s"
  }

  /// A time in the middle third of the drive.
  private func middle(_ random: inout StressRandom) -> Timestamp {
    span.first.advanced(bySeconds: duration * random.uniform(1.0 / 3, 2.0 / 3))
  }

  /// Mean of samples, at the mean of their times.
  private static func mean(_ group: ArraySlice<InertialSample>) -> InertialSample {
    let first = group[group.startIndex].time
    var (rate, force, offset) = (Vector3.zero, Vector3.zero, 0.0)
    for sample in group {
      rate += sample.angularRate
      force += sample.specificForce
      offset += sample.time.seconds(since: first)
    }
    let count = Double(group.count)
    return InertialSample(
      time: first.advanced(bySeconds: offset / count), angularRate: rate / count, specificForce: force / count
    )
  }
}
