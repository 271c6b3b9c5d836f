import JSON
import Navigation

extension Visit {
  package var json: JSON {
    .members([
      "latitudeDegrees": .number(coordinate.latitudeDegrees),
      "longitudeDegrees": .number(coordinate.longitudeDegrees),
      "horizontalAccuracy": .number(horizontalAccuracy),
      "arrival": arrival.map { .integer($0.nanoseconds) },
      "departure": departure.map { .integer($0.nanoseconds) }, "sources": sources.json,
    ])
  }

  package init?(json: JSON?) {
    guard let json, let latitude = json["latitudeDegrees"]?.double,
      let longitude = json["longitudeDegrees"]?.double, let accuracy = json["horizontalAccuracy"]?.double
    else { return nil }
    self.init(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      horizontalAccuracy: accuracy, arrival: json["arrival"]?.integer.map { Timestamp(nanoseconds: $0) },
      departure: json["departure"]?.integer.map { Timestamp(nanoseconds: $0) },
      sources: LocationSources(json: json["sources"]))
  }
}

extension VisitMonitor.Stay {
  package var json: JSON {
    .members([
      "visit": visit.json, "since": .integer(since.nanoseconds), "isVisit": .bool(isVisit),
    ])
  }

  package init?(json: JSON?) {
    guard let json, let visit = Visit(json: json["visit"]), visit.coordinate.isValid,
      let since = json["since"]?.integer, let isVisit = json["isVisit"]?.bool
    else { return nil }
    self.init(visit: visit, since: Timestamp(nanoseconds: since), isVisit: isVisit)
  }
}
