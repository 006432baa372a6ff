// The external services that a device flow needs in addition to the runtime's seams.

package import EventStore
import FlowRecording

/// The services of one authenticator.
package struct DeviceServices: Sendable {
  /// The store for keys.
  package var keys: any KeyStore
  /// The storage for data that outlives a flow.
  package var storage: any EnrollmentStorage
  /// The verifier of the person.
  package var verifier: any UserVerifier
  /// The source of facts about the device.
  package var signals: any DeviceSignals
  /// The plug-ins that answer challenges that ask for signals by name.
  package var plugins: [any SignalPlugin]
  /// The cache of orgs' keys.
  package var keyCache: OrgKeyCache
  /// What the application reports about itself: bundle ID, version, SDK, and installation.
  package var application: JSON

  /// Creates the services of an authenticator.
  package init(
    keys: any KeyStore, storage: any EnrollmentStorage, verifier: any UserVerifier, signals: any DeviceSignals,
    application: JSON, plugins: [any SignalPlugin] = [], keyCache: OrgKeyCache = OrgKeyCache()
  ) {
    self.keys = keys
    self.storage = storage
    self.verifier = verifier
    self.signals = signals
    self.application = application
    self.plugins = plugins
    self.keyCache = keyCache
  }

  /// The facts known about the device, keyed by their names on the wire (spec/device.md §5.1).
  var facts: JSON {
    let profile = signals.read()
    let screenLock =
      switch verifier.capability {
      case .none: "NONE"
      case .pin: "PASSCODE"
      case .fingerprint, .face: "BIOMETRIC"
      }
    let name = DeviceTexts.stripTags(profile.displayName)
    let known: [(String, JSON?)] = [
      ("displayName", .string(name.isEmpty ? "Linux device" : name)), ("platform", .string(profile.platform)),
      ("osVersion", .string(profile.osVersion)), ("manufacturer", profile.manufacturer.map(JSON.string)),
      ("model", profile.model.map(JSON.string)), ("serialNumber", profile.serialNumber.map(JSON.string)),
      ("udid", profile.udid.map(JSON.string)), ("secureHardwarePresent", .bool(keys.protection == .hardware)),
      ("screenLockType", .string(screenLock)), ("diskEncryptionType", profile.diskEncryptionType.map(JSON.string)),
    ]
    return [
      "protection": .string(keys.protection.rawValue),
      "device": .members(known + (application.object?.members ?? []).map { ($0.key, $0.value) }),
    ]
  }

  /// Reads what storage has about an enrollment, an org, and a transaction. If no org is named, it is the enrollment's.
  func stored(_ input: JSON) -> Result<JSON, DrawFailure> {
    do throws(StorageFailure) {
      let excerpt = try storage.excerpt(
        enrollment: input["enrollment"]?.string, orgID: input["org"]?.string, transaction: input["transaction"]?.string)
      let org = input["org"]?.string ?? excerpt.enrollment?.orgID
      // Before an enrollment: the origins from which an org with this ID is known.
      let homes =
        input["enrollment"] == nil && org != nil
        ? Set(try storage.enrollments().filter { $0.orgID == org }.map(\.orgURL)) : []
      let tag = excerpt.enrollment?.userVerificationTag
      let state = tag.map { keys.state(tag: $0) }
      // A key that a change of the enrolled set invalidated still exists, but can never be used again.
      let isInvalidated =
        state == .available && tag.map { !keys.counts(tag: $0, under: verifier.enrolmentEpoch) } == true
      return .success(
        .members([
          ("enrollment", excerpt.enrollment?.json), ("device", excerpt.device?.json), ("policy", excerpt.policy?.json),
          ("transaction", excerpt.transaction?.json),
          ("verificationKey", state.map { .string($0.rawValue) }),
          ("verificationKeyInvalidated", isInvalidated ? true : nil),
          ("verificationJWK", tag.flatMap(jwk)),
          ("homes", homes.isEmpty ? nil : .array(homes.sorted().map(JSON.string))),
        ]))
    } catch {
      return .failure(DrawFailure(error))
    }
  }

  private func jwk(_ tag: String) -> JSON? {
    guard let key = try? keys.publicKey(tag: tag) else { return nil }
    return key.jwk(tag: tag, protection: keys.protection)
  }
}
