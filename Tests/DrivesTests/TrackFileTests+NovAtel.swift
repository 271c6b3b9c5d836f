import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Logs of NovAtel.
extension TrackFileTests {
  /// A line as a receiver writes it, with its checksum, and one with a short header.
  @Test func novatelLogsAreRead() throws {
    let best =
      #"#BESTPOSA,COM1,0,83.5,FINESTEERING,2163,329760.000,02400000,b1f6,65535;SOL_COMPUTED,SINGLE,51.15043874397,"#
      + #"-114.03066788586,1097.6822,-17.0000,WGS84,1.3648,1.1806,3.1112,"",0.000,0.000,18,18,18,0,00,02,11,01*c3194e35"#
    let good = String(repeating: best + "\r\n", count: 8)
    let (format, points, reading) = try read(
      good + best.replacing("1097.6822", with: "1097.6823") + "\r\n" + best.dropLast(20) + "\r\n")
    #expect(format == .novatel && points.count == 8 && reading.rejections.rejected == 2)
    #expect(reading.rejections.remark?.contains("line 9: the checksum of this BESTPOSA is wrong") == true)
    #expect(abs(points[0].sample.position.height - 1080.6822) < 1e-9)
    #expect(points[0].sample.time == (try unix("2021-06-23T19:35:42Z")))
    let short =
      "%INSPVASA,1264,144059.000;1264,144059.000,51.116680071,-114.037929194,515.286704183,277.896368884,84.915188605,"
      + "-8.488207941,0.759619515,-2.892414901,6.179554750,INS_ALIGNMENT_COMPLETE*96120263\r\n"
    let inertial = try read(short)
    #expect(inertial.format == .novatel && inertial.points.count == 1)
    #expect(inertial.points[0].sample.velocityNED == Vector3(277.896368884, 84.915188605, 8.488207941))
    #expect(inertial.points[0].sample.time == (try unix("2004-03-29T16:00:46Z")))
  }

  @Test(arguments: [
    ("INS_SOLUTION_GOOD", true), ("INS_HIGH_VARIANCE", true), ("INS_SOLUTION_NOT_GOOD", true),
    ("INS_SOLUTION_FREE", true),
    ("INS_ALIGNING", false), ("INS_INACTIVE", false), ("WAITING_INITIALPOS", false),
  ])
  func statesOfNovatelThatHaveNoSolutionGiveNoPoint(state: String, isSolved: Bool) throws {
    func log(_ state: String) -> String {
      Self.novatel(
        "INSPVAA,COM1,0,60.5,FINESTEERING,2051,45860.000,02000000,b1f6,16248;2051,45860.000,52.5,13.4,40.0,1.0,2.0,3.0,"
          + "0.5,-1.0,90.0,\(state)")
    }
    #expect(try read(log(state) + log("INS_SOLUTION_GOOD")).points.count == (isSolved ? 2 : 1))
  }

  /// The line with its checksum, by the algorithm of NovAtel's manual.
  private static func novatel(_ body: String) -> String {
    var sum: UInt32 = 0
    for byte in body.utf8 {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    let digits = String(sum, radix: 16)
    return "#\(body)*\(String(repeating: "0", count: 8 - digits.count))\(digits)\n"
  }

  @Test func novatelLogsWithoutATimeOrAnEndAreNoPoints() throws {
    let untimed = Self.novatel(
      "BESTPOSA,COM1,0,60.5,UNKNOWN,0,0.000,02000000,b1f6,16248;SOL_COMPUTED,SINGLE,52.5,13.4,2.0,38.0,WGS84,1,1,1,\"\""
    )
    #expect(complaint(untimed).contains("no point"))
    #expect(complaint("#BESTPOSA,COM1,0,60.5;SOL_COMPUTED\n").contains("line 1: this BESTPOSA is cut off"))
  }
}
