// The push method of an enrollment request (device.md §4.3).

/// What a device asks for in `methods.push`.
struct PushMethod {
  let pushToken: String
  let environment: String?
  let transactionTypes: Set<OrgTransactionType>
  let possessionKey: JSONWebKey
  let verificationKey: JSONWebKey?

  /// Reads the method and checks it against the authenticator's rules.
  init(_ fields: DeviceFields, _ authenticator: OrgAppAuthenticator) throws(Refusal) {
    // Empty while the device has none: it can still pull.
    guard let pushToken = try fields.optionalText("pushToken") else {
      throw fields.wrong("pushToken", "The field is required")
    }
    self.pushToken = pushToken
    environment = try fields.optionalText("apsEnvironment")?.uppercased()
    if let environment, !["PRODUCTION", "DEVELOPMENT"].contains(environment) {
      throw fields.wrong("apsEnvironment", "must be production or development")
    }
    transactionTypes =
      fields.has("capabilities")
      ? try Self.transactionTypes(try fields.object("capabilities"), authenticator) : [.login]
    let keys = try fields.object("keys")
    possessionKey = try Self.key(keys, "proofOfPossession", authenticator)
    verificationKey = keys.has("userVerification") ? try Self.key(keys, "userVerification", authenticator) : nil
    if possessionKey.id == verificationKey?.id {
      throw keys.wrong("userVerification", "kid must differ from that of the other key")
    }
    if verificationKey == nil, authenticator.userVerification == .required { throw .verificationNeeded }
  }

  /// Reads a key that fits the authenticator.
  static func key(
    _ keys: DeviceFields, _ name: String, _ authenticator: OrgAppAuthenticator
  ) throws(Refusal) -> JSONWebKey {
    let fields = try keys.object(name)
    let key = try JSONWebKey(fields)
    if !authenticator.algorithms.contains(key.algorithm) {
      throw fields.wrong("kty", "the authenticator does not take \(key.algorithm)")
    }
    if authenticator.needsHardwareKeys, key.isHardware != true {
      throw fields.wrong("okta:kpr", "the authenticator takes keys in hardware only")
    }
    if authenticator.needsFIPSKeys, !key.isFIPSCompliant { throw .complianceNeeded }
    return key
  }

  /// Reads `capabilities`: LOGIN always, and only what the authenticator may be used for.
  static func transactionTypes(
    _ capabilities: DeviceFields, _ authenticator: OrgAppAuthenticator
  ) throws(Refusal) -> Set<OrgTransactionType> {
    let wrong = capabilities.wrong("transactionTypes", "must be an array of LOGIN and CIBA, LOGIN among them")
    guard let names = capabilities.json["transactionTypes"]?.elements else { throw wrong }
    var types: Set<OrgTransactionType> = []
    for name in names {
      guard let type = name.string.flatMap(OrgTransactionType.init) else { throw wrong }
      types.insert(type)
    }
    guard types.contains(.login) else { throw wrong }
    if !types.isSubset(of: authenticator.transactionTypes) {
      throw capabilities.wrong("transactionTypes", "the authenticator does not take all of them")
    }
    return types
  }
}
