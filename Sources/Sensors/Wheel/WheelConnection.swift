import CLibrary
import Navigation
import SensorEvents

/// What comes in from one program that hands over wheel speeds.
struct WheelConnection {
  /// What came of reading once.
  struct Progress {
    /// Readings, oldest first.
    var readings: [WheelReading] = []
    /// Why the last line that could not be read could not.
    var refusal: String?
    /// How many lines could not be read.
    var refused = 0
    /// Whether the other side is gone.
    var hasEnded = false
  }

  /// Where it is read from.
  let descriptor: Int32
  private let answers: Bool
  private var state = WheelProtocol()
  private var line: [UInt8] = []
  private var isSkipping = false
  private var number = 0

  /// A connection; one that `answers` tells the other side of lines that cannot be read.
  init(descriptor: Int32, answers: Bool) {
    self.descriptor = descriptor
    self.answers = answers
    line.reserveCapacity(WheelProtocol.longestLine + 1)
  }

  /// Reads what is there, 4 KiB at most, and does not wait.
  mutating func receive() -> Progress {
    var progress = Progress()
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      progress.hasEnded = count == 0 || (errno != EAGAIN && errno != EINTR)
      return progress
    }
    for byte in bytes.prefix(count) { take(byte, &progress) }
    return progress
  }

  private mutating func take(_ byte: UInt8, _ progress: inout Progress) {
    guard byte == UInt8(ascii: "\n") else {
      if line.count < WheelProtocol.longestLine, !isSkipping { line.append(byte) } else { isSkipping = true }
      return
    }
    number += 1
    defer {
      line.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    do throws(WheelProtocol.Refusal) {
      if isSkipping { throw .init(reason: "longer than \(WheelProtocol.longestLine) bytes") }
      guard line.allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 0x09 || $0 == 0x0d }) else {
        throw .init(reason: "not plain text")
      }
      if let reading = try state.read(String(decoding: line, as: UTF8.self)) {
        progress.readings.append(reading)
      }
    } catch {
      progress.refused += 1
      progress.refusal = "line \(number): \(error.reason)"
      if answers { answer("error \(number) \(error.reason)\n") }
    }
  }

  /// Answers without waiting: who does not read answers gets none.
  private func answer(_ text: String) {
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }
}
