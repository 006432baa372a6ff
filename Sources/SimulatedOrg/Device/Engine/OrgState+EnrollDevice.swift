// A device is enrolled (device.md §4.3, §5.1, §13.1, §20.2).

extension OrgState {
  /// `POST /idp/myaccount/app-authenticators`.
  mutating func enroll(_ call: DeviceCall) throws(Refusal) -> IDXReply {
    guard case .token(let token) = try caller(call, with: .manage) else { throw .invalidToken }
    try checkUser(token.login)
    let fields = try DeviceFields(call.body, path: "")
    let authenticatorID = try fields.text("authenticatorId")
    guard
      let authenticator = configuration.devices.authenticators.first(where: {
        $0.id == authenticatorID && $0.isActive && $0.serves(token.client)
      })
    else { throw .noSuchResource("\(authenticatorID) (AppAuthenticator)") }
    let profile = try fields.object("device")
    try checkProfile(profile)
    let push = try PushMethod(try fields.object("methods").object("push"), authenticator)
    let record = try enrolledDevice(profile, push, token.login)
    let enrollment = newEnrollment(record, profile, push, token, authenticator)
    replaceEnrollments(by: enrollment)
    device.devices[record.id] = record
    device.enrollments[enrollment.id] = enrollment
    return .device(body(of: enrollment))
  }

  private func checkProfile(_ profile: DeviceFields) throws(Refusal) {
    let required = [
      "displayName", "osVersion", "clientInstanceBundleId", "clientInstanceVersion", "clientInstanceDeviceSdkVersion",
    ]
    for name in required { _ = try profile.text(name) }
    let platform = try profile.text("platform")
    if !configuration.devices.platforms.contains(platform) {
      throw profile.wrong("platform", "\(platform) cannot be enrolled")
    }
    let optional = [
      "manufacturer", "model", "serialNumber", "udid", "sid", "imei", "meid", "authenticatorAppKey", "id",
      "clientInstanceId",
    ]
    for name in optional { _ = try profile.optionalText(name) }
    try profile.checkFlag("secureHardwarePresent")
    try profile.check("screenLockType", isOneOf: ["NONE", "PASSCODE", "BIOMETRIC"])
    try profile.check("diskEncryptionType", isOneOf: ["NONE", "FULL", "ALL_INTERNAL_VOLUMES", "SYSTEM_VOLUME", "USER"])
  }

  /// The device of an enrollment: a known one that proves its identity, or a new one.
  private mutating func enrolledDevice(
    _ profile: DeviceFields, _ push: PushMethod, _ login: String
  ) throws(Refusal) -> DeviceRecord {
    var record: DeviceRecord
    if profile.has("clientInstanceKey") {
      if profile.has("id") || profile.has("clientInstanceId") {
        throw profile.wrong("clientInstanceKey", "a device with an id has a key already")
      }
      let key = try JSONWebKey(try profile.object("clientInstanceKey"))
      if [push.possessionKey.id, push.verificationKey?.id].contains(key.id) {
        throw profile.wrong("clientInstanceKey", "kid must differ from those of the other keys")
      }
      record = DeviceRecord(
        id: drawText("guo", length: 17, for: login), clientInstanceID: drawText("cli", length: 17, for: login),
        clientInstanceKey: key, profile: [:], created: now, updated: now)
    } else {
      record = try knownDevice(profile)
    }
    record.profile = Self.shown(profile)
    record.updated = now
    return record
  }

  /// The device that an attestation is from.
  private func knownDevice(_ profile: DeviceFields) throws(Refusal) -> DeviceRecord {
    let id = try profile.text("id")
    let instance = try profile.text("clientInstanceId")
    let attestation = try profile.object("deviceAttestation").text("clientInstanceKeyAttestation")
    guard let record = device.devices[id], record.clientInstanceID == instance else { throw .invalidToken }
    switch record.status {
    case .active: break
    case .suspended: throw .deviceSuspended
    case .deleted: throw .deviceDeleted
    }
    guard let token = CompactJWS(attestation), record.clientInstanceKey.signed(token), token.text("iss") == instance,
      token.text("sub") == id, token.text("aud") == baseURL, token.isTimely(at: now)
    else { throw .invalidToken }
    return record
  }

  /// The kept part of a device's description: neither keys nor proofs.
  private static func shown(_ profile: DeviceFields) -> OrgJSON {
    var shown = profile.json
    for name in ["clientInstanceKey", "deviceAttestation", "id", "clientInstanceId"] { shown[name] = nil }
    return shown
  }

  private mutating func newEnrollment(
    _ record: DeviceRecord, _ profile: DeviceFields, _ push: PushMethod, _ token: AccessToken,
    _ authenticator: OrgAppAuthenticator
  ) -> DeviceEnrollment {
    DeviceEnrollment(
      id: drawText("pfd", length: 17, for: token.login), number: device.next(), login: token.login,
      userID: accounts[token.login]?.id ?? "", deviceID: record.id, authenticatorID: authenticator.id,
      methodID: drawText("opf", length: 17, for: token.login), client: token.client,
      installation: profile.json["authenticatorAppKey"]?.string, pushToken: push.pushToken,
      environment: push.environment, transactionTypes: push.transactionTypes, possessionKey: push.possessionKey,
      verificationKey: push.verificationKey, created: now, updated: now)
  }

  /// A user has one enrollment of an authenticator on a device: the previous one ends.
  private mutating func replaceEnrollments(by new: DeviceEnrollment) {
    for old in device.enrollments.values
    where old.login == new.login && old.authenticatorID == new.authenticatorID && old.status != .deleted
      && (old.deviceID == new.deviceID || old.installation != nil && old.installation == new.installation)
    {
      end(old.id)
    }
  }

  /// Ends an enrollment and withdraws its challenges.
  mutating func end(_ id: String) {
    let now = now
    device.enrollments[id]?.status = .deleted
    device.enrollments[id]?.updated = now
    for challenge in device.challenges.values where challenge.enrollment == id && challenge.status == .pending {
      device.challenges[challenge.id]?.status = .superseded
    }
  }
}
