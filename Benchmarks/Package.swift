// swift-tools-version: 6.2
import PackageDescription

// No third-party benchmark library: measured on Linux, the allocation column of the usual one
// (ordo-one/benchmark) reads a false 0, its instruction row is missing, and it takes six minutes to
// build cold on two cores.
let strict = Context.environment["RECKON_STRICT"] == "1"
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (strict ? [.treatAllWarnings(as: .error)] : [])

let core: [Target.Dependency] = ["LinearAlgebra", "Navigation", "Fusion"].map {
  .product(name: $0, package: "Reckon")
}

/// Counts heap allocations; one definition serves `reckon` and us.
let counter: Target.Dependency = .product(name: "CAllocations", package: "Reckon")

let package = Package(
  name: "ReckonBenchmarks",
  dependencies: [.package(name: "Reckon", path: "..")],
  targets: [
    // Pins threads, and does fixed work.
    .target(name: "CMachine"),
    // The same filter in C++, on Eigen where it is installed. A root package may ask for -O3.
    .target(name: "EigenPeer", cxxSettings: [.unsafeFlags(["-O3"])]),
    // What the programs share: clock, statistics, the made-up drive, steps of fixed work, callgrind.
    .target(
      name: "Measuring", dependencies: ["CMachine", .product(name: "Live", package: "Reckon")] + core,
      swiftSettings: settings),

    .executableTarget(
      name: "latency",
      dependencies: [
        "CMachine", "EigenPeer", "Measuring", counter, .product(name: "Live", package: "Reckon"),
      ] + core,
      swiftSettings: settings),
    // From a solution to a hundred clients of the service, one of which never reads.
    .executableTarget(
      name: "delivery",
      dependencies: [
        "Measuring", .product(name: "Drives", package: "Reckon"),
        .product(name: "Location", package: "Reckon"),
        .product(name: "LocationService", package: "Reckon"),
      ] + core,
      swiftSettings: settings),
    .executableTarget(name: "compare", dependencies: ["Measuring"], swiftSettings: settings),
    .executableTarget(
      name: "gates", dependencies: ["Measuring", counter, .product(name: "Live", package: "Reckon")] + core,
      swiftSettings: settings),
    .executableTarget(
      name: "accuracy",
      dependencies: [
        .product(name: "Navigation", package: "Reckon"),
        .product(name: "Drives", package: "Reckon"),
        .product(name: "Simulation", package: "Reckon"),
        .product(name: "Evaluation", package: "Reckon"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
