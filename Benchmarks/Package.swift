// swift-tools-version: 6.2
import PackageDescription

// No third-party benchmark library: measured on Linux, the allocation column of the usual one (ordo-one/benchmark)
// reads a false 0, its instruction row is missing, and it takes six minutes to build cold on two cores.
let strict = Context.environment["RECKON_STRICT"] == "1"
let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "ReckonBenchmarks",
  dependencies: [.package(name: "Reckon", path: "..")],
  targets: [
    .executableTarget(
      name: "latency",
      dependencies: [
        .product(name: "LinearAlgebra", package: "Reckon"),
        .product(name: "Navigation", package: "Reckon"),
        .product(name: "Fusion", package: "Reckon"),
      ],
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
  swiftLanguageModes: [.v6]
)
