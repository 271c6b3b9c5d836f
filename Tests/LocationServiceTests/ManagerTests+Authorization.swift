import CLibrary
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// Authorization that is denied, or taken back.
extension ManagerTests {
  @Test(arguments: Way.allCases) func authorizationDeniedIsToldAlsoToWhoListensLate(_ way: Way) async throws {
    let bench = try HostBench(rules: [.init(name: "*", user: nil, grant: .init(.denied))])
    let manager = try manager(way, bench)
    for _ in 0..<500 where manager.authorizationStatus != .denied {
      try await Task.sleep(for: .milliseconds(10))
    }
    let told = await first(manager, bench, publishing: false) { event -> Bool? in
      event == .failed(.denied(.deniedForClient)) ? true : nil
    }
    #expect(told == true)
    manager.close()
  }

  @Test(arguments: Way.allCases) func revokedWhileRunningTheManagerSaysDenied(_ way: Way) async throws {
    let bench = try HostBench()
    let manager = try manager(way, bench)
    manager.startUpdatingLocation()
    #expect(await authorized(manager))
    let waiting = Task {
      for await event in manager.updates { if event == .failed(.denied(.deniedForClient)) { return true } }
      return false
    }
    try await Task.sleep(for: .milliseconds(50))
    let client = ClientIdentity(name: "com.example.test", user: getuid())
    bench.host.decide(.init(.denied), for: client)
    #expect(await waiting.value)
    #expect(manager.authorizationStatus == .denied)
    await #expect(throws: LocationError.denied(.deniedForClient)) { try await manager.requestLocation() }
    // Let again, what was started goes on without another word.
    bench.host.decide(nil, for: client)
    let told = await first(manager, bench) { event -> Bool? in
      if case .locations = event { true } else { nil }
    }
    #expect(told == true)
    manager.close()
  }
}
