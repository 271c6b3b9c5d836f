import Foundation
import Navigation
import TestParts
import Testing

import Drives

/// comma2k19, GSDC and UrbanNav: small files in the real form.
struct ImportDatasetTests {
  // MARK: comma2k19

  /// A .npy file of doubles, as NumPy writes it.
  private static func numpy(
    _ rows: [[Double]], version: UInt8 = 1, type: String = "<f8", fortran: Bool = false
  ) -> [UInt8] {
    let columns = rows.first?.count ?? 0
    let shape = columns == 1 ? "(\(rows.count),)" : "(\(rows.count), \(columns))"
    var header = "{'descr': '\(type)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape), }"
    let prefix = version == 1 ? 10 : 12
    header += String(repeating: " ", count: 63 - (prefix + header.utf8.count) % 64) + "\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [version, 0]
    for i in 0..<(version == 1 ? 2 : 4) { bytes.append(UInt8(header.utf8.count >> (8 * i) & 255)) }
    bytes += Array(header.utf8)
    func append(_ value: Double) {
      switch type {
      case "<f4": withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { bytes += $0 }
      case ">f8": withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes += $0 }
      case "<i8": withUnsafeBytes(of: Int64(value).littleEndian) { bytes += $0 }
      default: withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
      }
    }
    if fortran {
      for column in 0..<columns { for row in rows { append(row[column]) } }
    } else {
      for row in rows { for value in row { append(value) } }
    }
    return bytes
  }

  @Test(arguments: [("<f8", 1, false), (">f8", 2, false), ("<f4", 1, true), ("<i8", 3, true)])
  func numpyArraysOfEveryForm(type: String, version: Int, fortran: Bool) throws {
    let scratch = ScratchFolder()
    let rows = [[1.0, -2, 3], [4, 5, -6]]
    try Data(Self.numpy(rows, version: UInt8(version), type: type, fortran: fortran)).write(
      to: URL(fileURLWithPath: scratch("a")))
    let array = try NumPyArray(path: scratch("a"))
    #expect((array.rowCount, array.columnCount) == (2, 3))
    for row in 0..<2 { for column in 0..<3 { #expect(array[row, column] == rows[row][column]) } }
  }

  @Test func brokenNumpyArraysAreRefused() throws {
    let scratch = ScratchFolder()
    let good = Self.numpy([[1, 2], [3, 4]])
    for count in 0..<good.count {
      try Data(good[..<count]).write(to: URL(fileURLWithPath: scratch("a")))
      #expect(driveError { _ = try NumPyArray(path: scratch("a")) } != nil, "cut at \(count)")
    }
    let text = String(decoding: good, as: UTF8.self)
    #expect(text.contains("<f8"))
    for (old, new) in [
      ("<f8", "<c8"), ("<f8", "|O8"), ("(2, 2)", "(9, 9)"), ("(2, 2)", "(-2,2"), ("descr", "drscr"),
    ] {
      var bytes = good
      let place = try #require(bytes.firstRange(of: Array(old.utf8))?.lowerBound)
      bytes.replaceSubrange(place..<place + new.utf8.count, with: Array(new.utf8))
      try Data(bytes).write(to: URL(fileURLWithPath: scratch("a")))
      #expect(driveError { _ = try NumPyArray(path: scratch("a")) } != nil, "\(new)")
    }
  }

  private func put(_ scratch: ScratchFolder, _ name: String, _ rows: [[Double]]) throws {
    try scratch.put(name, Self.numpy(rows))
  }

  @Test func commaSegment() throws {
    let scratch = ScratchFolder()
    let imu = "segment/processed_log/IMU/", gnss = "segment/processed_log/GNSS/live_gnss_ublox/"
    // The gyroscope 4 ms after the accelerometer, rising by 1 rad/s a second.
    try put(scratch, imu + "accelerometer/t", (0..<100).map { [1000 + Double($0) / 100] })
    try put(scratch, imu + "accelerometer/value", (0..<100).map { _ in [0.1, 0.2, -9.8] })
    try put(scratch, imu + "gyro_uncalibrated/t", (0..<100).map { [1000.004 + Double($0) / 100] })
    try put(scratch, imu + "gyro_uncalibrated/value", (0..<100).map { [Double($0) / 100 + 0.004, 0, 0.07] })
    // Five fixes a second at UTC, in hand 60 ms later.
    let utc = 1_533_224_087.0  // 2018-08-02 15:34:47
    try put(scratch, gnss + "t", (0..<5).map { [1000.06 + Double($0) / 5] })
    try put(
      scratch, gnss + "value", (0..<5).map { [37.72, -122.47, 20, (utc + Double($0) / 5) * 1000, 33.3, 90] })
    try put(scratch, "segment/processed_log/CAN/wheel_speed/t", [[1000], [1000.5]])
    try put(scratch, "segment/processed_log/CAN/wheel_speed/value", [[0, 0, 19, 21], [0, 0, 20, .nan]])
    // Heading east, level: forward is east, right is south, down is down.
    let position = GeodeticPosition(latitudeDegrees: 37.72, longitudeDegrees: -122.47, height: 31)
    let ecef = WGS84.ecef(position)
    let ecefFromNED = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
    let q = Quaternion(
      matrix: ecefFromNED * Quaternion(roll: 0.01, pitch: -0.02, yaw: .pi / 2).matrix)
    let velocity = ecefFromNED * Vector3(0, 20, 0.5)
    try put(scratch, "segment/global_pose/frame_times", [[1000], [1000.05]])
    try put(
      scratch, "segment/global_pose/frame_positions", [[ecef.x, ecef.y, ecef.z], [ecef.x, ecef.y, ecef.z]])
    try put(
      scratch, "segment/global_pose/frame_velocities", [[velocity.x, velocity.y, velocity.z], [0, 0, 0]])
    try put(
      scratch, "segment/global_pose/frame_orientations",
      [[q.w, q.vector.x, q.vector.y, q.vector.z], [1, 0, 0, 0]])
    // GPS is 18 s ahead of UTC; week 2012 began at Unix 1,532,822,382 in UTC.
    let timeOfWeek = utc + 18 - 315_964_800 - 2012 * 604_800
    try put(
      scratch, "segment/global_pose/frame_gps_times", [[2012, timeOfWeek], [2012, timeOfWeek + 0.05]])

    var drive = try ImportFormat.comma2k19.read(scratch("segment"))
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    // The first reading of the accelerometer has no gyroscope before it.
    #expect(contents.inertial.count == 99)
    for sample in contents.inertial { #expect(abs(sample.angularRate.x - sample.time.seconds) < 1e-6) }
    #expect(contents.fixes.count == 5)
    for (i, fix) in contents.fixes.enumerated() {
      #expect(abs(fix.time.seconds - Double(i) / 5) < 2e-6)
      #expect(abs(try #require(fix.received).seconds(since: fix.time) - 0.06) < 2e-6)
      #expect(isNear(fix.velocityNED?.y, 20, 1e-9))
    }
    let truth = contents.truth[0]
    #expect(abs(truth.position.height - 31) < 1e-3)
    #expect(
      isNear(truth.velocityNED?.y, 20, 1e-3)
        && isNear(truth.velocityNED?.z, 0.5, 1e-3))
    #expect(isNear(truth.yaw, .pi / 2, 1e-6))
    #expect(isNear(truth.roll, 0.01, 1e-6) && isNear(truth.pitch, -0.02, 1e-6))
    let speeds = contents.samples.compactMap { if case .wheel(let wheel) = $0 { wheel.speed } else { nil } }
    #expect(speeds == [20])
    let wheel = try #require(drive.rejections.first { $0.file.hasSuffix("wheel_speed") })
    #expect(wheel.rejected == 1 && wheel.accepted == 1)
  }

  // MARK: GSDC

  @Test func smartphone() throws {
    let scratch = ScratchFolder()
    let utc = 1_622_047_964_000
    var imu =
      "MessageType,utcTimeMillis,elapsedRealtimeNanos,MeasurementX,MeasurementY,MeasurementZ,BiasX,BiasY,BiasZ\n"
    for i in 0..<100 {
      let elapsed = 5_000_000_000 + i * 10_000_000
      // The wall clock of a phone is rounded to milliseconds and jitters.
      imu += "UncalAccel,\(utc + i * 10 + i % 3 - 1),\(elapsed),0.1,9.81,-0.2,0,0,0\n"
      imu += "UncalGyro,\(utc + i * 10),\(elapsed),0.01,0.02,0.03,0.5,0.5,0.5\n"
      imu += "UncalMag,\(utc + i * 10),\(elapsed),1,2,3,0,0,0\n"
    }
    imu += "UncalGyro,\(utc + 990),1,x,0.02,0.03,0,0,0\n"
    try scratch.put("device_imu.csv", imu)
    let position = GeodeticPosition(latitudeDegrees: 37.4, longitudeDegrees: -122.1, height: 20)
    let ecef = WGS84.ecef(position)
    var gnss =
      "MessageType,utcTimeMillis,Svid,WlsPositionXEcefMeters,WlsPositionYEcefMeters,WlsPositionZEcefMeters\n"
    for epoch in 0..<3 {
      for satellite in 1..<5 {
        let place = epoch == 1 ? ",," : "\(ecef.x),\(ecef.y),\(ecef.z)"
        gnss += "Raw,\(utc + epoch * 1000),\(satellite),\(place)\n"
      }
    }
    try scratch.put("device_gnss.csv", gnss)
    try scratch.put(
      "ground_truth.csv",
      "MessageType,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis\n"
        + "Fix,GT,37.4,-122.1,,12.5,0.1,180,\(utc)\n")
    var drive = try ImportFormat.gsdc.read(scratch.path)
    #expect(drive.inertial.count == 100 && drive.fixes.count == 2 && drive.truth.count == 1)
    #expect(drive.rejections[0].rejected == 1)
    #expect(drive.notes.contains { $0.hasPrefix("4 rows of device_gnss.csv have no position") })
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(abs(contents.fixes[0].position.height - 20) < 1e-3)
    // Upright, the screen to the rear: up is the phone's y, the nose where its back points.
    #expect((contents.inertial[0].specificForce - Vector3(0.2, 0.1, -9.81)).norm < 1e-6)
    #expect((contents.inertial[0].angularRate - Vector3(-0.03, 0.01, -0.02)).norm < 1e-6)
    for (a, b) in zip(contents.inertial, contents.inertial.dropFirst()) {
      #expect(b.time.nanoseconds - a.time.nanoseconds == 10_000_000)
    }
    #expect(abs(contents.inertial[0].time.seconds) < 0.0011)
    #expect(isNear(contents.truth[0].velocityNED?.x, -12.5, 1e-9))
    #expect(contents.truth[0].position.height.isNaN)
  }

  // MARK: UrbanNav

  @Test(arguments: [true, false])
  func tokyo(asPublished: Bool) throws {
    let scratch = ScratchFolder()
    let header =
      asPublished
      ? "GPS TOW (s),GPS Week,Acceleration X (m/s^2),Acceleration Y (m/s^2),Acceleration Z (m/s^2),Angular rate X (rad/s),Angular rate Y (rad/s),Angular rate Z (rad/s),Wheel velocity (m/s)\n"
      : "GPS TOW (s), GPS Week, Acc X (m/s^2), Acc Y (m/s^2), Acc Z (m/s^2), Ang Rate X (deg/s),  Ang Rate Y (deg/s),  Ang Rate Z (deg/s)\n"
    var imu = header
    for i in 0..<50 {
      let time = String(format: "%.2f", 273_375 + Double(i) * 0.02)
      let values =
        asPublished
        ? "0.1,0.2,-9.8,0.01,0.02,0.03,5.5" : "0.1, -0.2, 9.8, 0.5729577951, -1.1459155903, -1.7188733854"
      imu += "\(time), 2032, \(values)\n"
    }
    try scratch.put("imu.csv", imu)
    let names =
      asPublished
      ? "Velocity X (m/s), Velocity Y (m/s), Velocity Z (m/s)"
      : "East Velocity (m/s), North Velocity (m/s), Up Velocity (m/s)"
    try scratch.put(
      "reference.csv",
      "GPS TOW (s), GPS Week, Latitude (deg), Longitude (deg), Ellipsoid Height (m), ECEF X (m), ECEF Y (m), ECEF Z (m), Roll (deg), Pitch (deg), Heading (deg), \(names)\n"
        + "273375.00, 2032, 35.66633, 139.79221, 42.4, -3961767.5, 3349009.1, 3698309.6, 0.5, -1.5, 170.25, 1.25, -3.5, 0.125\n"
    )
    try scratch.put(
      "fixes.json",
      #"{"class":"TPV","mode":3,"time":"2018-12-19T03:55:57.500Z","lat":35.66634,"lon":139.79222,"altHAE":41.0}"#
        + "\n")
    var drive = try ImportFormat.urbannav.read(scratch.path)
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.count == 50)
    #expect((contents.inertial[0].angularRate - Vector3(0.01, 0.02, 0.03)).norm < 1e-7)
    #expect((contents.inertial[0].specificForce - Vector3(0.1, 0.2, -9.8)).norm < 1e-6)
    // 273375 s of week 2032 is 03:56:15 GPS, 03:55:57 UTC.
    #expect(contents.inertial[0].time.nanoseconds == 0)
    #expect(contents.fixes.map(\.time.nanoseconds) == [500_000_000])
    #expect(contents.truth[0].velocityNED == Vector3(-3.5, 1.25, -0.125))
    #expect(abs(Angle.degrees(radians: try #require(contents.truth[0].yaw)) - 170.25) < 1e-4)
    #expect(
      contents.samples.contains { if case .wheel(let wheel) = $0 { wheel.speed == 5.5 } else { false } }
        == asPublished)
    #expect(
      try DriveReader(path: scratch("drive")).description.notes.contains("time 0 is 2018-12-19T03:55:57.000Z")
    )
  }

  @Test func hongKong() throws {
    let scratch = ScratchFolder()
    // As `rostopic echo -p /imu/data` writes it.
    var imu =
      "%time,field.header.seq,field.header.stamp,field.header.frame_id,field.orientation.x,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,field.linear_acceleration.x,field.linear_acceleration.y,field.linear_acceleration.z\n"
    for i in 0..<40 {
      let stamp = 1_621_218_784_000_000_000 + i * 10_000_000
      imu += "\(stamp + 2_000_000),\(i),\(stamp),/imu,0,0.02,0.01,-0.03,0.2,0.1,9.8\n"
    }
    try scratch.put("xsens_imu.csv", imu)
    // Two lines of the published truth, which drives at 1.5 and 2.7 m/s to the south-west.
    try scratch.put(
      "UrbanNav_TST_GT_raw.txt",
      """
            UTCTime       Week   GPSTime         Latitude        Longitude        H-Ell VelBdyX VelBdyY VelBdyZ AccBdyX AccBdyY AccBdyZ           Roll          Pitch        Heading Q
              (sec)    (weeks)     (sec)       (+/-D M S)       (+/-D M S)          (m)   (m/s)   (m/s)   (m/s) (m/s^2) (m/s^2) (m/s^2)          (deg)          (deg)          (deg)
      1621218784.00 2158.00000  95602.00   22 18 04.29526  114 10 44.57271        3.374   0.041   1.544  -0.040   0.315   1.009   0.058  -1.5297743947   0.7285158365 -132.501836231 2
      1621218785.00 2158.00000  95603.00   22 18 04.25089  114 10 44.51770        3.357   0.108   2.676  -0.067   0.633   0.910   0.911  -1.5508878894   1.0749375786 -132.340388184 2

      """)
    var drive = try ImportFormat.urbannav.read(scratch.path)
    #expect(drive.notes.contains { $0.contains("gpsdecode") })
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect((contents.inertial[0].angularRate - Vector3(0.01, 0.02, 0.03)).norm < 1e-7)
    #expect((contents.inertial[0].specificForce - Vector3(0.1, 0.2, -9.8)).norm < 1e-6)
    #expect(contents.inertial[1].time.nanoseconds == 10_000_000)
    let (a, b) = (contents.truth[0], contents.truth[1])
    #expect(abs(a.position.latitudeDegrees - (22 + 18.0 / 60 + 4.29526 / 3600)) < 1e-9)
    #expect(a.position.height == 3.374)
    // The velocity must agree with how the positions go on.
    let moved = LocalFrame(origin: a.position).ned(b.position)
    let mean = (try #require(a.velocityNED) + (try #require(b.velocityNED))) * 0.5
    #expect((moved - mean).norm < 0.15, "moved \(moved), velocity \(mean)")
  }

  @Test func whatIsMissingIsSaid() throws {
    let scratch = ScratchFolder()
    // The others are of one file each.
    for format in [ImportFormat.kitti, .comma2k19, .urbannav, .kfgins, .f9r, .gsdc] {
      let error = driveError { _ = try format.read(scratch.path) }
      #expect(error?.description.contains("is missing") == true, "\(format): \(String(describing: error))")
      #expect(driveError { _ = try format.read(scratch("none")) } == .notFound(path: scratch("none")))
    }
  }
}
