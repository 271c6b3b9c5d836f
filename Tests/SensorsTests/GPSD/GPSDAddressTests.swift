import Sensors
import Testing

struct GPSDAddressTests {
  @Test(
    arguments: [
      ("", "localhost", 2947, nil), ("host", "host", 2947, nil), ("host:1234", "host", 1234, nil),
      (":1234", "localhost", 1234, nil), ("host::/dev/x", "host", 2947, "/dev/x"),
      ("host:1:tcp://127.0.0.1:99", "host", 1, "tcp://127.0.0.1:99"),
      ("::/dev/x", "localhost", 2947, "/dev/x"),
      ("/dev/ttyACM0", "localhost", 2947, "/dev/ttyACM0"), ("[::1]", "::1", 2947, nil),
      ("[fe80::1%eth0]:99:/dev/x", "fe80::1%eth0", 99, "/dev/x"),
    ] as [(String, String, UInt16, String?)])
  func isReadAsGPSDsClientsDo(text: String, host: String, port: UInt16, device: String?) throws {
    let address = try GPSDAddress(text)
    #expect(address == GPSDAddress(host: host, port: port, device: device))
    #expect(try GPSDAddress(address.description) == address)
  }

  @Test(arguments: ["host:0", "host:x", "host:70000", "host:-1", "[::1", "[]", "[::1]x", "host:1:"])
  func whatIsNoneIsRefused(text: String) {
    #expect(throws: SourceError.self) { try GPSDAddress(text) }
  }
}
