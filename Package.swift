// swift-tools-version: 6.2
import PackageDescription

/// `make test` sets FLOWRECORDER_OPTIMIZED: then the libraries and programs that are tested are optimized, with their assertions, in a
/// debug build too, module by module, which takes half the time of file by file. The tests themselves are not, which would take longer
/// to compile than it saves. With `files` it goes file by file all the same, for code that does not compile as a whole module.
let optimization = Context.environment["FLOWRECORDER_OPTIMIZED"].map { value in
  ["-O", "-assert-config", "Debug"] + (value == "files" ? [] : ["-whole-module-optimization", "-num-threads", "2"])
}
let tested: [SwiftSetting] = optimization.map { [.unsafeFlags($0)] } ?? []

/// Settings of every target: warnings are errors, and the upcoming language rules are on.
let common: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Settings of library targets: unsafe constructs must be marked, one by one.
let library: [SwiftSetting] = common + tested + [.strictMemorySafety()]

/// Settings of programs written for other SDKs, as their authors have them: a language mode and nothing else. What the
/// compiler warns of is an error, except for the seed's misspelt names.
func ported(_ mode: SwiftLanguageMode) -> [SwiftSetting] {
  [.swiftLanguageMode(mode), .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let jwt = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "FlowRecorder",
  products: [
    .library(name: "EventStore", targets: ["EventStore"]),
    .library(name: "Flows", targets: ["FlowRecording", "Authn", "IDX", "OIDC", "DeviceAuthenticator", "FlowKinds"]),
    .library(name: "Replay", targets: ["Replay", "ReplayTesting"]),
    .library(name: "ReplayTraits", targets: ["ReplayTraits"]),
    .library(name: "AuditReports", targets: ["AuditReports"]),
    .library(name: "FlowTestKit", targets: ["FlowTestKit"]),
    .library(name: "SimulatedOrg", targets: ["SimulatedOrg"]),
    .executable(name: "auditctl", targets: ["auditctl"]),
  ],
  traits: [
    .trait(name: "Nats", description: "NATS JetStream between the hosts and the collectors of a fleet (libnats-dev)"),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .target(name: "CCurlShim", dependencies: ["CCurl"]),
    .target(name: "CSwiftRuntime"),
    .target(name: "CProcess"),
    .target(name: "EventStore", dependencies: ["CLZ4", crypto, logging], swiftSettings: library),
    .target(name: "Fleet", dependencies: ["EventStore"], swiftSettings: library),
    // Empty without the trait.
    .target(
      name: "FleetNats",
      dependencies: ["Fleet", "EventStore", crypto, .target(name: "CNats", condition: .when(traits: ["Nats"]))],
      swiftSettings: library),
    .target(
      name: "FleetObjects", dependencies: ["FlowRecording", "EventStore", crypto], swiftSettings: library),
    .target(
      name: "FlowRecording", dependencies: ["EventStore", "CCurl", "CCurlShim", "CSwiftRuntime", crypto, logging],
      path: "Sources/Flows/Recording",
      swiftSettings: library),
    .target(
      name: "Authn", dependencies: ["FlowRecording"], path: "Sources/Flows/Authn", swiftSettings: library),
    .target(
      name: "OIDC", dependencies: ["FlowRecording", "EventStore", crypto, jwt], path: "Sources/Flows/OIDC",
      swiftSettings: library),
    .target(
      name: "IDX", dependencies: ["FlowRecording", "OIDC", "EventStore"], path: "Sources/Flows/IDX",
      swiftSettings: library),
    .target(
      name: "DeviceAuthenticator",
      dependencies: ["FlowRecording", "EventStore", crypto, cryptoExtras, jwt, grdb, logging],
      path: "Sources/Flows/Device", swiftSettings: library),
    .target(
      name: "FlowKinds", dependencies: ["Authn", "IDX", "DeviceAuthenticator", "OIDC", "FlowRecording"],
      path: "Sources/Flows/Kinds", swiftSettings: library),
    .target(
      name: "Replay", dependencies: ["FlowKinds", "FlowRecording", "EventStore", crypto, cryptoExtras],
      swiftSettings: library),
    .target(name: "ReplayTesting", dependencies: ["Replay", "EventStore"], swiftSettings: library),
    .target(
      name: "ReplayTraits", dependencies: ["Replay", "FlowRecording", "EventStore"], swiftSettings: library),
    .target(
      name: "SimulatedOrg",
      dependencies: [crypto, cryptoExtras, .product(name: "FlyingSocks", package: "FlyingFox")],
      swiftSettings: library),
    .target(
      name: "AuditReports", dependencies: ["FlowKinds", "FlowRecording", "EventStore", crypto], swiftSettings: library),
    .target(
      name: "SimulatedCompany", dependencies: ["FlowRecording", "EventStore"], swiftSettings: library),
    .target(
      name: "ReadModel",
      dependencies: [
        "AuditReports", "FlowKinds", "FlowRecording", "EventStore", grdb,
        .product(name: "GRDBSQLite", package: "GRDB.swift"), crypto,
      ],
      swiftSettings: library),
    .executableTarget(
      name: "auditctl",
      dependencies: [
        "AuditReports", "ReadModel", "Replay", "SimulatedOrg", "SimulatedCompany", "FlowRecording", "FlowKinds",
        "Authn", "IDX", "OIDC",
        "DeviceAuthenticator", "EventStore", "Fleet", "FleetObjects",
        .target(name: "FleetNats", condition: .when(traits: ["Nats"])),
        "CProcess",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        argumentParser,
      ],
      swiftSettings: common + tested),
    .target(
      name: "FlowTestKit", dependencies: ["FlowRecording", "Replay", "EventStore"], path: "Tests/FlowTestKit",
      swiftSettings: common),
    .target(
      name: "Scenarios",
      dependencies: ["Authn", "IDX", "OIDC", "DeviceAuthenticator", "FlowRecording", "EventStore", "SimulatedOrg"],
      path: "Tests/Scenarios", swiftSettings: common),
    .executableTarget(
      name: "make-recordings", dependencies: ["Scenarios", "Replay", "FlowKinds", "EventStore", "FlowRecording"],
      path: "Recordings/make",
      swiftSettings: common),
    .executableTarget(
      name: "sign-in-sample", dependencies: ["Authn", "IDX", "OIDC", "FlowRecording"], path: "Examples/SignIn",
      swiftSettings: common),
    .executableTarget(
      name: "token-sample", dependencies: ["OIDC", "FlowRecording"], path: "Examples/Tokens", swiftSettings: common),
    .executableTarget(
      name: "push-sample", dependencies: ["DeviceAuthenticator", "FlowRecording", "EventStore"],
      path: "Examples/PushAuthenticator", swiftSettings: common),
    .executableTarget(
      name: "crash-subject", dependencies: ["Scenarios", "SimulatedOrg", "Authn", "EventStore", "FlowRecording"],
      path: "Tests/CrashSubject", swiftSettings: common),
    .testTarget(
      name: "CrashTests", dependencies: ["crash-subject", "Authn", "EventStore", "FlowRecording"],
      swiftSettings: common),
    .executableTarget(
      name: "store-subject", dependencies: ["EventStore"], path: "Tests/StoreSubject", swiftSettings: common),
    .testTarget(
      name: "TortureTests", dependencies: ["store-subject", "EventStore"], exclude: ["fault-shim.c"],
      swiftSettings: common),
    .testTarget(
      name: "EventStoreTests", dependencies: ["EventStore", logging],
      exclude: ["independent_check.py", "Tiles/tiles_check.py"],
      swiftSettings: common),
    .testTarget(name: "FleetTests", dependencies: ["Fleet", "EventStore"], swiftSettings: common),
    .testTarget(
      name: "FleetObjectsTests", dependencies: ["FleetObjects", "Fleet", "FlowRecording", "EventStore"],
      exclude: ["Server/storage.py", "Server/requirements.txt"], swiftSettings: common),
    // Empty without the trait.
    .testTarget(
      name: "FleetNatsTests",
      dependencies: ["Fleet", "EventStore", .target(name: "FleetNats", condition: .when(traits: ["Nats"]))],
      swiftSettings: common),
    .testTarget(
      name: "FlowRecordingTests",
      dependencies: ["FlowRecording", "EventStore", "Authn", "IDX", "OIDC", "SimulatedOrg", "Scenarios", crypto],
      swiftSettings: common),
    .testTarget(
      name: "AuthnTests",
      dependencies: ["Authn", "FlowRecording", "EventStore", "SimulatedOrg", "Replay", "Scenarios", "FlowTestKit"],
      swiftSettings: common),
    .executableTarget(
      name: "top-level-idx-5", dependencies: ["IDX", "FlowRecording", "SimulatedOrg"], path: "Tests/TopLevelIDX5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "top-level-idx-6", dependencies: ["IDX", "FlowRecording", "SimulatedOrg"], path: "Tests/TopLevelIDX6",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "IDXTests",
      dependencies: [
        "IDX", "OIDC", "FlowRecording", "EventStore", "SimulatedOrg", "Replay", "Scenarios", "FlowTestKit", crypto,
        "top-level-idx-5", "top-level-idx-6",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "token-store-subject", dependencies: ["OIDC", "FlowRecording", "EventStore"],
      path: "Tests/TokenStoreSubject",
      swiftSettings: common),
    .testTarget(
      name: "OIDCTests",
      dependencies: [
        "OIDC", "FlowRecording", "EventStore", "SimulatedOrg", "Replay", "Scenarios", "FlowTestKit",
        "token-store-subject", crypto, cryptoExtras,
      ],
      swiftSettings: common),
    .executableTarget(
      name: "device-store-subject", dependencies: ["DeviceAuthenticator"], path: "Tests/DeviceStoreSubject",
      swiftSettings: common),
    .executableTarget(
      name: "device-crash-subject", dependencies: ["DeviceAuthenticator", "FlowRecording"],
      path: "Tests/DeviceCrashSubject", swiftSettings: common),
    .testTarget(
      name: "DeviceAuthenticatorTests",
      dependencies: [
        "DeviceAuthenticator", "FlowRecording", "EventStore", "SimulatedOrg", "Replay", "Scenarios", "FlowTestKit",
        "device-store-subject", "device-crash-subject", crypto, grdb, logging,
      ],
      swiftSettings: common),
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "Replay", "ReplayTesting", "ReplayTraits", "Authn", "IDX", "OIDC", "DeviceAuthenticator", "FlowKinds",
        "FlowRecording", "EventStore",
        "SimulatedOrg", "Scenarios", "FlowTestKit",
      ],
      swiftSettings: common),
    .testTarget(
      name: "ReadmeSwift5", dependencies: ["Authn", "IDX", "OIDC", "FlowRecording", "SimulatedOrg"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ReadmeSwift6", dependencies: ["Authn", "IDX", "OIDC", "FlowRecording", "SimulatedOrg"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The same programs in both language modes: the targets' folders are links to those in `Tests/Ports`.
    .executableTarget(
      name: "ports-authn-main", dependencies: ["Authn"], path: "Tests/Ports/AuthnMain", swiftSettings: ported(.v6)),
    .executableTarget(
      name: "ports-authn-main-swift5", dependencies: ["Authn"], path: "Tests/Ports/AuthnMainSwift5",
      swiftSettings: ported(.v5)),
    .executableTarget(
      name: "ports-idx-main", dependencies: ["IDX"], path: "Tests/Ports/IDXMain", swiftSettings: ported(.v6)),
    .executableTarget(
      name: "ports-idx-main-swift5", dependencies: ["IDX"], path: "Tests/Ports/IDXMainSwift5",
      swiftSettings: ported(.v5)),
    .testTarget(
      name: "PortsAuthnSwift5", dependencies: ["Authn", "FlowRecording", "SimulatedOrg", "ports-authn-main-swift5"],
      swiftSettings: ported(.v5)),
    .testTarget(
      name: "PortsAuthnSwift6", dependencies: ["Authn", "FlowRecording", "SimulatedOrg", "ports-authn-main"],
      swiftSettings: ported(.v6)),
    .testTarget(
      name: "PortsIDXSwift5", dependencies: ["IDX", "FlowRecording", "SimulatedOrg", "ports-idx-main-swift5"],
      swiftSettings: ported(.v5)),
    .testTarget(
      name: "PortsIDXSwift6", dependencies: ["IDX", "FlowRecording", "SimulatedOrg", "ports-idx-main"],
      swiftSettings: ported(.v6)),
    .testTarget(name: "TreeTests", swiftSettings: common),
    .testTarget(
      name: "SimulatedOrgTests",
      dependencies: ["SimulatedOrg", crypto, cryptoExtras, .product(name: "FlyingSocks", package: "FlyingFox")],
      swiftSettings: common),
    .executableTarget(
      name: "hostile-subject", dependencies: ["Authn", "IDX", "OIDC", "FlowRecording", "EventStore"],
      path: "Tests/HostileSubject", swiftSettings: common),
    .testTarget(
      name: "HostileOrg",
      dependencies: ["hostile-subject", "auditctl", "Authn", "IDX", "Replay", "FlowRecording", "EventStore"],
      path: "Tests/HostileOrg", swiftSettings: common),
    .testTarget(
      name: "AuditReportsTests",
      dependencies: [
        "AuditReports", "ReadModel", "SimulatedCompany", "FlowKinds", "FlowRecording", "EventStore",
        "DeviceAuthenticator", "Scenarios",
      ],
      exclude: ["Exchange/ocsf-1.6.0.json"],
      swiftSettings: common),
    .testTarget(
      name: "auditctlTests",
      dependencies: [
        "EventStore", "FlowRecording", "Authn", "Replay", "SimulatedOrg", "Scenarios", "auditctl", "sign-in-sample",
        "push-sample", "token-sample",
      ],
      exclude: ["reports_check.py"],
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
