import CLibrary
import CompatibleOutputs
import Foundation
import TestParts
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct NMEAOutputTests {
  private func settings(_ folder: ScratchFolder, permissions: UInt16 = 0o600) -> CompatibleOutputsSettings {
    var settings = CompatibleOutputsSettings()
    settings.gpsd = nil
    settings.nmeaSocket = .init(path: folder.path + "/nmea", permissions: permissions)
    settings.terminal = .init(link: folder.path + "/tty", permissions: permissions)
    return settings
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  /// Whole epochs of four sentences whose checksums hold, in order.
  private func expectEpochs(_ client: TestClient, _ count: Int) throws {
    var types: [String] = []
    while types.count < 4 * count {
      let line = try client.line()
      let sentence = try #require(ParsedSentence(line), "\(line)")
      if types.isEmpty, sentence.fields[0] != "GNGGA" { continue }
      types.append(sentence.fields[0])
    }
    let epoch = ["GNGGA", "GNRMC", "GNGST", "GNVTG"]
    #expect(types == Array(repeatElement(epoch, count: count).joined()))
  }

  @Test func socketAndTerminalHoldWholeSentences() async throws {
    let folder = ScratchFolder()
    try await withOutputs(settings(folder, permissions: 0o640)) { outputs in
      #expect(mode(folder.path + "/nmea") == 0o640)
      #expect(mode(folder.path + "/tty") == 0o640)
      // What a client says is read away.
      let client = try #require(TestClient(path: folder.path + "/nmea"))
      client.send([UInt8](repeating: 0x41, count: 100_000))
      let terminal = try #require(TestClient(terminal: folder.path + "/tty"))
      try await Publisher.running(outputs, hertz: 100) {
        try expectEpochs(client, 50)
        try expectEpochs(terminal, 50)
      }
    }
    // Nothing is left behind.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func aTerminalWithoutAReaderHoldsNothingBack() async throws {
    let folder = ScratchFolder()
    try await withOutputs(settings(folder)) { outputs in
      let path = folder.path + "/tty"
      let witness = try #require(TestClient(path: folder.path + "/nmea"))
      // Served from the first report on only once it has been let in.
      try await Task.sleep(for: .milliseconds(200))
      for round in 0..<3 {
        // Nobody there: these are lost, also what the last reader left unread.
        for i in 0..<50 {
          outputs.publish(Publisher.report(i, hertz: 1))
          try await Task.sleep(for: .milliseconds(2))
        }
        // The terminal is written before the socket: once the last has come here, none is on its way there.
        var witnessed = 0.0
        while abs(witnessed - Publisher.latitude(after: 49)) > 1e-7 {
          let sentence = try #require(ParsedSentence(try witness.line()))
          if sentence.fields[0] == "GNGGA" { witnessed = sentence.degrees(at: 2, digits: 2) ?? 0 }
        }
        let reader = try #require(TestClient(terminal: path))
        let first = 1000 * (round + 1)
        for i in first..<first + 50 {
          outputs.publish(Publisher.report(i, hertz: 1))
          try await Task.sleep(for: .milliseconds(2))
        }
        let sentence = try #require(ParsedSentence(try reader.line()))
        let latitude = try #require(sentence.degrees(at: 2, digits: 2))
        #expect(latitude >= Publisher.latitude(after: Double(first)) - 1e-7)
      }
    }
  }

  /// A reader that has the terminal open and does not read: sentences are dropped, never cut.
  @Test func aTerminalWhoseReaderStopsDropsWholeReports() async throws {
    let folder = ScratchFolder()
    try await withOutputs(settings(folder)) { outputs in
      let reader = try #require(TestClient(terminal: folder.path + "/tty"))
      for i in 0..<500 {
        outputs.publish(Publisher.report(i, hertz: 1))
        try await Task.sleep(for: .milliseconds(1))
      }
      try await Publisher.running(outputs, hertz: 50) { try expectEpochs(reader, 60) }
    }
  }

  @Test func aSocketThatIsServedIsLeftAlone() async throws {
    let folder = ScratchFolder()
    try await withOutputs(settings(folder)) { outputs in
      var second = settings(folder)
      second.terminal = nil
      let other = try CompatibleOutputs(second)
      await #expect(throws: CompatibleOutputsError.inUse(path: folder.path + "/nmea")) {
        try await other.start()
      }
      let client = try #require(TestClient(path: folder.path + "/nmea"))
      try await Publisher.running(outputs) { try expectEpochs(client, 2) }
    }
  }

  @Test func whatAKilledProcessLeftIsReplaced() async throws {
    let folder = ScratchFolder()
    // Bound, closed, not removed.
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(sockaddr_un(path: folder.path + "/nmea")?.withAddress { bind(descriptor, $0, $1) } == 0)
    close(descriptor)
    #expect(symlink("/dev/pts/9999", folder.path + "/tty") == 0)
    try await withOutputs(settings(folder)) { outputs in
      let client = try #require(TestClient(path: folder.path + "/nmea"))
      let terminal = try #require(TestClient(terminal: folder.path + "/tty"))
      try await Publisher.running(outputs) {
        try expectEpochs(client, 2)
        try expectEpochs(terminal, 2)
      }
    }
  }

  @Test func filesOfOthersAreNeverReplaced() async throws {
    for name in ["nmea", "tty"] {
      for isLink in [false, true] {
        let folder = ScratchFolder()
        let path = folder.path + "/" + name
        if isLink {
          #expect(symlink("/etc/passwd", path) == 0)
        } else {
          #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
        }
        let outputs = try CompatibleOutputs(settings(folder))
        await #expect(throws: CompatibleOutputsError.wouldOverwrite(path: path)) {
          try await outputs.start()
        }
        // It is still there, and nothing of ours is.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
      }
    }
  }

  @Test func aFolderThatIsNotThereIsAnError() async throws {
    for change: (inout CompatibleOutputsSettings) -> Void in [
      { $0.nmeaSocket?.path = "/tmp/reckon-no-such-folder/nmea" },
      { $0.terminal?.link = "/tmp/reckon-no-such-folder/tty" },
    ] {
      let folder = ScratchFolder()
      var settings = settings(folder)
      change(&settings)
      let outputs = try CompatibleOutputs(settings)
      await #expect(throws: CompatibleOutputsError.self) { try await outputs.start() }
    }
  }

  /// Whoever stops reading a socket costs the others nothing, and is closed.
  @Test func aSocketClientThatStopsReadingIsClosed() async throws {
    let folder = ScratchFolder()
    var settings = settings(folder)
    settings.stallLimitSeconds = 1
    try await withOutputs(settings) { outputs in
      let stopped = try #require(TestClient(path: folder.path + "/nmea"))
      let good = try #require(TestClient(path: folder.path + "/nmea"))
      try await Publisher.running(outputs, hertz: 100) {
        try expectEpochs(good, 250)
        var bytes = 0
        while let line = try? stopped.line(within: 2) { bytes += line.utf8.count }
        #expect(bytes < 200_000)
      }
    }
  }
}
