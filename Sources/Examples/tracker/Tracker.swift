// Prints the way of the car, a line every ten metres: swift run tracker
import Glibc
import Location
import Release

@main
enum Tracker {
  static func main() async throws {
    if CommandLine.arguments.dropFirst() == ["--version"] { return print("tracker \(Release.version)") }
    let manager = try LocationManager(identifier: "com.example.tracker", purpose: "draws the way")
    manager.distanceFilter = 10
    manager.startUpdatingLocation()
    for await event in manager.updates {
      switch event {
      case .locations(let locations): for location in locations { print(location) }
      case .failed(let error): print("-- \(error)")
      case .paused: print("-- the car stands")
      case .resumed: print("-- and moves on")
      default: break
      }
      fflush(nil)  // a log or a pipe has it now as well
    }
  }
}
