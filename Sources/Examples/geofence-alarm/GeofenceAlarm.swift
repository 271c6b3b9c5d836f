// Tells when the car leaves a circle of 200 m about where it stood when the alarm was first set. The circle
// is kept by the service: it survives a restart of this program, of the service and of the computer, and a
// crossing meanwhile is told on return: swift run geofence-alarm
import Glibc
import Location
import Release

@main
enum GeofenceAlarm {
  static func main() async throws {
    if CommandLine.arguments.dropFirst() == ["--version"] {
      return print("geofence-alarm \(Release.version)")
    }
    let manager = try LocationManager(identifier: "com.example.alarm", purpose: "guards the parked car")
    var isSet = false
    for await event in manager.updates {
      switch event {
      case .authorizationChanged(.authorized, _), .status:
        if isSet { continue }
        isSet = await set(manager)
      case .region(let crossing) where crossing.kind == .exited:
        print("ALARM: the car has left \(crossing.identifier)")
      case .region(let crossing): print("the car is back at \(crossing.identifier)")
      case .regionMonitoringFailed(let identifier, let failure): print("\(identifier): \(failure)")
      case .failed(let error): print("-- \(error)")
      default: break
      }
      fflush(nil)  // a log or a pipe has it now as well
    }
  }

  /// Whether the alarm is set, now or since an earlier run.
  private static func set(_ manager: LocationManager) async -> Bool {
    do {
      if let region = try await manager.monitoredRegions().first {
        print("the alarm of an earlier run is set: \(region.identifier), \(region.radius) m")
        return true
      }
      let here = try await manager.bestOf(5, within: 30)
      manager.startMonitoring(for: Region(identifier: "parking", center: here.coordinate, radius: 200))
      print("the alarm is set at \(here)")
      return true
    } catch {
      print("-- \(error); trying again")
      return false
    }
  }
}
