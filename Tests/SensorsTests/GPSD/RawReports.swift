import CLibrary
import Foundation
import TestParts

/// What gpsd sends, read without libgps and without our reader: the oracle.
final class RawReports {
  /// A TPV with a position.
  struct Position: Equatable {
    var time: String?
    var latitude: Double
    var longitude: Double
    var height: Double?
    var eph: Double?
    var mode: Int
    var status: Int
    var hasVelocity: Bool
  }

  private let socket: Int32
  private var buffer = Data()
  private(set) var positions: [Position] = []

  /// Watches the gpsd at `port`.
  init(port: UInt16) throws {
    socket = CLibrary.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw ChildProcess.Failure(text: "no gpsd to watch") }
    let request = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
    guard send(socket, request, request.count, 0) == request.count, wait(for: "\"WATCH\"") else {
      throw ChildProcess.Failure(text: "gpsd takes no watch")
    }
  }

  deinit { close(socket) }

  private func wait(for word: String) -> Bool {
    for _ in 0..<50 {
      guard receive(within: 0.2) else { continue }
      if String(decoding: buffer, as: UTF8.self).contains(word) { return true }
    }
    return false
  }

  private func receive(within seconds: Double) -> Bool {
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, Int32(seconds * 1e3)) == 1 else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: chunk[..<count])
    return true
  }

  /// Reads until nothing more comes for `quiet` seconds, for at most 15.
  func drain(quiet: Double = 1.5) {
    let end = Date().addingTimeInterval(15)
    while Date() < end, receive(within: quiet) {}
    positions = Self.positions(buffer)
  }

  /// The positions among lines of JSON; other lines are left aside.
  static func positions(_ data: Data) -> [Position] {
    data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first == UInt8(ascii: "{"), let object = try? JSONSerialization.jsonObject(with: line),
        let fields = object as? [String: Any], fields["class"] as? String == "TPV",
        let mode = fields["mode"] as? Int, mode >= 2,
        let latitude = fields["lat"] as? Double, let longitude = fields["lon"] as? Double
      else { return nil }
      return Position(
        time: fields["time"] as? String, latitude: latitude, longitude: longitude,
        height: mode >= 3 ? fields["altHAE"] as? Double : nil, eph: fields["eph"] as? Double, mode: mode,
        status: fields["status"] as? Int ?? 1, hasVelocity: (fields["speed"] ?? fields["velN"]) != nil)
    }
  }
}
