// swift-tools-version: 6.2
// Puts small bugs into copies of the SDK's files, by rule and not by choice. A package of its own, since it alone needs swift-syntax.
// `make mutants-by-rule` builds and runs it.
import PackageDescription

let package = Package(
  name: "MutantGenerator",
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")],
  targets: [
    .executableTarget(
      name: "generate-mutants",
      dependencies: [
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")])
  ])
