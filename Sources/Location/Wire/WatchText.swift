import JSON
import Navigation

/// What a manager tells, line by line, for `reckon watch`.
package enum WatchText {
  /// When `location` holds, then the location: the time is UTC, or seconds since boot where nobody has told
  /// it.
  package static func line(_ location: Location) -> String {
    "\(time(location.utc, location.timestamp)) \(location)"
  }

  /// An event as a JSON object on one line: `type` as in the protocol, times in ISO 8601. Nil for what is no
  /// event of the car or the service.
  package static func json(_ event: LocationEvent) -> [String] {
    func object(_ type: String, _ members: KeyValuePairs<String, JSON?>) -> [String] {
      [JSON.message(type, members).text]
    }
    func text(_ value: some CustomStringConvertible) -> JSON { .string(value.description) }
    switch event {
    case .locations(let locations):
      return locations.flatMap { object("location", ["location": $0.json.withTextOfUTC]) }
    case .significantChange(let locations):
      return locations.flatMap { object("significantChange", ["location": $0.json.withTextOfUTC]) }
    case .refused(let service, let error):
      return object(
        "refused", ["service": .string(service.rawValue), "failure": error.json, "text": text(error)])
    case .heading(let heading): return object("heading", ["heading": heading.json.withTextOfUTC])
    case .visit(let visit): return object("visit", ["visit": visit.json.withTextOfUTC])
    case .failed(let error): return object("failed", ["failure": error.json, "text": text(error)])
    case .authorizationChanged(let status, let accuracy):
      return object("authorization", ["grant": AuthorizationPolicy.Grant(status, accuracy).json])
    case .paused: return object("paused", [:])
    case .resumed: return object("resumed", [:])
    case .region(let event): return object("regionEvent", ["event": event.json.withTextOfUTC])
    case .regionMonitoringStarted(let identifier):
      return object("regionStarted", ["identifier": .string(identifier)])
    case .regionMonitoringFailed(let identifier, let failure):
      return object(
        "regionFailed", ["identifier": .string(identifier), "failure": failure.json, "text": text(failure)])
    case .deferredFinished(let number, let reason):
      return object("deferredFinished", ["number": .integer(number), "reason": .string(reason.rawValue)])
    case .status(let status): return object("status", ["status": status.json])
    }
  }

  private static func time(_ utc: Timestamp?, _ timestamp: Timestamp) -> String {
    if let utc { return utc.utcText }
    let milliseconds = timestamp.nanoseconds / 1_000_000
    let decimals = String(abs(milliseconds % 1000))
    return "boot+\(milliseconds / 1000).\(String(repeating: "0", count: 3 - decimals.count))\(decimals)s"
  }
}

extension JSON {
  /// The same with its times of UTC in ISO 8601.
  fileprivate var withTextOfUTC: JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard ["utc", "arrival", "departure"].contains(member.key), let time = member.value.integer else {
          return member
        }
        return .init(key: member.key, value: .string(Timestamp(nanoseconds: time).utcText))
      })
  }
}
