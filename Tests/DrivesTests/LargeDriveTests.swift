#if os(Linux)
  import Drives
  import Foundation
  import Glibc
  import LinearAlgebra
  import Navigation
  import Testing

  /// Reading a drive much larger than memory, and fast.
  @Suite(.serialized) struct LargeDriveTests {
    #if DEBUG
      static let megabytes = 16
    #else
      static let megabytes = 2048
    #endif

    @Test(.timeLimit(.minutes(2))) func memoryDoesNotGrowWithTheFile() throws {
      let drive = try Scratch.drive([:])
      let pipe = drive("imu.csv")
      try #require(mkfifo(pipe, 0o600) == 0)
      // Held open for both ends, so that opening never waits; the header stands ready for DriveReader.init.
      let descriptor = open(pipe, O_RDWR | O_CLOEXEC | O_NONBLOCK)
      try #require(descriptor >= 0)
      let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ, which Glibc's overlay leaves out
      _ = fcntl(descriptor, setPipeSize, 1 << 20)
      let header = Array(Rows.imuHeader.utf8)
      try #require(Glibc.write(descriptor, header, header.count) == header.count)
      let reader = try DriveReader(path: drive.path)
      let before = try #require(Self.peakKilobytes())
      let rows = Self.megabytes << 20 / Feed.rowLength
      Thread.detachNewThread { Feed.run(into: descriptor, rows: rows, header: header) }
      var samples = try reader.samples()
      var count = 0
      var last = Timestamp(seconds: -1)
      while let sample = try samples.next() {
        count += 1
        last = sample.time
      }
      #expect(count == rows)
      #expect(last == Timestamp(nanoseconds: Int64(rows - 1) * 5_000_000))
      #expect(samples.rejections[0].total == 0)
      let growth = try #require(Self.peakKilobytes()) - before
      print("\(rows) rows, \(Self.megabytes) MB: peak memory grew by \(growth) kB")
      #expect(growth < 200 * 1024, "peak memory grew by \(growth) kB")
    }

    @Test func hourAtTwoHundredHertzReadsWholeAndSaysHowFast() throws {
      let scratch = Scratch()
      let rows = 720_000
      var writer = try DriveWriter(path: scratch("hour"), description: DriveDescription(name: "hour"))
      for i in 0..<rows {
        let x = Double(i % 997) / 1000 - 0.5
        try writer.write(
          .inertial(
            InertialSample(
              time: Timestamp(nanoseconds: Int64(i) * 5_000_000), angularRate: Vector3(x, -x, 0.1234567),
              specificForce: Vector3(-x, x * 3, -9.806650 + x))))
      }
      try writer.finish()
      let clock = ContinuousClock()
      var count = 0
      let elapsed = try clock.measure {
        var samples = try DriveReader(path: scratch("hour")).samples()
        while try samples.next() != nil { count += 1 }
      }
      let bytes = try scratch.bytes("hour/imu.csv").count
      print("\(count) rows, \(bytes) bytes: read in \(elapsed)")
      #expect(count == rows)
    }

    /// Peak resident memory of this process so far.
    private static func peakKilobytes() -> Int? {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
  }

  /// Writes imu.csv into a pipe, rows of one length whose time counts up in steps of 5 ms.
  private enum Feed {
    static let tail = Array(",0.0123457,-0.0023457,0.1123457,0.123457,-0.223457,-9.806651\n".utf8)
    static let digits = 12
    static var rowLength: Int { digits + tail.count }

    static func run(into descriptor: Int32, rows: Int, header: [UInt8]) {
      defer { close(descriptor) }
      guard send(header, to: descriptor) else { return }
      let rowsPerBlock = 4096
      var block = [UInt8](repeating: 0, count: 0)
      for first in stride(from: 0, to: rows, by: rowsPerBlock) {
        block.removeAll(keepingCapacity: true)
        for row in first..<min(first + rowsPerBlock, rows) { append(row, to: &block) }
        guard send(block, to: descriptor) else { return }
      }
    }

    private static func append(_ row: Int, to block: inout [UInt8]) {
      var milliseconds = row * 5
      let start = block.count
      block.append(contentsOf: repeatElement(48, count: digits))
      block[start + digits - 4] = UInt8(ascii: ".")
      for place in stride(from: digits - 1, through: 0, by: -1) where place != digits - 4 {
        block[start + place] = 48 + UInt8(milliseconds % 10)
        milliseconds /= 10
      }
      block.append(contentsOf: tail)
    }

    /// Sends all of it; gives up when nobody reads for ten seconds.
    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          sent += count
          continue
        }
        guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&wait, 1, 10_000) == 0 { return false }
      }
      return true
    }
  }
#endif
