import Fusion

/// What was learned of the sensors over time, with standard deviations.
enum CalibrationFigures {
  private typealias Series = (name: String, points: [(x: Double, y: Double, sigma: Double?)])

  static func all(_ moments: [CalibrationMoment], _ time: FigureAxis) -> [ReportFigure] {
    guard moments.count > 1 else { return [] }
    let degrees = Angle.degrees(radians: 1)
    return [
      figure(
        "gyro-bias", "Gyroscope bias, less its last value", "°/s",
        vector(moments, "xyz", degrees) { $0.gyroBias }, time, lessLast: true),
      figure(
        "accel-bias", "Accelerometer bias, less its last value", "m/s²",
        vector(moments, "xyz", 1) { $0.accelBias }, time, lessLast: true),
      mounting(moments, time),
      figure(
        "delay", "Delay of the receiver", "ms",
        [
          scalar(moments, "position", 1000) { $0.positionDelay },
          scalar(moments, "velocity", 1000) { $0.velocityDelay },
        ], time),
      figure(
        "scale", "Scale errors", "%",
        [
          scalar(moments, "wheel speed", 100) { $0.odometerScale },
          scalar(moments, "gyro", 100) { $0.gyroScale },
        ],
        time),
      figure(
        "lever-arm", "Antenna from the IMU, in its axes", "m", vector(moments, "xyz", 1) { $0.leverArm },
        time),
      figure(
        "axle", "IMU ahead of the rear axle", "m", [scalar(moments, "distance", 1) { $0.axleDistance }], time),
      receiver(moments, time),
    ].compactMap(\.self)
  }

  private static func scalar(
    _ moments: [CalibrationMoment], _ name: String, _ unit: Double,
    _ value: (Calibration) -> Calibration.Scalar
  ) -> Series {
    (
      name,
      moments.map { moment in
        let value = value(moment.calibration)
        return (moment.time, value.value * unit, value.sigma * unit)
      }
    )
  }

  private static func vector(
    _ moments: [CalibrationMoment], _ names: String, _ unit: Double,
    _ value: (Calibration) -> Calibration.Vector
  ) -> [Series] {
    let axes: [KeyPath<Vector3, Double>] = [\.x, \.y, \.z]
    return zip(names, axes).map { name, axis in
      (
        String(name),
        moments.map { moment in
          let vector = value(moment.calibration)
          return (moment.time, vector.value[keyPath: axis] * unit, vector.sigma[keyPath: axis] * unit)
        }
      )
    }
  }

  /// The mounting as the small rotation from its last value, in the axes of the car.
  private static func mounting(_ moments: [CalibrationMoment], _ time: FigureAxis) -> ReportFigure? {
    let known = moments.filter { $0.calibration.vehicleFromBody != nil }
    guard let last = known.last?.calibration.vehicleFromBody else { return nil }
    let turns = known.map { moment in
      let turn = ((moment.calibration.vehicleFromBody ?? last) * last.inverse).rotationVector
      return (time: moment.time, turn: turn * Angle.degrees(radians: 1), calibration: moment.calibration)
    }
    let degrees = { (radians: Double) in Angle.degrees(radians: radians) }
    let angles = [last.roll, last.pitch, last.yaw].map { "\(ReportText.fixed(degrees($0), digits: 2))°" }
    return figure(
      "mounting", "Mounting, less its last value", "°",
      [
        ("roll", turns.map { ($0.time, $0.turn.x, nil) }),
        ("pitch", turns.map { ($0.time, $0.turn.y, degrees($0.calibration.mountingPitchSigma)) }),
        ("yaw", turns.map { ($0.time, $0.turn.z, degrees($0.calibration.mountingYawSigma)) }),
      ], time, note: "Last: roll \(angles[0]), pitch \(angles[1]), yaw \(angles[2]).")
  }

  /// How far the receiver's stated accuracy can be trusted.
  private static func receiver(_ moments: [CalibrationMoment], _ time: FigureAxis) -> ReportFigure? {
    let series = { (name: String, value: (Calibration) -> Double?) -> Series in
      (name, moments.map { ($0.time, value($0.calibration) ?? .nan, nil) })
    }
    return figure(
      "receiver-trust", "Receiver: true over stated deviation", "×",
      [
        series("white", { $0.whiteSigma }), series("lasting", { $0.lastingSigma }),
        series("velocity", { $0.velocityScale }),
      ], time)
  }

  private static func figure(
    _ id: String, _ title: String, _ unit: String, _ series: [Series], _ time: FigureAxis, note: String = "",
    lessLast: Bool = false
  ) -> ReportFigure? {
    // What never moved was never learned.
    let told = series.filter { one in
      let first = one.points.first { $0.y.isFinite }?.y
      return one.points.contains { $0.y.isFinite && $0.y != first }
    }
    guard !told.isEmpty else { return nil }
    let series = lessLast ? told.map(Self.lessLast) : told
    let (low, high) = range(series)
    var plot = FigurePlot(x: time, y: .linear(low, high, unit))
    draw(series, &plot)
    let words = told.map { one -> String in
      let last = one.points.last { $0.y.isFinite }
      let sigma = last?.sigma.map { " ± \(FigureNumber.figure($0))" } ?? ""
      return "\(one.name) \(FigureNumber.figure(last?.y))\(sigma) \(unit)"
    }
    return ReportFigure(
      id, title, summary: "At the end: \(words.joined(separator: ", ")).",
      note: note.isEmpty ? "At the end: \(words.joined(separator: ", "))." : note,
      table: FigureData.table(
        told.flatMap { one in
          [("\(one.name), \(unit)", one.points.map { (x: $0.x, y: $0.y) })]
            + (one.points.contains { $0.sigma != nil }
              ? [("σ", one.points.map { (x: $0.x, y: $0.sigma ?? .nan) })] : [])
        }), plot: plot, isOverTime: true)
  }

  private static func lessLast(_ one: Series) -> Series {
    let last = one.points.last { $0.y.isFinite }?.y ?? 0
    return (one.name, one.points.map { ($0.x, $0.y - last, $0.sigma) })
  }

  private static func draw(_ series: [Series], _ plot: inout FigurePlot) {
    for (index, one) in series.enumerated() where one.points.contains(where: { $0.sigma != nil }) {
      let bounded = one.points.filter { $0.sigma != nil }
      plot.addBand(
        low: FigureCurve(overTime: bounded.map { ($0.x, $0.y - ($0.sigma ?? 0)) }),
        high: FigureCurve(overTime: bounded.map { ($0.x, $0.y + ($0.sigma ?? 0)) }),
        FigurePlot.Line("c\(index + 1)"))
    }
    for (index, one) in series.enumerated() {
      plot.add(
        FigureCurve(overTime: one.points.map { ($0.x, $0.y) }),
        FigurePlot.Line("c\(index + 1)", one.name, isDashed: index == 1))
    }
  }

  /// What the axis holds: all values after the first tenth, and the deviations of the second half.
  private static func range(_ series: [Series]) -> (Double, Double) {
    var values: [Double] = []
    for one in series {
      let points = one.points.filter { $0.y.isFinite }
      values += points.dropFirst(points.count / 10).map(\.y)
      for point in points.dropFirst(points.count / 2) {
        guard let sigma = point.sigma, sigma.isFinite else { continue }
        values += [point.y - sigma, point.y + sigma]
      }
    }
    let (low, high) = (values.min() ?? -1, values.max() ?? 1)
    let rim = max((high - low) * 0.06, abs(high) * 1e-3, 1e-6)
    return (low - rim, high + rim)
  }
}
