import Fusion
import JSON
import Live
import Location
import SensorEvents

/// What the live page shows beside the place: sky, sensors, fixes, what is learned and what is still needed.
public struct EngineDetails: Sendable {
  /// A fix as the receiver stated it.
  public struct Fix: Sendable, Equatable {
    /// When it came, since boot.
    public var time: Timestamp
    /// The place of the antenna.
    public var coordinate: Coordinate
    /// Radius in metres that holds it with 68 %, by the receiver; nil where it does not say.
    public var radius: Double?

    /// `fix`, which came at `time` since boot.
    public init(_ fix: GNSSFix, at time: Timestamp) {
      self.time = time
      coordinate = Coordinate(
        latitudeDegrees: fix.position.latitudeDegrees,
        longitudeDegrees: Angle.degrees(radians: Angle.wrapped(fix.position.longitude)))
      radius = fix.positionSigma.map { sigma in
        AccuracyRadius.radius68(
          .init(diagonal: .init(sigma.x * sigma.x, sigma.y * sigma.y, sigma.z * sigma.z)))
      }
    }
  }

  /// A sensor, or a file that stands for one.
  public struct Source: Sendable, Equatable {
    var name: String
    var role: String
    var state: String
    var message = ""
    var rate: Double?
    var received = 0, lost = 0, gaps = 0, refused = 0
    var isUsed = true
  }

  /// Whether an engine runs: none does while nobody needs one.
  public var isRunning = false
  /// Seconds since the newest fix came; nil before the first.
  public var fixAge: Double?
  /// The fixes since what was published before, oldest first.
  public var fixes: [Fix] = []
  var sources: [Source] = []
  var sky: SkyReading?
  var learned: [LearnedQuantity] = []
  var needs: [String] = []

  /// No engine.
  public init() {}

  /// What `status` says, and `fixes` since the one before.
  public init(_ status: LiveStatus, fixes: [Fix]) {
    isRunning = true
    fixAge = status.fixAge
    self.fixes = fixes
    let used = [status.inertialSource, status.fixSource, status.wheelSource]
    sources = status.sources.map { Source($0, isUsed: used.contains($0.id)) }
    sky = status.sky
    learned = status.calibration.map(LearnedQuantity.list) ?? []
    needs = status.needs.map(\.text)
  }

  /// What an engine that plays a drive says of itself.
  init(replay calibration: Calibration?, fixAge: Double?, fixes: [Fix]) {
    isRunning = true
    self.fixAge = fixAge
    self.fixes = fixes
    sources = [Source(name: "replay", role: "drive", state: "streaming")]
    learned = calibration.map(LearnedQuantity.list) ?? []
    needs = (calibration.map(Need.lacking) ?? [fixAge == nil ? .sky : .drive]).map(\.text)
  }
}

extension EngineDetails.Source {
  fileprivate init(_ source: SourceHealth, isUsed: Bool) {
    name = source.name
    role = source.role.map { "\($0)" } ?? ""
    state = source.state.name
    message = source.message
    rate = source.rate
    (received, lost, gaps, refused) = (source.received, source.lost, source.gaps, source.refusals.total)
    self.isUsed = isUsed
  }

  fileprivate var json: JSON {
    .members([
      "name": .string(name), "role": .string(role), "state": .string(state),
      "message": message.isEmpty ? nil : .string(message),
      "rate": rate.map { .rounded($0, 1) }, "received": .integer(Int64(received)),
      "lost": .integer(Int64(lost)), "gaps": .integer(Int64(gaps)), "refused": .integer(Int64(refused)),
      "isUsed": .bool(isUsed),
    ])
  }
}

extension EngineDetails {
  /// All but the fixes.
  var json: JSON {
    .members([
      "isRunning": .bool(isRunning), "fixAge": fixAge.map { .rounded($0, 1) },
      "sources": .array(sources.map(\.json)), "sky": sky?.json,
      "learned": .array(
        learned.map {
          .members([
            "name": .string($0.name), "value": .string($0.value), "uncertainty": .string($0.uncertainty),
          ])
        }),
      "needs": .array(needs.map { .string($0) }),
    ])
  }
}

extension SkyReading {
  /// More than there are in the sky nobody shows.
  private static let most = 100

  fileprivate var json: JSON {
    .members([
      "used": .integer(Int64(used)), "visible": .integer(Int64(visible)),
      "hdop": hdop.map { .rounded($0, 1) },
      "satellites": .array(
        satellites.prefix(Self.most).map { satellite in
          .array([
            .integer(Int64(satellite.constellation)), .integer(Int64(satellite.number)),
            satellite.elevationDegrees.map { .rounded($0, 0) } ?? .null,
            satellite.azimuthDegrees.map { .rounded($0, 0) } ?? .null,
            satellite.strength.map { .rounded($0, 0) } ?? .null, .bool(satellite.isUsed),
          ])
        }),
    ])
  }
}

extension JSON {
  /// `value` with so many decimals; null where it is no number.
  static func rounded(_ value: Double, _ decimals: Int) -> JSON {
    guard value.isFinite, abs(value) < 1e9 else { return .null }
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return .number((value * scale).rounded() / scale)
  }
}
