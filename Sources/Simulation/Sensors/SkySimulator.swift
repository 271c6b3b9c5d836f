// Circular orbits. Radii, inclinations and planes: GPS 26 560 km, 55°, 6 planes (IS-GPS-200,
// almanac reference); Galileo 29 600 km, 56°, Walker 24/3/1 (OS SIS ICD); GLONASS 25 510 km,
// 64.8°, 3 planes of 8 (ICD, edition 5.1). Where in its orbit a satellite stands is the seed's, as
// the date of a drive is no one's.
import CLibrary
import Drives
import Navigation

/// The satellites that a receiver hears along a drive: where they stand, what houses leave of them,
/// and how strong they are.
///
/// They follow the fixes and not the other way about, so that no other sample depends on them: where the
/// fixes state more, all are weaker, by 8 dB a doubling; where there is none, none is used; where there is
/// one of its own under the sky, four at least are.
struct SkySimulator {
  private struct Orbit {
    var constellation: UInt8
    var number: Int16
    /// Metres, and radians: inclination, ascending node and argument of latitude at the start, in axes
    /// that turn with the Earth.
    var radius: Double, inclination: Double, node: Double, argument: Double
    /// What its signal is stronger by than others', dB [chosen: blocks of satellites differ by 3 dB].
    var power: Double
    var fading: GaussMarkov
  }

  /// The sky above the houses: degrees that they hide along the road and across it
  /// [chosen: four to six floors by a street of 20 m hide 45°, towers 65°], and how much what still comes
  /// is disturbed, dB [chosen].
  private struct Surroundings {
    var along: Double, across: Double, fading: Double
  }

  /// Seconds between two skies.
  static let step = 2.0
  /// Behind a house it is a reflection that comes, weaker by this, dB [published: 5 to 20].
  private static let reflectionLoss = 13.0
  /// What a receiver keeps track of, and what it takes for a fix, dB-Hz [chosen].
  private static let heard = 16.0, usable = 26.0
  /// dB a doubling of the stated accuracy, and the accuracy under open sky, m.
  private static let lossPerDoubling = 8.0, openSigma = 1.5

  private var track: TruthTrack
  private var orbits: [Orbit] = []
  private var random: RandomSource

  init(track: TruthTrack, seed: UInt64) {
    self.track = track
    random = RandomSource(seed: seed, stream: "sky")
    let turn = random.uniform(in: 0...2 * .pi)
    for (constellation, planes, slots, radius, inclination) in [
      (0, 6, 5, 26_560e3, 55.0), (2, 3, 8, 29_600e3, 56), (6, 3, 8, 25_510e3, 64.8),
    ] {
      let start = random.uniform(in: 0...2 * .pi)
      for i in 0..<planes * slots {
        let (plane, slot) = (Double(i / slots), Double(i % slots))
        let argument = 2 * .pi * (slot / Double(slots) + plane / Double(planes * slots)) + start
        orbits.append(
          Orbit(
            constellation: UInt8(constellation), number: Int16(i + 1), radius: radius,
            inclination: inclination * .pi / 180, node: 2 * .pi * plane / Double(planes) + turn,
            argument: argument, power: random.normal(), fading: GaussMarkov(&random)))
      }
    }
  }

  /// The sky along the drive, beside the fixes that were made of it, in order of their times.
  mutating func run(beside fixes: [GNSSFix], rate: Double) -> [SatelliteSample] {
    var next = 0
    return Simulator.times(rate: 1 / Self.step, duration: track.duration).flatMap { time in
      while next < fixes.count, fixes[next].time.advanced(bySeconds: 0.5 / rate) < time { next += 1 }
      let isNear = next < fixes.count && abs(fixes[next].time.seconds(since: time)) <= 0.5 / rate
      return seen(at: time, fix: isNear ? fixes[next] : nil)
    }
  }

  private mutating func seen(at time: Timestamp, fix: GNSSFix?) -> [SatelliteSample] {
    let state = track.state(at: time)
    let hasSky = ReceptionModel.usual(in: state.environment).hasSignal
    let surroundings = Self.surroundings(state.environment)
    let course = state.navFromVehicle * Vector3(1, 0, 0)
    let street = atan2(course.y, course.x)
    let stated = fix?.positionSigma?.x ?? ReceptionModel.usual(in: state.environment).statedSigma
    let loss = Self.lossPerDoubling * max(0, log2(stated / Self.openSigma))
    var samples: [SatelliteSample] = []
    for i in orbits.indices {
      orbits[i].fading.advance(by: Self.step, correlation: 8, &random)
      guard hasSky,
        let (elevation, azimuth) = Self.direction(orbits[i], from: state.position, at: time.seconds)
      else { continue }
      let side = abs(sin(azimuth - street))
      let mask = surroundings.along + (surroundings.across - surroundings.along) * side
      // 33 dB-Hz at the horizon and 47 overhead under open sky [published: what antennas of cars give].
      var strength = 33 + 14 * sin(elevation).squareRoot() + orbits[i].power - loss
      strength += surroundings.fading * orbits[i].fading.value
      if elevation * 180 / .pi < mask { strength -= Self.reflectionLoss }
      guard strength >= Self.heard else { continue }
      var sample = SatelliteSample(
        time: time, constellation: orbits[i].constellation, number: orbits[i].number)
      sample.elevationDegrees = elevation * 180 / .pi
      sample.azimuthDegrees = Angle.positive(azimuth) * 180 / .pi
      sample.strength = strength
      sample.isUsed = false
      samples.append(sample)
    }
    use(&samples, hasFix: fix != nil)
    return samples
  }

  /// A fix takes what is strong, and four at least.
  private func use(_ samples: inout [SatelliteSample], hasFix: Bool) {
    guard hasFix else { return }
    let strongest = samples.indices.sorted {
      (samples[$0].strength ?? 0, $1) > (samples[$1].strength ?? 0, $0)
    }
    for (rank, i) in strongest.enumerated() {
      samples[i].isUsed = rank < 4 || samples[i].strength ?? 0 >= Self.usable
    }
  }

  private static func surroundings(_ environment: RadioEnvironment) -> Surroundings {
    switch environment {
    case .open: Surroundings(along: 5, across: 5, fading: 1)
    case .suburban: Surroundings(along: 8, across: 20, fading: 2)
    case .urban: Surroundings(along: 15, across: 45, fading: 3)
    case .canyon, .tunnel, .garage: Surroundings(along: 20, across: 65, fading: 4)
    }
  }

  /// Elevation and azimuth, rad; nil below the horizon.
  private static func direction(
    _ orbit: Orbit, from here: GeodeticPosition, at seconds: Double
  ) -> (elevation: Double, azimuth: Double)? {
    let rate = (WGS84.gravitationalConstant / (orbit.radius * orbit.radius * orbit.radius)).squareRoot()
    let u = orbit.argument + rate * seconds
    let node = orbit.node - WGS84.earthRate * seconds
    let (x, y) = (cos(u), sin(u) * cos(orbit.inclination))
    let satellite =
      Vector3(x * cos(node) - y * sin(node), x * sin(node) + y * cos(node), sin(u) * sin(orbit.inclination))
      * orbit.radius
    // Of the Earth a sphere will do: it turns the sky by at most 0.2°.
    let (l, m) = (sincos(here.latitude), sincos(here.longitude))
    let up = Vector3(l.cosine * m.cosine, l.cosine * m.sine, l.sine)
    let sight = satellite - up * WGS84.semiMajorAxis
    let north = Vector3(-l.sine * m.cosine, -l.sine * m.sine, l.cosine)
    let east = Vector3(-m.sine, m.cosine, 0)
    let height = sight.dot(up) / sight.norm
    guard height > 0 else { return nil }
    return (asin(height), atan2(sight.dot(east), sight.dot(north)))
  }
}
