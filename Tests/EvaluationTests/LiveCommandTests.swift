import Foundation
import Simulation
import TestParts
import Testing

/// `reckon run` and `reckon doctor` where there is nothing to read: port 1 of the loopback has no gpsd, and
/// the IMU is a server that is not there.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct LiveCommandTests {
  private let scratch = ScratchFolder()
  private static let nowhere = ["--gpsd", "127.0.0.1:1", "--imu", "ip:127.0.0.1:1"]

  /// A simulated drive through a real gpsd and libiio, which begins after 5 s.
  private struct SimulatedCar {
    let iiod: IIODServer, player: DrivePlayer, gpsd: RealGPSD

    init() throws {
      iiod = try IIODServer([DrivePlayer.imu])
      player = try DrivePlayer(Simulator(scenario: .town, seed: 2003).run().samples, rest: 5, imu: iiod)
      gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(player.port)"])
    }

    func stop() {
      gpsd.kill()
      player.stop()
      iiod.stop()
    }
  }

  @Test func withoutSensorsRunSaysSoAndKeepsTrying() throws {
    let run = try Tool.run(["run", "--duration", "2.5"] + Self.nowhere)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("no position yet"))
    #expect(run.output.contains("needs: an IMU, or the wheels' speed; a receiver"))
    #expect(run.errors.contains("no gpsd at 127.0.0.1:1"))
    #expect(run.output.split(separator: "\n").count >= 2)
  }

  @Test(arguments: ["csv", "geojson", "kml", "gpx", "tum"])
  func anInterruptedRunLeavesAWholeFile(format: String) throws {
    let file = scratch("track.\(format)")
    let run = try Tool.run(["run", "--output", file] + Self.nowhere, interruptedAfter: 2)
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names == ["track.\(format)"], "nothing half written is left")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    switch format {
    case "csv": #expect(text.hasPrefix("time_s,"))
    case "geojson": #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil)
    case "kml": #expect(text.hasSuffix("</kml>\n"))
    case "gpx": #expect(text.hasSuffix("</gpx>\n"))
    default:
      let lines = text.split(separator: "\n")
      #expect(
        lines.count == 2 && lines[0].hasPrefix("# Made by Reckon ") && lines[0].contains("--output \(file)"))
      #expect(lines.last == "# timestamp tx ty tz qx qy qz qw")
    }
    #expect(run.errors.contains("track.\(format): 0 points in 0 s"), "it says what it wrote: \(run.errors)")
  }

  /// A simulated drive through a real gpsd and libiio: a track with points, dated, and a line that says so;
  /// and each of them is among what the recording says was said.
  @Test(.enabled(if: RealGPSD.isInstalled, "gpsd is not installed"), .timeLimit(.minutes(5)))
  func aRunWithSensorsWritesItsTrack() throws {
    let car = try SimulatedCar()
    defer { car.stop() }
    let file = scratch("track.gpx")
    let record = scratch("recording")
    let run = try Tool.run(
      [
        "run", "--gpsd", "127.0.0.1:\(car.gpsd.port)", "--imu", car.iiod.uri, "--output", file, "--record",
        record,
      ],
      interruptedAfter: 15)
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let points = text.split(separator: "<trkpt").count - 1
    #expect(points > 20 && text.hasSuffix("</gpx>\n"), "\(points) points; \(run.errors)")
    #expect(text.contains("<time>20") && text.contains("<geoidheight>"))
    #expect(run.errors.contains("track.gpx: \(points) points in "), "\(run.errors)")
    let again = scratch("again.gpx")
    #expect(try Tool.run(["replay", record, "--rate", "1000", "--output", again]).status == 0)
    let places = { (text: String) in
      text.split(separator: "<trkpt ").dropFirst().map { $0.prefix { $0 != ">" } }
    }
    let replayed = Set(places(try String(contentsOfFile: again, encoding: .utf8)))
    let live = places(text)
    #expect(live.count == points && live.allSatisfy(replayed.contains), "of \(points) points")
  }

  /// A file that may grow to 32 KiB stands for a disk that is full then: positioning goes on to its end, and
  /// what there was room for is kept, in whole lines.
  @Test(.enabled(if: RealGPSD.isInstalled, "gpsd is not installed"), .timeLimit(.minutes(5)))
  func aFullDiskEndsNeitherTheRunNorTheTrack() throws {
    let car = try SimulatedCar()
    defer { car.stop() }
    let tool = try #require(Tool.path)
    let run = try ProgramRun(
      "/bin/sh",
      [
        "-c",
        "trap '' XFSZ; ulimit -f 64; exec '\(tool)' run --gpsd 127.0.0.1:\(car.gpsd.port) --imu none --plain --rate 100 "
          + "--duration 20 --output '\(scratch.path)/track.csv' > /dev/null",
      ])
    #expect(run.status == 3, "\(run.errors)")
    #expect(
      run.errors.components(separatedBy: "positioning goes on").count == 2, "said once: \(run.errors)")
    #expect(run.errors.contains("points are missing: "), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["track.csv"])
    let text = try String(contentsOfFile: scratch("track.csv"), encoding: .utf8)
    let rows = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).count
    }
    #expect(rows.count > 50 && text.hasSuffix("\n") && Set(rows).count == 1, "\(rows.count) rows")
  }

  /// `--wheel -`: speeds by the standard input until it ends, and the run goes on.
  @Test func wheelSpeedsComeByTheStandardInput() throws {
    let speeds = (0..<20).map { "speed \(5 + Double($0) / 10)\n" }.joined()
    try scratch.put("speeds", speeds)
    let tool = try #require(Tool.path)
    let run = try ProgramRun(
      "/bin/sh",
      [
        "-c",
        "cat '\(scratch.path)/speeds' | '\(tool)' run --gpsd none --imu none --wheel - --duration 2.5",
      ])
    let (said, errors) = (run.output, run.errors)
    #expect(run.status == 0 && errors.contains("the standard input has ended"), "\(errors)")
    #expect(said.split(separator: "\n").count >= 2, "\(said)")
  }

  /// libiio complains of a capture that is cut off; one that streams is ended in order.
  @Test func aNetworkIMUIsLeftWithoutComplaint() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    let feed = try IMUFeed(server)
    defer { feed.stop() }
    let run = try Tool.run(["run", "--gpsd", "none", "--imu", server.uri], interruptedAfter: 3)
    #expect(run.status == 0 && run.output.contains("Hz"), "\(run)")
    #expect(!run.errors.contains("ERROR"), "\(run.errors)")
  }

  @Test func onceWithoutAPositionEndsWithFour() throws {
    let run = try Tool.run(["run", "--once", "--duration", "1"] + Self.nowhere)
    #expect(run.status == 4)
  }

  @Test(arguments: [
    ["--gpsd", "host:port"], ["--imu", "serial:"], ["--imu-rate", "1"], ["--rate", "0"],
    ["--duration", "-1"],
    ["--output", "track.xyz"], ["--output", "/nowhere/at/all.csv"], ["--wheel", ""],
  ])
  func unusableArgumentsOfRunEndWithTwo(arguments: [String]) throws {
    let run = try Tool.run(["run"] + arguments)
    #expect(run.status == 2, "\(run.errors)")
  }

  @Test func doctorSaysWhatIsWrongAndWhatToDo() throws {
    let run = try Tool.run(["doctor", "--duration", "2"] + Self.nowhere)
    #expect(run.status == 1)
    #expect(run.output.contains("FAULT") && run.output.contains("→") && run.output.contains("gpsd"))
    let json = try Tool.run(["doctor", "--duration", "2", "--json"] + Self.nowhere)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["usable"] as? Bool == false)
    #expect((document["findings"] as? [[String: Any]])?.isEmpty == false)
  }
}
