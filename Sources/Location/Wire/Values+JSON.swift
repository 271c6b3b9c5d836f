import JSON
import Navigation

extension NavigationMode {
  package init?(word: String?) {
    guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mode
  }
}

extension LocationSources {
  private static let table: [(LocationSources, String)] = [
    (.gnss, "gnss"), (.inertial, "inertial"), (.wheel, "wheel"), (.simulated, "simulated"),
    (.cached, "cached"), (.refined, "refined"), (.reduced, "reduced"), (.wifi, "wifi"), (.cell, "cell"),
  ]

  /// The words of the protocol.
  var words: [String] { Self.table.filter { contains($0.0) }.map(\.1) }

  /// Words that this version does not know are left out.
  init(words: [String]) {
    self = Self.table.filter { words.contains($0.1) }.reduce(into: []) { $0.insert($1.0) }
  }

  package var json: JSON { .array(words.map { .string($0) }) }

  package init(json: JSON?) { self.init(words: (json?.array ?? []).compactMap(\.string)) }
}

extension Location {
  /// What is not valid is left out.
  package var json: JSON {
    func valid(_ accuracy: Double, _ value: Double) -> JSON? { accuracy >= 0 ? .number(value) : nil }
    return .members([
      "latitudeDegrees": .number(coordinate.latitudeDegrees),
      "longitudeDegrees": .number(coordinate.longitudeDegrees),
      "horizontalAccuracy": valid(horizontalAccuracy, horizontalAccuracy),
      "altitude": altitude.flatMap { valid(verticalAccuracy, $0) },
      "ellipsoidalAltitude": valid(verticalAccuracy, ellipsoidalAltitude),
      "verticalAccuracy": valid(verticalAccuracy, verticalAccuracy),
      "courseDegrees": valid(courseAccuracyDegrees, courseDegrees),
      "courseAccuracyDegrees": valid(courseAccuracyDegrees, courseAccuracyDegrees),
      "headingDegrees": valid(headingAccuracyDegrees, headingDegrees),
      "headingAccuracyDegrees": valid(headingAccuracyDegrees, headingAccuracyDegrees),
      "speed": valid(speedAccuracy, speed), "signedSpeed": valid(speedAccuracy, signedSpeed),
      "speedAccuracy": valid(speedAccuracy, speedAccuracy),
      "timestamp": .integer(timestamp.nanoseconds), "utc": utc.map { .integer($0.nanoseconds) },
      "sources": sources.json, "mode": mode.map { .string($0.word) },
      "floor": floor.map { .integer(Int64($0.level)) },
    ])
  }

  package init?(json: JSON?) {
    guard let json, let latitude = json["latitudeDegrees"]?.double,
      let longitude = json["longitudeDegrees"]?.double, let time = json["timestamp"]?.integer
    else { return nil }
    func number(_ key: String, _ missing: Double) -> Double { json[key]?.double ?? missing }
    self.init(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      horizontalAccuracy: number("horizontalAccuracy", -1), timestamp: Timestamp(nanoseconds: time),
      utc: json["utc"]?.integer.map { Timestamp(nanoseconds: $0) },
      sources: LocationSources(json: json["sources"]), mode: NavigationMode(word: json["mode"]?.string))
    altitude = json["altitude"]?.double
    ellipsoidalAltitude = number("ellipsoidalAltitude", 0)
    verticalAccuracy = number("verticalAccuracy", -1)
    courseDegrees = number("courseDegrees", 0)
    courseAccuracyDegrees = number("courseAccuracyDegrees", -1)
    headingDegrees = number("headingDegrees", 0)
    headingAccuracyDegrees = number("headingAccuracyDegrees", -1)
    speed = number("speed", 0)
    signedSpeed = number("signedSpeed", 0)
    speedAccuracy = number("speedAccuracy", -1)
    floor = json["floor"]?.integer.map { Floor(level: Int(clamping: $0)) }
  }
}

extension Region {
  package var json: JSON {
    .members([
      "identifier": .string(identifier), "latitudeDegrees": .number(center.latitudeDegrees),
      "longitudeDegrees": .number(center.longitudeDegrees), "radius": .number(radius),
      "notifyOnEntry": .bool(notifyOnEntry), "notifyOnExit": .bool(notifyOnExit),
    ])
  }

  package init?(json: JSON?) {
    guard let json, let identifier = json["identifier"]?.string,
      let latitude = json["latitudeDegrees"]?.double, let longitude = json["longitudeDegrees"]?.double,
      let radius = json["radius"]?.double
    else { return nil }
    func flag(_ key: String) -> Bool? {
      guard let member = json[key], member != .null else { return true }
      return member.bool
    }
    guard let entry = flag("notifyOnEntry"), let exit = flag("notifyOnExit") else { return nil }
    self.init(
      identifier: identifier,
      center: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), radius: radius,
      notifyOnEntry: entry, notifyOnExit: exit)
  }
}

extension RegionEvent {
  package var json: JSON {
    .members([
      "number": .integer(number), "identifier": .string(identifier), "kind": .string(kind.rawValue),
      "timestamp": .integer(timestamp.nanoseconds), "utc": utc.map { .integer($0.nanoseconds) },
    ])
  }

  package init?(json: JSON?) {
    guard let json, let number = json["number"]?.integer, let identifier = json["identifier"]?.string,
      let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
      let time = json["timestamp"]?.integer
    else { return nil }
    self.init(
      number: number, identifier: identifier, kind: kind, timestamp: Timestamp(nanoseconds: time),
      utc: json["utc"]?.integer.map { Timestamp(nanoseconds: $0) })
  }
}

extension LocationStatus {
  package var json: JSON {
    .members([
      "timestamp": .integer(timestamp.nanoseconds), "mode": mode.map { .string($0.word) },
      "unknown": unknown.map { .string($0.rawValue) },
      "horizontalAccuracy": horizontalAccuracy >= 0 ? .number(horizontalAccuracy) : nil,
      "lostSources": .array(lostSources.map { .string($0) }),
    ])
  }

  package init?(json: JSON?) {
    guard let json, let time = json["timestamp"]?.integer else { return nil }
    self.init(
      timestamp: Timestamp(nanoseconds: time), mode: NavigationMode(word: json["mode"]?.string),
      unknown: json["unknown"]?.string.flatMap(LocationError.UnknownReason.init(rawValue:)),
      horizontalAccuracy: json["horizontalAccuracy"]?.double ?? -1,
      lostSources: (json["lostSources"]?.array ?? []).compactMap(\.string))
  }
}
