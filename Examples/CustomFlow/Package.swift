// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CustomFlow",
  products: [.library(name: "MagicLink", targets: ["MagicLink"])],
  dependencies: [
    // The name is given, so that `package: "FlowRecorder"` is right whatever the checkout's directory is called.
    .package(name: "FlowRecorder", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "MagicLink",
      dependencies: [
        .product(name: "EventStore", package: "FlowRecorder"), .product(name: "Flows", package: "FlowRecorder"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "MagicLinkTests",
      dependencies: [
        "MagicLink", .product(name: "EventStore", package: "FlowRecorder"),
        .product(name: "Flows", package: "FlowRecorder"), .product(name: "Replay", package: "FlowRecorder"),
        .product(name: "AuditReports", package: "FlowRecorder"),
        .product(name: "FlowTestKit", package: "FlowRecorder"), .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
