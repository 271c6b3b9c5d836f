import CLibrary
import Foundation
import Location
import LocationService
import TestParts
import Testing

/// Which devices a `reckond` has open, by a real gpsd and a server of iiod's protocol.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct HardwareDemandTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// Connections of this computer to a port of the loopback.
  private func connections(to port: UInt16) -> Int {
    var text = ""
    if let file = fopen("/proc/net/tcp", "r") {
      defer { fclose(file) }
      while case let byte = fgetc(file), byte != EOF {
        text.unicodeScalars.append(UnicodeScalar(UInt8(byte)))
      }
    }
    let peer = "0100007F:" + String(format: "%04X", Int(port))
    return text.split(separator: "\n").count { line in
      let words = line.split(separator: " ")
      return words.count > 3 && words[2] == peer && words[3] == "01"
    }
  }

  private func isLocated(_ client: RawClient, by sources: LocationSources) -> Bool {
    client.first(within: 20) { message in
      guard case .locations(_, _, let list) = message else { return false }
      return list.last?.sources == sources
    } != nil
  }

  private func settings(_ accuracy: DesiredAccuracy) -> StandardService.Settings {
    var settings = StandardService.Settings()
    settings.desiredAccuracy = accuracy
    return settings
  }

  @Test func rule1OnlyTheHardwareOfTheStrictestClientRunsAndNoneAfterTheLastStop() throws {
    let receiver = try UBXReceiver(interval: 0.2)
    let gpsd = try RealGPSD(sources: [receiver.path], isReadOnly: false)
    defer { gpsd.kill() }
    let iiod = try IIODServer([.imu()])
    defer { iiod.stop() }
    let feed = try IMUFeed(iiod)
    defer { feed.stop() }
    let wheel = folder + "/wheel"
    func isWheelOpen() -> Bool { FileManager.default.fileExists(atPath: wheel) }
    func isIMUOpen() -> Bool { iiod.isOpen("iio:device0") }
    let daemon = try Daemon(
      folder, drive: nil,
      settings: """
        [sensors]
        gpsd = "127.0.0.1:\(gpsd.port)"
        imu = "\(iiod.uri)"
        wheel = "\(wheel)"
        patience_seconds = 1
        gnss_rate = "demand"

        """)
    let (navigator, logger) = (try daemon.client(), try daemon.client())
    // Nobody has asked for anything yet.
    usleep(500_000)
    #expect(!isIMUOpen() && connections(to: gpsd.port) == 0 && !isWheelOpen())

    navigator.say(.start(session: 1))
    #expect(isLocated(navigator, by: [.gnss, .inertial]))
    #expect(isIMUOpen() && isWheelOpen() && connections(to: gpsd.port) == 1)
    logger.say(.configure(settings(.threeKilometers)))
    logger.say(.start(session: 1))
    #expect(isLocated(logger, by: [.gnss, .inertial]), "another client's better locations come for free")

    // Only one is left, whom the receiver is enough for.
    navigator.say(.stop())
    #expect(becomesTrue(within: 10) { !isIMUOpen() && !isWheelOpen() })
    #expect(becomesTrue(within: 15) { receiver.settings.last == 1 })
    #expect(isLocated(logger, by: .gnss))
    // Sensors that rest are not lost ones, and a receiver that is slower is not silent.
    let alarm = logger.first(within: 4) { message in
      guard case .status(let status) = message else { return false }
      return !status.lostSources.isEmpty
    }
    #expect(alarm == nil, "\(String(describing: alarm))")
    #expect(!isIMUOpen() && connections(to: gpsd.port) == 1)

    navigator.say(.start(session: 2))
    #expect(becomesTrue(within: 10) { isIMUOpen() && isWheelOpen() })
    #expect(isLocated(navigator, by: [.gnss, .inertial]))
    #expect(becomesTrue(within: 15) { receiver.settings.last == 0.2 })

    navigator.say(.stop())
    logger.say(.stop())
    #expect(becomesTrue(within: 15) { !isIMUOpen() && !isWheelOpen() && connections(to: gpsd.port) == 0 })
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
  }

  /// A client that comes again within a minute finds everything as it was.
  @Test func rule1HardwareOutlastsAShortAbsence() throws {
    let iiod = try IIODServer([.imu()])
    defer { iiod.stop() }
    let feed = try IMUFeed(iiod)
    defer { feed.stop() }
    let daemon = try Daemon(
      folder, drive: nil,
      settings: "[sensors]\ngpsd = \"127.0.0.1:1\"\nimu = \"\(iiod.uri)\"\npatience_seconds = 60\n")
    let client = try daemon.client()
    client.say(.start(session: 1))
    #expect(becomesTrue(within: 15) { iiod.isOpen("iio:device0") })
    client.say(.stop())
    usleep(1_500_000)
    #expect(iiod.isOpen("iio:device0"))
    daemon.signal(SIGTERM)
    #expect(daemon.status(within: 10) == 0)
    #expect(becomesTrue(within: 5) { !iiod.isOpen("iio:device0") })
  }
}
