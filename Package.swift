// swift-tools-version: 6.2
import PackageDescription

// CI sets RECKON_STRICT=1: every warning is then an error. Users of the package never see it.
let strict = Context.environment["RECKON_STRICT"] == "1"
// scripts/sanitize sets RECKON_SANITIZE: see Sources/Locks.
let isThreadSanitized = Context.environment["RECKON_SANITIZE"] == "thread"
// scripts/package names the commit; without a name programs say that they do not know it.
let commit = (Context.environment["RECKON_COMMIT"] ?? "").filter {
  $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
}
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (isThreadSanitized ? [.define("SANITIZED_LOCKS")] : [])
  + (strict ? [.treatAllWarnings(as: .error)] : [])

/// A part of another package, for the service and the programs only: who takes `Fusion` by
/// `traits: []` fetches none.
func service(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Service"]))
}

let package = Package(
  name: "Reckon",
  products: [
    .library(name: "LinearAlgebra", targets: ["LinearAlgebra"]),
    .library(name: "Navigation", targets: ["Navigation"]),
    .library(name: "Fusion", targets: ["Fusion"]),
    .library(name: "Sensors", targets: ["Sensors", "SensorEvents"]),
    .library(name: "Persistence", targets: ["Persistence"]),
    .library(name: "Recording", targets: ["Recording"]),
    .library(name: "Location", targets: ["Location"]),
    .library(name: "LocationService", targets: ["LocationService"]),
    .library(name: "Drives", targets: ["Drives"]),
    .library(name: "Live", targets: ["Live", "SensorEvents"]),
    .library(name: "Simulation", targets: ["Simulation"]),
    .library(name: "Evaluation", targets: ["Evaluation"]),
    // For programs that measure, Benchmarks among them: it takes malloc's place in whatever links it.
    .library(name: "CAllocations", targets: ["CAllocations"]),
    .library(name: "CompatibleOutputs", targets: ["CompatibleOutputs"]),
    .executable(name: "reckon", targets: ["reckon"]),
    .executable(name: "reckond", targets: ["reckond"]),
  ],
  traits: [
    .default(enabledTraits: ["Service"]),
    .trait(
      name: "Service",
      description: "The service and the programs, with the packages they take; not with `traits: []`."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The C library, and what we take of Foundation, whatever the system calls them; and the calls that
    // several targets make of it.
    .target(name: "CLibrary", swiftSettings: settings),
    .target(name: "Essentials"),

    // One JSON value from bytes and back, strictly: no Foundation.
    .target(name: "JSON", swiftSettings: settings),

    // The numeric core: no I/O, no clock, no allocation after start.
    .target(name: "LinearAlgebra", dependencies: ["CLibrary"], swiftSettings: settings),
    .target(name: "Navigation", dependencies: ["CLibrary", "LinearAlgebra"], swiftSettings: settings),
    .target(
      name: "Fusion", dependencies: ["CLibrary", "LinearAlgebra", "Navigation"], swiftSettings: settings),

    // The version, in one place; the commit, which the build may be told.
    .target(name: "Release", swiftSettings: settings),
    .target(name: "CRelease", cSettings: [.define("RECKON_COMMIT", to: "\"\(commit)\"")]),

    // The standard library's Synchronization, but for the Mutex where ThreadSanitizer watches.
    .target(name: "Locks", dependencies: ["CLibrary"], swiftSettings: settings),

    // What sensors say: values only, for readers, recordings and the live engine alike.
    .target(name: "SensorEvents", dependencies: ["Navigation"], swiftSettings: settings),
    .systemLibrary(name: "CLibgps", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .systemLibrary(name: "CLibiio", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),

    // Clocks, health and the real-time loop, between what sensors say and where the car is.
    // A call of the system that Swift cannot make.
    .target(name: "CScheduler"),
    .target(
      name: "Live",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "Fusion", "CScheduler", "Locks",
      ],
      swiftSettings: settings),

    // Devices: one reader thread each, which posts SensorEvents.
    .target(
      name: "Sensors",
      dependencies: [
        "CLibrary", "LinearAlgebra", "Navigation", "SensorEvents", "CLibgps", "CLibiio", "Locks",
      ],
      swiftSettings: settings),

    // The fused position for programs that exist: gpsd's protocol and NMEA 0183.
    .target(
      name: "CompatibleOutputs",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "JSON",
        service("NIOCore", "swift-nio"),
        service("NIOConcurrencyHelpers", "swift-nio"),
        service("NIOPosix", "swift-nio"),
      ],
      swiftSettings: settings),

    // What outlasts a run, in files.
    .target(
      name: "Persistence", dependencies: ["CLibrary", "Essentials", "Fusion"],
      swiftSettings: settings),

    // Sensor events in an append-only log.
    .target(
      name: "Recording", dependencies: ["CLibrary", "Navigation", "SensorEvents", "Locks"],
      swiftSettings: settings),

    // What other programs see of it: Core Location's behaviour, as values and pure state machines.
    .target(
      name: "Location", dependencies: ["CLibrary", "Essentials", "Navigation", "JSON", "Locks", "Release"],
      swiftSettings: settings),
    // SQLite, as far as the service needs it: no Foundation, which is most of what a library
    // for it would bring along.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SQLite", dependencies: ["CSQLite", "Locks"], swiftSettings: settings),
    // Places from cells and access points that are heard, and a database of them.
    .target(
      name: "Coarse", dependencies: ["CLibrary", "Location", "Persistence", "SQLite", "CSQLite"],
      swiftSettings: settings),
    // What our pages in a browser have in common: how they look, and a map in metres.
    .target(name: "Pages", swiftSettings: settings),
    // Streets for these maps, from a file on this computer.
    .target(name: "Streets", dependencies: ["CLibrary", "Drives", "JSON"], swiftSettings: settings),
    // The service behind it: all clients in one state machine, the socket, what outlives a restart.
    .target(
      name: "LocationService",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "JSON", "Location", "Coarse", "Fusion",
        "Live",
        "Persistence", "Drives", "Locks", "Pages", "Streets", "SQLite", "CSQLite",
        service("Logging", "swift-log"),
        service("NIOCore", "swift-nio"),
        service("NIOHTTP1", "swift-nio"),
        service("NIOPosix", "swift-nio"),
        service("NIOWebSocket", "swift-nio"),
      ],
      swiftSettings: settings),
    // What our programs have in common: how they end, and where they write.
    .target(
      name: "Programs",
      dependencies: [
        "CLibrary", "Release", "CRelease", service("ArgumentParser", "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "reckond",
      dependencies: [
        "CAllocations", "CLibrary", "Navigation", "Fusion", "SensorEvents", "Sensors", "Live", "Drives",
        "Location",
        "LocationService",
        "CompatibleOutputs", "Locks", "Programs",
        service("ArgumentParser", "swift-argument-parser"),
        service("Logging", "swift-log"),
        service("ServiceLifecycle", "swift-service-lifecycle"),
        service("UnixSignals", "swift-service-lifecycle"),
      ],
      swiftSettings: settings),

    // Offline: drives in and out, made-up drives with truth, scores.
    .target(
      name: "Drives",
      dependencies: ["CLibrary", "Essentials", "Navigation", "SensorEvents", "JSON", "CGeoid"],
      swiftSettings: settings),
    // The geoid's grid, as bytes.
    .target(name: "CGeoid", exclude: ["egm96.gz"]),
    .target(
      name: "Simulation",
      dependencies: ["CLibrary", "Essentials", "LinearAlgebra", "Navigation", "JSON", "Drives"],
      swiftSettings: settings),
    .target(
      name: "Evaluation",
      dependencies: [
        "CLibrary", "Essentials", "LinearAlgebra", "Navigation", "SensorEvents", "JSON", "Fusion", "Live",
        "Recording", "Drives",
        "Locks", "Pages", "Streets",
      ],
      swiftSettings: settings),
    // Counts heap allocations of the process that links it; only programs do.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "reckon",
      dependencies: [
        "CLibrary", "Essentials", "CAllocations",
        "Navigation", "Fusion", "SensorEvents", "Sensors", "Live", "Persistence", "Recording", "Drives",
        "Simulation", "Evaluation", "JSON", "Location", "Coarse", "Locks", "Programs", "Release", "Streets",
        service("ArgumentParser", "swift-argument-parser"),
      ],
      swiftSettings: settings),

    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestParts"], swiftSettings: settings),
    .testTarget(
      name: "LinearAlgebraTests", dependencies: ["LinearAlgebra"], swiftSettings: settings),
    .testTarget(
      name: "NavigationTests", dependencies: ["CLibrary", "Navigation"],
      swiftSettings: settings),
    .testTarget(
      name: "FusionTests",
      dependencies: ["CLibrary", "Fusion", "Drives", "Simulation"],
      swiftSettings: settings),
    // Counterparts of real sensors for the tests of several targets.
    .target(
      name: "TestParts",
      dependencies: ["CLibrary", "Navigation", "SensorEvents", "Sensors"],
      path: "Tests/TestParts",
      swiftSettings: settings),
    // Prints what an IIOSource says: tests run it in namespaces of its own.
    .executableTarget(
      name: "sensor-probe",
      dependencies: ["CLibrary", "Navigation", "SensorEvents", "Sensors"],
      path: "Tests/SensorProbe", swiftSettings: settings),
    // Plays a drive to a gpsd and to clients of libiio: for scripts/soak.
    .executableTarget(
      name: "drive-feeder",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "Sensors", "Drives", "TestParts",
      ],
      path: "Tests/DriveFeeder", swiftSettings: settings),
    .testTarget(
      name: "SensorsTests",
      dependencies: [
        "CLibrary", "LinearAlgebra", "Navigation", "SensorEvents", "Sensors", "Fusion", "Live", "Recording",
        "Drives",
        "TestParts", "sensor-probe", "reckon", "Locks",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PersistenceTests",
      dependencies: ["CLibrary", "Fusion", "Persistence", "Simulation", "TestParts"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "Recording", "TestParts", "Locks",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CoarseTests", dependencies: ["CLibrary", "Location", "Coarse", "TestParts"],
      swiftSettings: settings),
    .testTarget(
      name: "LocationTests",
      dependencies: ["CLibrary", "Navigation", "Location", "TestParts"],
      swiftSettings: settings),
    // Programs to read and to run against a service.
    .executableTarget(
      name: "tracker", dependencies: ["Location", "Release"], path: "Sources/Examples/tracker",
      swiftSettings: settings),
    .executableTarget(
      name: "geofence-alarm", dependencies: ["Location", "Release"],
      path: "Sources/Examples/geofence-alarm",
      swiftSettings: settings),
    .executableTarget(
      name: "trip-logger", dependencies: ["Location", "Release"],
      path: "Sources/Examples/trip-logger",
      swiftSettings: settings),

    // Part of the tests: writes for ever, to be killed.
    .executableTarget(
      name: "store-torture", dependencies: ["CLibrary", "Navigation", "Location", "LocationService"],
      path: "Tests/StoreTorture", swiftSettings: settings),
    .testTarget(
      name: "StreetsTests", dependencies: ["Pages", "Streets", "TestParts"], swiftSettings: settings),
    .testTarget(
      name: "LocationServiceTests",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "JSON", "Location", "Coarse",
        "LocationService",
        "Fusion", "Sensors", "Simulation", "TestParts", "Locks", "Release", "reckond", "reckon",
        "store-torture", "tracker", "geofence-alarm", "trip-logger",
        "SQLite", "Streets", service("Logging", "swift-log"),
        service("NIOCore", "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DrivesTests", dependencies: ["CLibrary", "Navigation", "Drives", "TestParts"],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CLibrary", "LinearAlgebra", "Navigation", "Drives", "Simulation"],
      swiftSettings: settings),
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "Navigation", "SensorEvents", "Fusion", "Live", "Drives", "Simulation", "TestParts",
        "Locks",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "CLibrary", "Navigation", "SensorEvents", "JSON", "Fusion", "Live", "Recording", "Drives",
        "Simulation",
        "Evaluation", "Sensors", "TestParts", "Locks", "Release", "Programs", "Streets",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CompatibleOutputsTests",
      dependencies: ["CLibrary", "Navigation", "SensorEvents", "CompatibleOutputs", "TestParts"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// scripts/mutate names the tests that it runs: nothing is built but these and what they need.
if let named = Context.environment["RECKON_TESTS"] {
  var needed = Set(named.split(separator: ",").map(String.init))
  // Some tests run the command.
  if needed.contains("EvaluationTests") { needed.insert("reckon") }
  for _ in package.targets {
    for target in package.targets where needed.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll()
}
