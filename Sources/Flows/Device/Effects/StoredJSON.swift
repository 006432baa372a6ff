// What is stored to and from JSON, for draws.

package import EventStore
package import FlowRecording

extension StoredEnrollment {
  /// The enrollment by the names of its members; times as text, with their fraction.
  package var json: JSON {
    .members([
      ("id", .string(id)), ("orgID", .string(orgID)), ("orgURL", .string(orgURL)), ("userID", .string(userID)),
      ("userName", userName.map(JSON.string)), ("deviceID", .string(deviceID)),
      ("methodID", methodID.map(JSON.string)), ("pendingURL", pendingURL.map(JSON.string)),
      ("proofOfPossessionTag", proofOfPossessionTag.map(JSON.string)),
      ("userVerificationTag", userVerificationTag.map(JSON.string)), ("bioOrPinTag", bioOrPinTag.map(JSON.string)),
      ("transactionTypes", .array(transactionTypes.sorted().map(JSON.string))),
      ("clientID", clientID.map(JSON.string)), ("serverErrorCode", serverErrorCode.map(JSON.string)),
      ("created", .string(String(created))), ("updated", .string(String(updated))),
    ])
  }

  /// An enrollment of its JSON; nil without what every enrollment has.
  package init?(_ json: JSON) {
    guard let id = json["id"]?.string, let org = json["orgID"]?.string, let url = json["orgURL"]?.string,
      let user = json["userID"]?.string, let device = json["deviceID"]?.string
    else { return nil }
    self.init(
      id: id, orgID: org, orgURL: url, userID: user, userName: json["userName"]?.string, deviceID: device,
      methodID: json["methodID"]?.string, pendingURL: json["pendingURL"]?.string,
      proofOfPossessionTag: json["proofOfPossessionTag"]?.string,
      userVerificationTag: json["userVerificationTag"]?.string, bioOrPinTag: json["bioOrPinTag"]?.string,
      transactionTypes: Set((json["transactionTypes"]?.array ?? []).compactMap(\.string)),
      clientID: json["clientID"]?.string, serverErrorCode: json["serverErrorCode"]?.string,
      created: json["created"]?.string.flatMap(Double.init) ?? 0,
      updated: json["updated"]?.string.flatMap(Double.init) ?? 0)
  }
}

extension StoredDevice {
  /// The device record by the names of its members.
  package var json: JSON {
    [
      "orgID": .string(orgID), "id": .string(id), "clientInstanceID": .string(clientInstanceID),
      "clientInstanceTag": .string(clientInstanceTag),
    ]
  }

  /// A device record of its JSON.
  package init?(_ json: JSON) {
    guard let org = json["orgID"]?.string, let id = json["id"]?.string,
      let instance = json["clientInstanceID"]?.string, let tag = json["clientInstanceTag"]?.string
    else { return nil }
    self.init(orgID: org, id: id, clientInstanceID: instance, clientInstanceTag: tag)
  }
}

extension StoredPolicy {
  /// What operations need of a policy.
  package var json: JSON {
    .members([
      ("orgID", .string(orgID)), ("id", .string(id)), ("clientID", .string(clientID)),
      ("wantsHardware", .bool(PolicyReading(content)?.wantsHardware ?? false)),
    ])
  }
}

extension StoredTransaction {
  /// What is known of a transaction; the answer, a secret, with it, and what that says.
  package var json: JSON {
    .members([
      ("stage", .string(stage.rawValue)), ("fingerprint", .string(fingerprint)),
      ("response", response.map(JSON.string)), ("responseExpiry", responseExpiry.map { .string(String($0)) }),
      ("said", said),
    ])
  }

  /// What the signed answer says, by the names of `response.signed`; nil without an answer that can be read.
  private var said: JSON? {
    guard let response, let jws = CompactJWS(response) else { return nil }
    return .members([
      ("keyType", jws.claims["keyType"]), ("kid", jws.header["kid"]),
      ("consent", jws.claims["challengeResponseContext"]?["userConsent"]), ("amr", jws.claims["amr"]),
      ("jti", jws.claims["jti"]), ("iat", jws.claims["iat"]),
    ])
  }
}

extension DrawFailure {
  /// A failed read or write of the storage: the name of the error of §15.2, then what is wrong. Paths stay out of the log:
  /// they are the application's, and may name a person.
  package init(_ failure: StorageFailure) {
    switch failure {
    case .directory: self.init(.failed, "storage.missingAppGroupEntitlement: the directory cannot be used")
    case .migration(let reason): self.init(.failed, "storage.storageMigrationError: \(reason)")
    case .sqlite(let code, let reason): self.init(.failed, "storage.sqliteError: \(reason) (\(code))")
    case .unreadable(let reason): self.init(.failed, "storage.generalStorageError: \(reason)")
    }
  }

  /// A failed use of a key. Why a key store is not available stays out of the log: its words have paths in them.
  package init(_ failure: KeyStoreError) {
    switch failure {
    case .notFound(let tag): self.init(.missing, "the key \(tag) is not in the key store")
    case .invalidated(let tag): self.init(.invalidated, "the key \(tag) counts no more: the enrolled set has changed")
    case .notVerified(let tag): self.init(.failed, "failedToSignPayload: the key \(tag) needs a verified person")
    case .lockedOut(let tag): self.init(.lockedOut, "the key \(tag) is locked out")
    case .notMade(let tag, _): self.init(.failed, "keyGenFailed: the key \(tag) could not be made")
    case .unavailable: self.init(.failed, "generalEncryptionError: the key store cannot be used")
    }
  }
}
