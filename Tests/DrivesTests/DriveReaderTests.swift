import Drives
import Navigation
import TestParts
import Testing

@Suite struct DriveReaderTests {
  @Test func samplesComeInOrderOfArrival() throws {
    let drive = try ScratchFolder.drive([
      "imu.csv": Rows.imu([1, 2, 3]),
      "wheel.csv": "time_s,speed_m_s\n1,5\n2.5,6\n3,7\n",
      "barometer.csv": "time_s,pressure_pa\n1,101325\n2.6,101300.25\n",
      "gnss.csv": "time_s,latitude_deg,longitude_deg,received_s\n0.5,50,8,2\n1.5,50,8,2.7\n3,50,8,\n",
    ])
    let order = try Contents(drive.path).samples.map { sample in
      switch sample {
      case .inertial(let s): "i\(s.time.seconds)"
      case .wheel(let s): "w\(s.time.seconds)"
      case .pressure(let s): "p\(s.time.seconds)"
      case .gnss(let s): "g\(s.time.seconds)"
      }
    }
    #expect(
      order == ["i1.0", "w1.0", "p1.0", "i2.0", "g0.5", "w2.5", "p2.6", "g1.5", "i3.0", "w3.0", "g3.0"])
  }

  @Test func columnsAreFoundByNameInAnyOrder() throws {
    let drive = try ScratchFolder.drive([
      "imu.csv": "accel_z_m_s2, temperature_c ,gyro_x_rad_s,gyro_z_rad_s,gyro_y_rad_s,accel_y_m_s2,"
        + "accel_x_m_s2,time_s\n-9.8,warm,1,3,2,5,4,0.25\n"
    ])
    let contents = try Contents(drive.path)
    #expect(
      contents.inertial == [
        InertialSample(
          time: Timestamp(seconds: 0.25), angularRate: Vector3(1, 2, 3), specificForce: Vector3(4, 5, -9.8))
      ])
    let notes = contents.rejected("imu.csv")?.notes ?? []
    #expect(notes.count == 1)
    #expect(notes.first?.contains("temperature_c") == true)
  }

  @Test func byteOrderMarkCarriageReturnsAndBlankLinesAreNoHindrance() throws {
    let drive = try ScratchFolder.drive([
      "wheel.csv": "\u{FEFF}time_s,speed_m_s\r\n\r\n0, 1.5\r\n\n 1 ,\t2\r\n\r\n"
    ])
    let contents = try Contents(drive.path)
    #expect(contents.samples.count == 2)
    #expect(contents.samples.last == .wheel(WheelSample(time: Timestamp(seconds: 1), speed: 2)))
    #expect(contents.rejected("wheel.csv")?.notes == [])
  }

  @Test func fixHoldsWhatTheReceiverSaid() throws {
    let drive = try ScratchFolder.drive([
      "gnss.csv": Rows.gnssHeader + ",received_s,sigma_speed_m_s,sigma_course_deg\n"
        + "0,50,8,100,1,2,3,4,5,6,9,90,0.1,0.2,180\n"  // everything
        + "1,50,8,,1,2,,4,5,,,,,,\n"  // no height, two of three sigmas, horizontal velocity
        + "2,50,8,100,,,,4,,6,10,90,,,\n"  // half a velocity: speed and course instead
        + "3,50,8,100,,,,,,,10,,,,\n"  // a speed without a course says no velocity
        + "4,50,8,100,,,,,,,0.4,,,,\n"  // but that of a car that stands
    ])
    let fixes = try Contents(drive.path).fixes
    try #require(fixes.count == 5)
    #expect(fixes[0].positionSigma == Vector3(1, 2, 3))
    #expect(fixes[0].velocityNED == Vector3(4, 5, 6))
    #expect(fixes[0].received == Timestamp(seconds: 0.1))
    #expect(fixes[0].speedSigma == 0.2)
    #expect(fixes[0].courseSigma == .pi)
    #expect(fixes[1].position.height.isNaN)
    #expect(fixes[1].positionSigma == nil)
    #expect(fixes[1].velocityNED?.x == 4)
    #expect(fixes[1].velocityNED?.z.isNaN == true)
    let east = try #require(fixes[2].velocityNED)
    #expect(abs(east.x) < 1e-12 && abs(east.y - 10) < 1e-12 && east.z == 6)
    #expect(fixes[3].velocityNED == nil)
    let still = try #require(fixes[4].velocityNED)
    #expect(still.x == 0 && still.y == 0 && still.z.isNaN)
    #expect(fixes[3].position == GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 8, height: 100))
  }

  @Test func truthHoldsRadiansAndLeavesOutWhatIsNotKnown() throws {
    let drive = try ScratchFolder.drive([
      "wheel.csv": "time_s,speed_m_s\n",
      "truth.csv": "time_s,latitude_deg,longitude_deg,height_m,velocity_north_m_s,velocity_east_m_s,"
        + "velocity_down_m_s,roll_deg,pitch_deg,yaw_deg\n0,90,180,5,1,2,3,,,180\n1,90,180,,,,,0,90,\n",
    ])
    let truth = try Contents(drive.path).truth
    try #require(truth.count == 2)
    #expect(truth[0].position == GeodeticPosition(latitude: .pi / 2, longitude: .pi, height: 5))
    #expect(truth[0].velocityNED == Vector3(1, 2, 3))
    #expect(truth[0].roll == nil && truth[0].pitch == nil && truth[0].yaw == .pi)
    #expect(truth[1].velocityNED == nil && truth[1].position.height.isNaN)
    #expect(truth[1].roll == 0 && truth[1].pitch == .pi / 2 && truth[1].yaw == nil)
  }

  @Test func descriptionIsReadLeniently() throws {
    let json = """
      {"name": "n", "kind": "hybrid", "imu": {"model": "m", "rateHz": 104, "frame": "FRD, as it came"},
       "antennaLeverArmMetres": [1, -0.5, 2.25], "wheel": null, "notes": "one", "weather": {"rain": true},
       "truth": {"reference": "antenna", "horizontalSigmaMetres": 0.3, "independentOfGNSS": true}}
      """
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0])], json: json)
    let reader = try DriveReader(path: drive.path)
    #expect(reader.description.kind == .hybrid)
    #expect(reader.description.imu?.rateHz == 104)
    #expect(reader.description.antennaLeverArm == Vector3(1, -0.5, 2.25))
    #expect(reader.description.wheel == nil)
    #expect(reader.description.notes == ["one"])
    #expect(reader.description.truth?.independentOfGNSS == true)
    #expect(reader.hasInertial && !reader.hasGNSS && !reader.hasWheel && !reader.hasTruth)
    var truth = try reader.truth()
    #expect(try truth.next() == nil)
  }

  @Test func axesComeFromTheDescriptionUnlessToldOtherwise() throws {
    func specificForce(json: String, told: IMUFrame? = nil) throws -> (Vector3?, [String]) {
      let drive = try ScratchFolder.drive(["imu.csv": Rows.imuHeader + "0,4,5,6,4,5,6\n"], json: json)
      let contents = try Contents(drive.path, imuFrame: told)
      let sample = try #require(contents.inertial.first)
      #expect(sample.angularRate == sample.specificForce)  // the file has the same numbers for both
      return (sample.specificForce, contents.rejections[0].notes)
    }
    func json(_ frame: String) -> String { #"{"name": "n", "imu": {"frame": "\#(frame)"}}"# }
    #expect(try specificForce(json: #"{"name": "n"}"#) == (Vector3(4, 5, 6), []))
    #expect(try specificForce(json: json("FLU, as mounted")) == (Vector3(4, -5, -6), []))
    #expect(try specificForce(json: json("x,-y,-z")) == (Vector3(4, -5, -6), []))
    #expect(try specificForce(json: json("FLU"), told: .frd) == (Vector3(4, 5, 6), []))
    let unclear = try specificForce(json: json("as the maker says"))
    #expect(unclear.0 == Vector3(4, 5, 6))
    #expect(unclear.1.count == 1)
  }

  @Test func frameTurnsAxesToForwardRightDown() throws {
    let v = Vector3(1, 2, 3)
    let cases: [(String, Vector3)] = [
      ("frd", v), ("FLU", Vector3(1, -2, -3)), ("rfu", Vector3(2, 1, -3)), ("enu", Vector3(2, 1, -3)),
      ("ned", v), ("x,-y,-z", Vector3(1, -2, -3)), ("y,x,-z", Vector3(2, 1, -3)),
      ("-z,+y,x", Vector3(-3, 2, 1)), ("bru", Vector3(-1, 2, -3)), ("dfr", Vector3(2, 3, 1)),
    ]
    for (text, expected) in cases {
      let frame = try #require(IMUFrame(text), "\(text)")
      #expect(frame.frdFromIMU * v == expected, "\(text)")
    }
    for text in ["", "fr", "frdd", "fru", "ffd", "fbd", "x,y", "x,y,-z", "x,x,z", "x,y,z,", "--x,y,z", "abc"]
    {
      #expect(IMUFrame(text) == nil, "\(text)")
    }
  }

  /// A slip in a hand-written drive.json says so, and the drive is read all the same.
  @Test func keysThatAreNotKnownAreNamed() throws {
    let json = """
      {"name": "made up", "antennaLeverArm": [1, 0, 0], "startUTC": "2026-03-01T12:00:00Z", "driver": "me",
       "pseudoranges": "kept", "imu": {"Frame": "FLU"}, "truth": {"reference": "imu", "sigma": 1}}
      """
    let scratch = try ScratchFolder.drive(["imu.csv": Rows.imu([0, 1])], json: json)
    #expect(
      try DriveReader(path: scratch.path).description.ignoredKeys == [
        "drive.json: the key \"antennaLeverArm\" is not known and was ignored; is it \"antennaLeverArmMetres\"?",
        "drive.json: the key \"startUTC\" is not known and was ignored; is it \"start_utc\"?",
        "drive.json: the key \"driver\" is not known and was ignored",
        "drive.json: the key \"imu.Frame\" is not known and was ignored; is it \"imu.frame\"?",
        "drive.json: the key \"truth.sigma\" is not known and was ignored",
      ])
    // Those are in the JSON of scores.
    #expect(try Contents(scratch.path).rejections.allSatisfy { $0.notes.isEmpty })
  }
}
