import Navigation

extension SensorSample {
  /// Where a sample belongs among all others: by time, and among those of one time by the rank of its kind.
  struct Place: Comparable, Sendable {
    let time: Timestamp
    let rank: UInt8

    var isInertial: Bool { rank == SensorKind.inertial.rawValue }
    var isFix: Bool { rank == SensorKind.gnss.rawValue }

    @inline(__always) init(time: Timestamp, rank: UInt8) { (self.time, self.rank) = (time, rank) }

    /// The place of a sample of the IMU.
    @inline(__always) init(_ sample: InertialSample) {
      self.init(time: sample.time, rank: SensorKind.inertial.rawValue)
    }

    static func < (a: Place, b: Place) -> Bool { a.time != b.time ? a.time < b.time : a.rank < b.rank }
  }

  @inline(__always) var place: Place { Place(time: time, rank: kind.rawValue) }
}

extension MeasurementVerdict.Kind {
  /// The measurement that a sample is, if it is one.
  init?(_ sample: SensorSample) {
    switch sample.kind {
    case .inertial: return nil
    case .gnss: self = .gnssPosition
    case .wheel: self = .wheelSpeed
    case .pressure: self = .barometer
    }
  }
}
