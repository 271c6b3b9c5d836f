import Fusion
import SensorEvents

/// Something that the engine still lacks, and what gives it.
public enum Need: Sendable, Equatable {
  /// No IMU and no speed come.
  case motionSensor
  /// Most samples of the IMU bear times that cannot be, and are left out.
  case timedIMU
  /// The IMU contradicts gravity or the fixes, and is left out.
  case soundIMU
  /// No receiver speaks.
  case receiver
  /// The receiver has no fix.
  case sky
  /// A car that drives, for its heading.
  case drive
  /// Straight driving, for how the IMU is mounted.
  case straight
  /// A stop of some seconds, for what the gyroscope shows at rest.
  case stop
  /// So many turns, for what the gyroscope shows of one and how the parts are placed.
  case turns(Int)

  /// The need in plain words.
  public var text: String {
    switch self {
    case .motionSensor: "an IMU, or the wheels' speed"
    case .timedIMU:
      "an IMU with right times (most samples of this one are refused for theirs: see reckon doctor)"
    case .soundIMU: "an IMU that turns as the fixes do (this one does not, and is left out)"
    case .receiver: "a receiver"
    case .sky: "open sky, for the first fix"
    case .drive: "to drive off, for the heading"
    case .straight: "to drive straight for a moment, faster than walking a bicycle (12 km/h)"
    case .stop: "one stop of three seconds"
    case .turns(1): "one more turn"
    case .turns(2): "two more turns"
    case .turns(let count): "\(count) more turns"
    }
  }

  /// A gyroscope bias is known to this, rad/s: 0.04 °/s is 2.5° in a minute without fixes.
  private static let gyroBias = 0.0007
  /// Mounting is known to this, rad: half a degree.
  private static let mounting = 0.009
  /// The gyroscope's scale is known to this: 0.5° in a turn of 90°.
  private static let gyroScale = 0.0055

  /// What is lacking, most urgent first.
  static func list(
    sources: [SourceHealth], hasFix: Bool, solution: NavigationSolution?, calibration: Calibration?,
    isInertialTrusted: Bool
  ) -> [Need] {
    var list: [Need] = []
    func streams(_ roles: SourceRole...) -> Bool {
      sources.contains { source in
        source.state == .streaming && source.received > 0 && !source.isMostlyRefused
          && roles.contains { $0 == source.role }
      }
    }
    let hasMistimed = sources.contains {
      $0.role == .inertial && $0.state == .streaming && $0.isMostlyRefused
    }
    if hasMistimed, !streams(.inertial) {
      list.append(.timedIMU)
    } else if !streams(.inertial, .wheel) {
      list.append(.motionSensor)
    }
    if !isInertialTrusted { list.append(.soundIMU) }
    let speaks = sources.contains {
      $0.role == .fix && $0.received > 0 && ($0.state == .connected || $0.state == .streaming)
    }
    if !speaks { list.append(.receiver) } else if !hasFix { list.append(.sky) }
    guard let calibration else {
      // Without motion sensors no drive gives the heading.
      if hasFix || solution != nil, !list.contains(.timedIMU) || streams(.wheel) { list.append(.drive) }
      return list
    }
    return list + lacking(in: calibration)
  }

  /// What a car that drives and has its fixes still has to do.
  package static func lacking(in calibration: Calibration) -> [Need] {
    guard calibration.vehicleFromBody != nil else { return [.straight] }
    let sigma = calibration.gyroBias.sigma
    var list: [Need] = max(sigma.x, sigma.y, sigma.z) > gyroBias ? [.stop] : []
    if let turns = turns(calibration) { list.append(.turns(turns)) }
    return list
  }

  /// Each turn of 90° tells the scale to about 0.6° of heading, and the mounting's yaw alike;
  /// nil where that is known.
  private static func turns(_ calibration: Calibration) -> Int? {
    let lack = max(calibration.gyroScale.sigma / gyroScale, calibration.mountingYawSigma / mounting)
    guard lack > 1 else { return nil }
    return lack > 1.4 ? 2 : 1
  }
}
