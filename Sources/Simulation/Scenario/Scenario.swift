import CLibrary
import Essentials
import JSON
import Navigation

/// Everything that makes a simulated drive but its seed. <doc:Scenarios> describes the file.
public struct Scenario: Sendable, Equatable {
  /// Short name, which the drive bears too.
  public var name: String
  /// What it shows, in a sentence or two.
  public var summary = ""
  /// Seed to use where none is given.
  public var seed: UInt64 = 1
  /// Where the rear axle starts.
  public var start: GeodeticPosition
  /// Where the road leads at first, radians from north through east.
  public var heading: Double
  /// Who drives.
  public var driver = Driver()
  /// What is driven.
  public var vehicle = VehicleModel()
  /// The IMU.
  public var imu = IMUModel()
  /// The receiver.
  public var receiver = ReceiverModel()
  /// Wheel speed, where the car reports it.
  public var wheel: WheelModel?
  /// Air pressure, where there is a barometer.
  public var barometer: BarometerModel?
  /// The way.
  public var road: [RoadElement]

  /// A drive by a calm driver in a saloon with a phone-grade IMU and a car-grade receiver.
  public init(name: String, start: GeodeticPosition, heading: Double, road: [RoadElement]) {
    self.name = name
    self.start = start
    self.heading = heading
    self.road = road
  }

  /// The scenario of a file.
  public init(path: String) throws(SimulationError) {
    guard let bytes = SystemFile.bytes(of: path, atMost: JSONParser.Limits.file.bytes + 1) else {
      throw .unreadable(file: path, reason: SystemError.text())
    }
    try self.init(json: Data(bytes), file: path)
  }

  /// The scenario of a text; `file` is for messages.
  public init(json: Data, file: String = "scenario") throws(SimulationError) {
    let value = try Self.parsed(json, file: file)
    var reader = try ScenarioReader(value, file: file, path: "")
    name = try reader.string("name")
    summary = try reader.string("summary", default: "")
    seed = UInt64(try reader.number("seed", in: 0...9_007_199_254_740_992, default: 1))
    guard var place = try reader.object("start") else { throw .missingKey(file: file, key: "start") }
    start = GeodeticPosition(
      latitudeDegrees: try place.number("latitudeDegrees", in: -85...85),
      longitudeDegrees: try place.number("longitudeDegrees", in: -180...180),
      height: try place.number("heightMetres", in: -500...9000, default: 0))
    heading = Angle.radians(degrees: try place.number("headingDegrees", in: -360...360, default: 0))
    try place.finish()
    if var section = try reader.object("driver") { driver = try Driver(&section) }
    if var section = try reader.object("vehicle") { vehicle = try VehicleModel(&section) }
    if var section = try reader.object("imu") { imu = try IMUModel(&section) }
    if var section = try reader.object("receiver") { receiver = try ReceiverModel(&section) }
    if var section = try reader.object("wheel") { wheel = try WheelModel(&section) }
    if var section = try reader.object("barometer") { barometer = try BarometerModel(&section) }
    var parser = RoadParser()
    road = try parser.elements(try reader.objects("road"))
    try reader.finish()
  }

  private static func parsed(_ json: Data, file: String) throws(SimulationError) -> JSON {
    do { return try JSONParser.read(Array(json)[...], limits: .file) } catch {
      throw .notJSON(file: file, reason: error.description)
    }
  }
}
