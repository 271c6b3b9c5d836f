// Logs a trip while the computer sleeps most of the time: a batch every kilometre or every
// minute: swift run trip-logger
import Glibc
import Location
import Release

@main
enum TripLogger {
  static func main() async throws {
    if CommandLine.arguments.dropFirst() == ["--version"] { return print("trip-logger \(Release.version)") }
    let manager = try LocationManager(identifier: "com.example.trips", purpose: "logs trips")
    manager.startUpdatingLocation()
    var length = 0.0
    var last: Location?
    var isDeferred = false
    for await event in manager.updates {
      switch event {
      case .locations(let batch):
        for location in batch {
          if let last { length += location.geodesicDistance(from: last) }
          last = location
        }
        print("\(batch.count) locations, \(Int(length)) m so far")
        // The first location shows that updates run, as deferral needs.
        if !isDeferred { manager.allowDeferredLocationUpdates(untilTraveled: 1000, timeout: 60) }
        isDeferred = true
      case .deferredFinished(_, let reason):
        isDeferred = reason.isSuccess
        if reason.isSuccess { manager.allowDeferredLocationUpdates(untilTraveled: 1000, timeout: 60) }
      case .failed(let error): print("-- \(error)")
      default: break
      }
      fflush(nil)  // a log or a pipe has it now as well
    }
  }
}
