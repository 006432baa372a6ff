// swift-tools-version: 6.2
import PackageDescription

// The directory is not called Hummingbird: SwiftPM knows a package by the name of its directory, and two packages called
// `hummingbird` cannot depend on each other.
let package = Package(
  name: "HummingbirdLogin",
  dependencies: [
    // The name is given, so that `package: "FlowRecorder"` is right whatever the checkout's directory is called.
    .package(name: "FlowRecorder", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .executableTarget(
      name: "web-login",
      dependencies: [
        .product(name: "Flows", package: "FlowRecorder"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "WebLoginTests",
      dependencies: [
        "web-login",
        .product(name: "Flows", package: "FlowRecorder"),
        .product(name: "SimulatedOrg", package: "FlowRecorder"),
        // Not imported: the tests run it, as a person would.
        .product(name: "auditctl", package: "FlowRecorder"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
