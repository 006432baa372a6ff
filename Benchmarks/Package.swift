// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "FlowRecorder", path: "..")],
  targets: [
    .executableTarget(
      name: "FlowBenchmarks",
      dependencies: [
        .product(name: "EventStore", package: "FlowRecorder"), .product(name: "Flows", package: "FlowRecorder"),
        .product(name: "Replay", package: "FlowRecorder"), .product(name: "SimulatedOrg", package: "FlowRecorder"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
