import Drives
import Navigation
import TestParts
import Testing

@Suite struct RejectedRowTests {
  @Test(arguments: ["1,0,0,0,0,0", "1,0", "1", "1,0,0,0,0,0,-", "1,0,0,0,0,0,-9.8e"])
  func truncatedLastLineIsCountedAndLeftOut(row: String) throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0]) + row])
    let contents = try Contents(drive.path)
    #expect(contents.samples.count == 1)
    #expect(contents.rejected("imu.csv")?.truncated == 1)
    #expect(contents.rejected("imu.csv")?.total == 1)
  }

  @Test func wholeLastLineWithoutNewlineIsRead() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imuHeader + "1,1,2,3,4,5,6"])
    let contents = try Contents(drive.path)
    #expect(contents.inertial.first?.specificForce.z == 6)
    #expect(contents.rejected("imu.csv")?.total == 0)
  }

  @Test(arguments: ["nan", "NaN", "-nan", "inf", "-inf", "Infinity", "", " ", "1e999"])
  func nonFiniteRowsAreCountedAndLeftOut(cell: String) throws {
    let drive = try ScratchFolder.drive([
      "imu.csv": Rows.imu([0]) + "1,0,0,0,\(cell),0,0\n\(cell),0,0,0,0,0,0\n2,0,0,0,0,0,0\n"
    ])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [0, 2])
    #expect(contents.rejected("imu.csv")?.nonFinite == 2)
    #expect(contents.rejected("imu.csv")?.accepted == 2)
  }

  @Test func timeRunningBackwardsIsCountedAndLeftOut() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0, 1, 2, 1.5, 1.9, 3, 0.5, 4])])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [0, 1, 2, 3, 4])
    #expect(contents.rejected("imu.csv")?.outOfOrder == 3)
  }

  @Test func oneRowStampedFarAheadDoesNotCostTheRestOfTheFile() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0, 1, 1e6, 2, 3, 1000, 1001, 5e6])])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [0, 1, 2, 3, 1000, 1001, 5e6])
    #expect(contents.rejected("imu.csv")?.outOfOrder == 1)
  }

  @Test func repeatedRowsAreCountedAndLeftOut() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0, 1, 1, 1, 2, 2])])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [0, 1, 2])
    #expect(contents.rejected("imu.csv")?.repeated == 3)
    #expect(contents.rejected("imu.csv")?.outOfOrder == 0)
  }

  /// Of a batch from an IMU's FIFO all samples may have one stamp.
  @Test func samplesOfOneTimeAreReadWhereTheyDiffer() throws {
    let header = "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
    let rows = [
      "1,0,0,0.1,0,0,-9.8", "1,0,0,0.2,0,0,-9.8", "1,0,0,0.2,0,0,-9.8", "1,0,0,0.3,0,0,-9.8",
      "2,0,0,0.3,0,0,-9.8",
    ]
    let drive = try ScratchFolder.drive(["imu.csv": header + rows.joined(separator: "\n") + "\n"])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [1, 1, 1, 2])
    #expect(contents.rejected("imu.csv")?.repeated == 1)
  }

  @Test func gapOfTenMinutesJustRuns() throws {
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0, 0.01, 600.01, 600.02])])
    let contents = try Contents(drive.path)
    #expect(contents.samples.map(\.time.seconds) == [0, 0.01, 600.01, 600.02])
    #expect(contents.rejected("imu.csv")?.total == 0)
  }

  @Test func orderOfFixesIsJudgedOnTheirOwnTime() throws {
    let drive = try ScratchFolder.drive([
      "gnss.csv": "time_s,latitude_deg,longitude_deg,received_s\n1,50,8,1.5\n2,50,8,1.4\n1.5,50,8,2.5\n"
    ])
    let contents = try Contents(drive.path)
    #expect(contents.fixes.map(\.time.seconds) == [1, 2])
    #expect(contents.fixes.map { $0.received?.seconds } == [1.5, Timestamp(seconds: 1.4).seconds])
    #expect(contents.rejected("gnss.csv")?.outOfOrder == 1)
  }

  @Test(arguments: ["gnss.csv", "truth.csv"])
  func placesThatAreNotOnTheEarthAreCountedAndLeftOut(file: String) throws {
    let rows = [
      "1,50,8", "2,90.1,8", "3,-91,8", "4,50,360.5", "5,50,-400", "6,-90,-360", "7,nan,8", "6,50,8",
    ]
    let text = "time_s,latitude_deg,longitude_deg\n" + rows.joined(separator: "\n") + "\n"
    let drive = try ScratchFolder.drive(["imu.csv": Rows.imu([0]), file: text])
    let contents = try Contents(drive.path)
    let times = file == "gnss.csv" ? contents.fixes.map(\.time.seconds) : contents.truth.map(\.time.seconds)
    #expect(times == [1, 6])
    let rejected = try #require(contents.rejected(file))
    #expect(rejected.outOfRange == 4 && rejected.nonFinite == 1 && rejected.repeated == 1)
    #expect(rejected.accepted == 2 && rejected.total == 6)
  }
}
