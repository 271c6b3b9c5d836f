import CLibrary
import Foundation
import SensorEvents
import Sensors
import TestParts
import Testing

/// A program that tells wheel speeds to a socket.
private final class Teller {
  private let descriptor: Int32

  /// Connects to `path`; nil where nobody listens.
  init?(_ path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    guard sockaddr_un(path: path)?.withAddress({ connect(descriptor, $0, $1) }) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Says `text`; whether all of it was taken, with no pause beyond 10 s.
  @discardableResult func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  @discardableResult func say(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 10_000) == 1 else { return false }
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// What has been answered within so many seconds.
  func answers(within seconds: Double = 2) -> String {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, Int32(seconds * 1000)) == 1 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Whether the other side has hung up within 2 s.
  var isHungUpOn: Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&ready, 1, 2000) == 1 && recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 0
  }
}

@Suite(.serialized) struct WheelSourceTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch("socket") }

  private func started(_ path: String, _ log: EventLog) throws -> SensorReader {
    let source = try SensorReader(id: SourceID(1), wheel: .socket(path: path), sink: log.sink)
    source.start()
    guard becomesTrue(within: 5, { log.has(.connected) }) else {
      throw ChildProcess.Failure(text: "\(log.statuses)")
    }
    return source
  }

  private func speeds(_ log: EventLog) -> [Double] {
    log.all.compactMap { if case .wheel(let reading) = $0.content { reading.speed } else { nil } }
  }

  @Test func linesBecomeReadingsHoweverTheyAreCut() throws {
    let log = EventLog()
    let source = try started(path, log)
    let teller = try #require(Teller(path))
    for piece in [
      "spe", "ed 1", "0.5\nspeed 11\ngear rev", "erse\n\n# parked\r\nspeed 2 yaw 0.1\r\nspeed 9",
    ] {
      teller.say(piece)
      usleep(20_000)
    }
    #expect(becomesTrue(within: 2) { speeds(log).count == 3 })
    #expect(speeds(log) == [10.5, 11, -2])
    #expect(log.has(.streaming))
    #expect(source.stop(within: 2))
    #expect(access(path, F_OK) != 0, "the socket is taken away")
  }

  @Test func linesThatCannotBeReadAreAnsweredCountedAndSaid() throws {
    let log = EventLog()
    let source = try started(path, log)
    defer { source.stop() }
    let teller = try #require(Teller(path))
    teller.say("speed 1\nspeed fast\nspeed 2\n")
    #expect(teller.answers() == "error 2 speed fast is not a number\n")
    #expect(becomesTrue(within: 2) { speeds(log) == [1, 2] })
    #expect(
      becomesTrue(within: 2) {
        log.has(.faulty, "1 lines cannot be read; line 2: speed fast is not a number")
      })
    usleep(1_100_000)
    teller.say("speed 3\n")
    #expect(becomesTrue(within: 2) { log.statuses.last?.state == .streaming })
  }

  @Test func hugeLineAndNoiseAreBoundedAndPassedOver() throws {
    let log = EventLog()
    let source = try started(path, log)
    defer { source.stop() }
    let teller = try #require(Teller(path))
    let isTaken = teller.say([UInt8](repeating: UInt8(ascii: "9"), count: 300_000))
    #expect(isTaken)
    teller.say("\nspeed 4\n")
    #expect(teller.answers().contains("longer than 256 bytes"))
    #expect(becomesTrue(within: 5) { speeds(log) == [4] })
    teller.say((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })
    teller.say("\nspeed 5\n")
    #expect(becomesTrue(within: 5) { speeds(log).last == 5 })
  }

  @Test func tellerThatNeverReadsItsAnswersHoldsNobodyUp() throws {
    let log = EventLog()
    let source = try started(path, log)
    defer { source.stop() }
    let rude = try #require(Teller(path))
    let isTaken = rude.say(String(repeating: "nonsense x\n", count: 20_000))
    #expect(isTaken)
    let polite = try #require(Teller(path))
    polite.say("speed 6\n")
    #expect(becomesTrue(within: 5) { speeds(log).contains(6) })
  }

  @Test func silenceAndLeavingAreSaidAndAnotherMayCome() throws {
    let log = EventLog()
    let source = try started(path, log)
    defer { source.stop() }
    var teller = Teller(path)
    teller?.say("speed 1\n")
    // Within 1 s by the promise; a busy machine may take longer.
    #expect(becomesTrue(within: 2.5) { log.has(.faulty, "no speed has come") })
    teller = nil
    #expect(becomesTrue(within: 2.5) { log.has(.lost, "has left") })
    let start = log.all.count
    let again = try #require(Teller(path))
    again.say("speed 2\n")
    #expect(becomesTrue(within: 2.5) { log.has(.streaming, from: start) })
  }

  @Test func fifthProgramIsSentAway() throws {
    let log = EventLog()
    let source = try started(path, log)
    defer { source.stop() }
    let tellers = (0..<5).compactMap { _ in Teller(path) }
    #expect(tellers.count == 5)
    #expect(tellers[4].isHungUpOn)
    tellers[3].say("speed 7\n")
    #expect(becomesTrue(within: 2) { speeds(log) == [7] })
  }

  @Test func socketLeftBehindIsReplacedAndALiveOneOrAFileIsNot() throws {
    let first = EventLog()
    let source = try started(path, first)
    let second = EventLog()
    let other = try SensorReader(id: SourceID(2), wheel: .socket(path: path), sink: second.sink)
    other.start()
    #expect(becomesTrue(within: 5) { second.has(.lost, "another program listens there") })
    #expect(source.stop(within: 2))
    #expect(becomesTrue(within: 10) { second.has(.connected) }, "it is free now")
    #expect(other.stop(within: 2))

    // Left behind: bound, and nobody listens.
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isBound = sockaddr_un(path: path)?.withAddress { bind(stale, $0, $1) } == 0
    close(stale)
    #expect(isBound)
    #expect(try started(path, EventLog()).stop(within: 2))

    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    let third = EventLog()
    let refused = try SensorReader(id: SourceID(2), wheel: .socket(path: path), sink: third.sink)
    refused.start()
    #expect(becomesTrue(within: 5) { third.has(.lost, "in use") })
    #expect(refused.stop(within: 2))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func folderThatIsNotThereIsSaid() throws {
    let log = EventLog()
    let source = try SensorReader(
      id: SourceID(1), wheel: .socket(path: "/nonexistent/wheel"), sink: log.sink)
    source.start()
    #expect(becomesTrue(within: 5) { log.has(.lost, "No such file") })
    #expect(source.stop(within: 2))
  }
}
