// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "FlowRecorder", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .executableTarget(
      name: "FlowBenchmarks",
      dependencies: [
        .product(name: "EventStore", package: "FlowRecorder"), .product(name: "Flows", package: "FlowRecorder"),
        .product(name: "Replay", package: "FlowRecorder"), .product(name: "SimulatedOrg", package: "FlowRecorder"),
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"), "CurlPeer",
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "CurlPeer", linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "SignInEvents", dependencies: [.product(name: "EventStore", package: "FlowRecorder")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .systemLibrary(name: "CLZ4Peer", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .executableTarget(
      name: "StoreBenchmarks",
      dependencies: [
        "SignInEvents", "CLZ4Peer", .product(name: "EventStore", package: "FlowRecorder"),
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
