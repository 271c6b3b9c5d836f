import CLibrary
import Navigation
import SensorEvents
import Sensors

/// `sensor-probe URI SECONDS [RATE]`, or `sensor-probe barometer SECONDS URI[,DEVICE]`: reads an IMU by
/// ``IIOSource``, or a barometer by ``SensorReader``, for so long and prints a line an event, with the bits
/// of its numbers, so that a test can compare them.
@main
enum SensorProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "barometer", let seconds = Double(arguments[2]),
      let settings = BarometerSettings(arguments[3])
    {
      return run(
        try SensorReader(id: SourceID(0), barometer: settings) { event in put(line(event.content)) },
        seconds)
    }
    guard arguments.count >= 3, let address = IIOAddress(arguments[1]), let seconds = Double(arguments[2])
    else {
      print("usage: sensor-probe URI SECONDS [RATE]")
      exit(64)
    }
    var settings = IIOSettings()
    settings.address = address
    if arguments.count > 3, let rate = Double(arguments[3]) { settings.rate = rate }
    let source = try IIOSource(id: SourceID(0), settings: settings) { event in put(line(event.content)) }
    run(source, seconds)
  }

  private static func run(_ source: some SensorSource, _ seconds: Double) {
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
    case .pressure(let reading): "pressure \(reading.pressure)"
    case .temperature(let celsius): "temperature \(celsius)"
    case .lost(let count): "lost \(count)"
    case .status(let status): "status \(status.state) \(status.message)"
    default: "other"
    }
  }

  static func text(_ vector: Vector3) -> String { "\(vector.x) \(vector.y) \(vector.z)" }
}
