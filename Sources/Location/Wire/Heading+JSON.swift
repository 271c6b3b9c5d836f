import JSON
import Navigation

extension Heading {
  package var json: JSON {
    .members([
      "trueHeadingDegrees": .number(trueHeadingDegrees),
      "headingAccuracyDegrees": .number(headingAccuracyDegrees),
      "timestamp": .integer(timestamp.nanoseconds), "utc": utc.map { .integer($0.nanoseconds) },
    ])
  }

  package init?(json: JSON?) {
    guard let json, let degrees = json["trueHeadingDegrees"]?.double,
      let accuracy = json["headingAccuracyDegrees"]?.double, let time = json["timestamp"]?.integer
    else { return nil }
    self.init(
      trueHeadingDegrees: degrees, headingAccuracyDegrees: accuracy, timestamp: Timestamp(nanoseconds: time),
      utc: json["utc"]?.integer.map { Timestamp(nanoseconds: $0) })
  }
}
