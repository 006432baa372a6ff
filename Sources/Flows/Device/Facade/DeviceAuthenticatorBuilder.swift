// Builds a push authenticator over the seams that an application gives.

import EventStore
public import FlowRecording
import Foundation

/// Builds a push authenticator. What an application does not give is taken from `FlowEnvironment.current`; keys and
/// enrollments, if neither is given, are in files below `$XDG_STATE_HOME/<applicationGroupId>`.
///
/// ```swift
/// let authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config)
///   .keyStore(keys).enrollmentStorage(storage).userVerifier(verifier).create()
/// ```
public final class DeviceAuthenticatorBuilder {
  /// How strictly a challenge is checked when it is parsed (spec/device.md §8.2).
  public enum Validation: Sendable {
    /// As the reference: when it is resolved.
    case compatible
    /// When it is parsed too, as far as no network is needed.
    case strict
  }

  /// Whose decisions count where ours differ from those of the reference (spec/device.md §21).
  public enum Compatibility: Sendable {
    /// Ours.
    case standard
    /// Those of the reference: for tests against its recordings, and for nothing else. A challenge that was answered
    /// is signed and sent again by a second `resolve`, without a question (row 3), a verified approval without its key is the
    /// consent `NONE` (row 4), a lock counts as no key (5), a binding message with a bare `%` is not shown (6), CIBA is
    /// answered without the capability (9), and errors of an answer leave the enrollment's state alone (10).
    case reference
  }

  private let config: ApplicationConfig
  private var base = FlowEnvironment.current
  private var isStrict = false
  private var deletesSuspended = true
  private var isReference = false
  private var keyDiscovery: Duration? = .seconds(5)
  private var seal = KeySeal.none
  private var directory: String?
  private var auditing: Auditing?
  private var observers: [any RecordObserver] = []

  /// A builder for an application.
  public init(applicationConfig: ApplicationConfig) { config = applicationConfig }

  /// All seams in one value. Keys and enrollments are in a directory all the same, unless it sets their seams.
  public func environment(_ environment: FlowEnvironment) -> Self { with { $0.base = environment } }
  /// The directory of keys and enrollments, of those that no seam is set for, and what the keys are sealed under.
  public func directory(_ path: String, sealedBy seal: KeySeal = .none) -> Self {
    with { ($0.directory, $0.seal) = (path, seal) }
  }
  /// How requests leave.
  public func transport(_ transport: any Transport) -> Self { with { $0.base.transport = transport } }
  /// What time it is.
  public func clock(_ clock: any FlowClock) -> Self { with { $0.base.clock = clock } }
  /// Where random bits come from.
  public func random(_ entropy: any Entropy) -> Self { with { $0.base.entropy = entropy } }
  /// Where events are written.
  public func recorder(_ recorder: any Recorder) -> Self { with { $0.base.recorder = recorder } }
  /// Sees to it that flows are recorded. Without a recorder of the application's own they are in a log in the directory of keys
  /// and enrollments (`audit`), which one process at a time can write.
  ///
  /// - Parameter auditing: what happens if that log cannot be written: with `required` a call ends in `auditUnavailable`, and
  ///   nothing is sent or signed that is not recorded. A recorder of the application's own goes by its own auditing.
  public func auditing(_ auditing: Auditing) -> Self { with { $0.auditing = auditing } }
  /// `auditing(.required)`; with false, what no recorder is given for is not recorded, as by default.
  public func auditing(_ isRequired: Bool) -> Self { with { $0.auditing = isRequired ? .required : nil } }
  /// Where private keys are.
  public func keyStore(_ keys: any KeyStore) -> Self { with { $0.base[KeyStoreSeam.self] = keys } }
  /// Where enrollments are.
  public func enrollmentStorage(_ storage: any EnrollmentStorage) -> Self {
    with { $0.base[StorageSeam.self] = storage }
  }
  /// Who verifies the person.
  public func userVerifier(_ verifier: any UserVerifier) -> Self { with { $0.base[VerifierSeam.self] = verifier } }
  /// What is known of the device; without it, what the machine says of itself (`LinuxDeviceSignals`).
  public func deviceSignals(_ signals: any DeviceSignals) -> Self { with { $0.base[SignalsSeam.self] = signals } }
  /// Who answers challenges that ask for signals by name; without it each name is answered with an error.
  public func signalPlugins(_ plugins: [any SignalPlugin]) -> Self {
    with { $0.base[SignalPluginsSeam.self] = plugins }
  }
  /// How strictly a challenge is checked when it is parsed.
  public func validation(_ validation: Validation) -> Self { with { $0.isStrict = validation == .strict } }
  /// Whose decisions count where ours differ from those of the reference; ours by default.
  public func compatibility(_ compatibility: Compatibility) -> Self {
    with { $0.isReference = compatibility == .reference }
  }
  /// Whether an enrollment that the org calls suspended is deleted here when it is deleted there; true by default, as in
  /// the reference. Suspended is reversible at the org, and a deleted key is gone.
  public func deleteOnSuspended(_ deletes: Bool) -> Self { with { $0.deletesSuspended = deletes } }

  /// How long the org's keys, which a challenge is checked by, are waited for: five seconds by default, as in the reference. Then
  /// the challenge fails, as it does if the org cannot be reached. With nil they are waited for as long as the transport waits.
  public func keyDiscoveryTimeout(_ limit: Duration?) -> Self { with { $0.keyDiscovery = limit } }

  /// Adds an observer.
  func addObserver(_ observer: any RecordObserver) -> Self { with { $0.observers.append(observer) } }

  private func with(_ change: (DeviceAuthenticatorBuilder) -> Void) -> Self {
    change(self)
    return self
  }

  /// Makes the authenticator.
  ///
  /// - Throws: `DeviceAuthenticatorError` if an origin of the configuration cannot be used, or the stores cannot be opened.
  public func create() throws -> any DeviceAuthenticatorProtocol { DeviceAuthenticator(try context()) }

  /// What all objects of the authenticator share.
  ///
  /// - Parameters:
  ///   - sdk: what requests say of the SDK: name and version.
  ///   - replay: the surroundings of a replay; nil for a live authenticator.
  func context(
    sdk: (name: String, version: String) = (DeviceAuthenticatorConstants.name, DeviceAuthenticatorConstants.version),
    replay: DeviceReplay? = nil
  ) throws -> DeviceContext {
    let origins = config.trustedOrigins.map(\.absoluteString)
    if let bad = origins.first(where: { DeviceTexts.orgURL($0) == nil }) {
      throw DeviceAuthenticatorError.genericError("The trusted origin \(bad) cannot be used: it needs https.")
    }
    let (hasKeys, hasStorage) = (base.isSet(KeyStoreSeam.self), base.isSet(StorageSeam.self))
    let stores = hasKeys && hasStorage ? nil : try standardStores()
    let services = DeviceServices(
      keys: hasKeys ? base[KeyStoreSeam.self] : stores?.keys ?? base[KeyStoreSeam.self],
      storage: hasStorage ? base[StorageSeam.self] : stores?.storage ?? base[StorageSeam.self],
      verifier: base[VerifierSeam.self],
      signals: base.isSet(SignalsSeam.self)
        ? base[SignalsSeam.self] : LinuxDeviceSignals(applicationID: config.applicationName),
      application: application(config.applicationInstallationId ?? stores?.installation),
      plugins: base[SignalPluginsSeam.self])
    return DeviceContext(
      environment: recorded(), services: services,
      settings: settings(services, origins.compactMap(DeviceTexts.orgURL), sdk),
      apsEnvironment: config.apsEnvironment.rawValue, replay: replay)
  }

  private func standardStores() throws -> StandardStores {
    try StandardStores(directory: place, seal: seal, entropy: base.entropy)
  }

  /// The directory of keys and enrollments.
  private var place: String { directory ?? StandardStores.directory(group: config.applicationGroupId) }

  /// The seams, with what is recorded where.
  private func recorded() -> FlowEnvironment {
    var environment = base
    if environment.recorder == nil, let auditing {
      environment.recorder = OwnLogs.recorder(at: place + "/audit", auditing)
    }
    if !observers.isEmpty { environment.recorder = TeeRecorder(environment.recorder, to: observers) }
    return environment
  }

  /// What the application says of itself at enrollment (§5.1).
  private func application(_ installation: String?) -> JSON {
    .members([
      ("clientInstanceBundleId", .string(config.applicationName)),
      ("clientInstanceVersion", .string(config.applicationVersion)),
      (
        "clientInstanceDeviceSdkVersion",
        .string(DeviceAuthenticatorConstants.name + " " + DeviceAuthenticatorConstants.version)
      ), ("authenticatorAppKey", installation.map(JSON.string)),
    ])
  }

  private func settings(
    _ services: DeviceServices, _ origins: [String], _ sdk: (name: String, version: String)
  ) -> JSON {
    let profile = services.signals.read()
    let parts: [(String, String)] = [
      (config.applicationName, config.applicationVersion),
      sdk, ("Linux", profile.osVersion), (profile.manufacturer ?? "", profile.model ?? ""),
    ]
    let agent = parts.map { DeviceTexts.token($0) + "/" + DeviceTexts.token($1) }.joined(separator: " ")
    return .members([
      ("audiences", .array(config.acceptedAudiences.map(JSON.string))),
      ("origins", .array(origins.map(JSON.string))), ("userAgent", .string(agent)),
      ("application", .string(config.applicationName)), ("strict", .bool(isStrict)),
      ("deleteOnSuspended", .bool(deletesSuspended)), ("reference", isReference ? true : nil),
      ("plugins", services.plugins.isEmpty ? nil : .array(services.plugins.map { .string($0.name) })),
      ("keyDiscoveryMilliseconds", keyDiscovery.map { .int(Self.milliseconds($0)) }),
    ])
  }

  /// Whole milliseconds, at least one and at most a day.
  private static func milliseconds(_ limit: Duration) -> Int {
    let (seconds, attoseconds) = limit.components
    let whole = Int(min(max(seconds, 0), 86_400)) * 1_000
    return min(max(whole + Int(attoseconds / 1_000_000_000_000_000), 1), TimerSet.longest)
  }
}
