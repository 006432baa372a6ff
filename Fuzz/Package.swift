// swift-tools-version: 6.2
// The fuzzers: a package of its own, since libFuzzer wants the store compiled with its marks. `make fuzz` builds and runs it.
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// Assertions and overflow checks stay, as in a release build; what is internal can be imported.
let fuzzed = common + [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])]

let package = Package(
  name: "Fuzz",
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .target(
      name: "EventStore",
      dependencies: [
        "CLZ4", .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: fuzzed),
    .executableTarget(
      name: "Fuzz", dependencies: ["EventStore"],
      swiftSettings: fuzzed + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6])
