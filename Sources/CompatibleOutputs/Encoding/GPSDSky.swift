import Navigation
import SensorEvents

extension GPSDReports {
  /// Satellites a report holds at most, and bytes they may take: libgps refuses more than 140, and gpsd's own
  /// lines end at 10,240 bytes, which a POLL has to share with the rest.
  static let maximumSatellites = 140
  static let maximumSkyBytes = 8_000

  /// The satellites in view; those in use come first when not all fit.
  package func sky(_ reading: SkyReading?, utcNanoseconds: Int64?) -> [UInt8] {
    var object = JSONObject(class: "SKY")
    object.string("device", device)
    if let utcNanoseconds {
      object.string("time", CalendarTime.iso8601(utcNanoseconds: utcNanoseconds))
    }
    object.number("hdop", reading?.hdop, decimals: 2)
    object.integer("nSat", max(0, reading?.visible ?? 0))
    object.integer("uSat", max(0, reading?.used ?? 0))
    guard let reading, !reading.satellites.isEmpty else { return object.bytes }

    var told: [[UInt8]] = []
    var length = 0
    let inUse = reading.satellites.filter(\.isUsed)
    for satellite in inUse + reading.satellites.filter({ !$0.isUsed }) {
      let bytes = self.satellite(satellite)
      length += bytes.count + 1
      guard told.count < Self.maximumSatellites, length <= Self.maximumSkyBytes else { break }
      told.append(bytes)
    }
    object.array("satellites", told)
    return object.bytes
  }

  private func satellite(_ satellite: SkyReading.Satellite) -> [UInt8] {
    var object = JSONObject()
    object.integer("PRN", Int(satellite.number))
    if let number = Self.numberInConstellation(satellite) {
      object.integer("gnssid", Int(satellite.constellation))
      object.integer("svid", number)
    }
    object.number("az", satellite.azimuthDegrees, decimals: 1)
    object.number("el", satellite.elevationDegrees, decimals: 1)
    object.number("ss", satellite.strength, decimals: 1)
    object.boolean("used", satellite.isUsed)
    return object.bytes
  }

  /// The number within the constellation behind gpsd's PRN, which follows NMEA 2 to 4.0; nil where the two do
  /// not agree, as gpsd's clients ignore a constellation without one.
  static func numberInConstellation(_ satellite: SkyReading.Satellite) -> Int? {
    let number = Int(satellite.number)
    switch (satellite.constellation, number) {
    case (0, 1...32): return number
    case (1, 33...64): return number + 87
    case (1, 120...158): return number
    case (2, 301...336): return number - 300
    case (3, 201...263): return number - 200
    case (3, 401...463): return number - 400
    case (5, 193...202): return number - 192
    case (6, 65...96): return number - 64
    default: return nil
    }
  }
}
