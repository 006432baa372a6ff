// Builds a push authenticator over the seams that an application provides.

import EventStore
public import FlowRecording
import Foundation

/// Builds a push authenticator. Anything that the application does not provide is taken from `FlowEnvironment.current`.
/// If neither provides a store, keys and enrollments are kept in files under `$XDG_STATE_HOME/<applicationGroupId>`.
///
/// ```swift
/// let authenticator = try DeviceAuthenticatorBuilder(applicationConfig: config)
///   .keyStore(keys).enrollmentStorage(storage).userVerifier(verifier).create()
/// ```
public final class DeviceAuthenticatorBuilder {
  /// When the claims of a challenge are checked (spec/device.md §8.2).
  public enum Validation: Sendable {
    /// When the challenge is resolved, as in the reference.
    case compatible
    /// Also when it is parsed, as far as this needs no network.
    case strict
  }

  /// Which behavior applies where this implementation differs from the reference (spec/device.md §21).
  public enum Compatibility: Sendable {
    /// The behavior of this implementation.
    case standard
    /// The behavior of the reference, only for tests against its recordings. A second `resolve` of an answered
    /// challenge signs and sends the answer again without asking (row 3); a verified approval without its key sends the
    /// consent `NONE` (row 4); a locked key counts as missing (5); a binding message with a bare `%` is not shown (6);
    /// CIBA is answered even without the capability (9); and an error in response to an answer does not change the
    /// enrollment's state (10).
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

  /// Creates a builder for an application.
  public init(applicationConfig: ApplicationConfig) { config = applicationConfig }

  /// Sets all seams at once. Keys and enrollments are still kept in a directory, unless the environment sets their
  /// seams.
  public func environment(_ environment: FlowEnvironment) -> Self { with { $0.base = environment } }
  /// Sets the directory for keys and enrollments that have no seam of their own, and how the keys are sealed.
  public func directory(_ path: String, sealedBy seal: KeySeal = .none) -> Self {
    with { ($0.directory, $0.seal) = (path, seal) }
  }
  /// Sets the transport for requests.
  public func transport(_ transport: any Transport) -> Self { with { $0.base.transport = transport } }
  /// Sets the clock.
  public func clock(_ clock: any FlowClock) -> Self { with { $0.base.clock = clock } }
  /// Sets the source of randomness.
  public func random(_ entropy: any Entropy) -> Self { with { $0.base.entropy = entropy } }
  /// Sets the recorder for events.
  public func recorder(_ recorder: any Recorder) -> Self { with { $0.base.recorder = recorder } }
  /// Makes sure that flows are recorded. If the application has not set a recorder, they are recorded in a log in the
  /// directory of keys and enrollments (`audit`), which only one process at a time can write.
  ///
  /// - Parameter auditing: what happens if that log cannot be written. With `required`, a call ends in
  ///   `auditUnavailable`, and nothing is sent or signed without being recorded. A recorder set by the application
  ///   follows its own auditing.
  public func auditing(_ auditing: Auditing) -> Self { with { $0.auditing = auditing } }
  /// The same as `auditing(.required)`. With `false`, flows without a recorder are not recorded, which is the default.
  public func auditing(_ isRequired: Bool) -> Self { with { $0.auditing = isRequired ? .required : nil } }
  /// Sets the store for private keys.
  public func keyStore(_ keys: any KeyStore) -> Self { with { $0.base[KeyStoreSeam.self] = keys } }
  /// Sets the storage for enrollments.
  public func enrollmentStorage(_ storage: any EnrollmentStorage) -> Self {
    with { $0.base[StorageSeam.self] = storage }
  }
  /// Sets the verifier of the person.
  public func userVerifier(_ verifier: any UserVerifier) -> Self { with { $0.base[VerifierSeam.self] = verifier } }
  /// Sets the source of facts about the device. The default, `LinuxDeviceSignals`, uses what the machine reports.
  public func deviceSignals(_ signals: any DeviceSignals) -> Self { with { $0.base[SignalsSeam.self] = signals } }
  /// Sets the plug-ins that answer challenges that ask for signals by name. Names without a plug-in are answered with
  /// an error.
  public func signalPlugins(_ plugins: [any SignalPlugin]) -> Self {
    with { $0.base[SignalPluginsSeam.self] = plugins }
  }
  /// Sets how strictly a challenge is checked when it is parsed.
  public func validation(_ validation: Validation) -> Self { with { $0.isStrict = validation == .strict } }
  /// Sets which behavior applies where this implementation differs from the reference. The default is `standard`.
  public func compatibility(_ compatibility: Compatibility) -> Self {
    with { $0.isReference = compatibility == .reference }
  }
  /// Sets whether deleting an enrollment also removes it here if the org reports it as suspended. The default is
  /// `true`, as in the reference. The org can reverse a suspension, but a deleted key is lost.
  public func deleteOnSuspended(_ deletes: Bool) -> Self { with { $0.deletesSuspended = deletes } }

  /// Sets how long to wait for the org's keys that a challenge is checked against. The default is five seconds, as in
  /// the reference. After that, the challenge fails, as it does if the org cannot be reached. `nil` means to wait as
  /// long as the transport does.
  public func keyDiscoveryTimeout(_ limit: Duration?) -> Self { with { $0.keyDiscovery = limit } }

  /// Adds an observer.
  func addObserver(_ observer: any RecordObserver) -> Self { with { $0.observers.append(observer) } }

  private func with(_ change: (DeviceAuthenticatorBuilder) -> Void) -> Self {
    change(self)
    return self
  }

  /// Creates the authenticator.
  ///
  /// - Throws: `DeviceAuthenticatorError` if an origin in the configuration is not valid, or the stores cannot be
  ///   opened.
  public func create() throws -> any DeviceAuthenticatorProtocol { DeviceAuthenticator(try context()) }

  /// Creates the context that all objects of the authenticator share.
  ///
  /// - Parameters:
  ///   - sdk: the name and version of the SDK in the user agent.
  ///   - replay: the context of a replay; `nil` for a live authenticator.
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

  /// The directory for keys and enrollments.
  private var place: String { directory ?? StandardStores.directory(group: config.applicationGroupId) }

  /// The seams, including the recorder to use.
  private func recorded() -> FlowEnvironment {
    var environment = base
    if environment.recorder == nil, let auditing {
      environment.recorder = OwnLogs.recorder(at: place + "/audit", auditing)
    }
    if !observers.isEmpty { environment.recorder = TeeRecorder(environment.recorder, to: observers) }
    return environment
  }

  /// What the application reports about itself at enrollment (§5.1).
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

  /// Converts to whole milliseconds, at least one and at most one day.
  private static func milliseconds(_ limit: Duration) -> Int {
    let (seconds, attoseconds) = limit.components
    let whole = Int(min(max(seconds, 0), 86_400)) * 1_000
    return min(max(whole + Int(attoseconds / 1_000_000_000_000_000), 1), TimerSet.longest)
  }
}
