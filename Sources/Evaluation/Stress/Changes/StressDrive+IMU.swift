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
