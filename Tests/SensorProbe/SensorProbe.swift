import Glibc
import LinearAlgebra
import Navigation
import SensorEvents
import Sensors

/// `sensor-probe URI SECONDS [RATE]`: reads an IMU by ``IIOSource`` for so long and prints a line an event, with the bits of
/// its numbers, so that a test can compare them.
@main
enum SensorProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let address = IIOAddress(arguments[1]), let seconds = Double(arguments[2])
    else {
      print("usage: sensor-probe URI SECONDS [RATE]")
      exit(64)
    }
    var settings = IIOSettings()
    settings.address = address
    if arguments.count > 3, let rate = Double(arguments[3]) { settings.rate = rate }
    let source = try IIOSource(id: SourceID(0), settings: settings) { event in put(line(event.content)) }
    source.start()
    usleep(UInt32(seconds * 1e6))
    put("stopped \(source.stop(within: 2))")
  }

  /// A line, at once.
  static func put(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }

  static func line(_ content: SensorEvent.Content) -> String {
    switch content {
    case .inertial(let reading):
      "inertial \(reading.time.nanoseconds) \(reading.clock) \(text(reading.angularRate)) \(text(reading.specificForce))"
    case .temperature(let celsius): "temperature \(celsius)"
    case .lost(let count): "lost \(count)"
    case .status(let status): "status \(status.state) \(status.message)"
    default: "other"
    }
  }

  static func text(_ vector: Vector3) -> String { "\(vector.x) \(vector.y) \(vector.z)" }
}
