// Conversions between stored values and JSON, for draws.

package import EventStore
package import FlowRecording

extension StoredEnrollment {
  /// The enrollment as JSON, keyed by property name. Times are text that includes their fraction.
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

  /// Reads an enrollment from JSON; `nil` if a required member is missing.
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
  /// The device record as JSON, keyed by property name.
  package var json: JSON {
    [
      "orgID": .string(orgID), "id": .string(id), "clientInstanceID": .string(clientInstanceID),
      "clientInstanceTag": .string(clientInstanceTag),
    ]
  }

  /// Reads a device record from JSON.
  package init?(_ json: JSON) {
    guard let org = json["orgID"]?.string, let id = json["id"]?.string,
      let instance = json["clientInstanceID"]?.string, let tag = json["clientInstanceTag"]?.string
    else { return nil }
    self.init(orgID: org, id: id, clientInstanceID: instance, clientInstanceTag: tag)
  }
}

extension StoredPolicy {
  /// The parts of a policy that operations need, as JSON.
  package var json: JSON {
    .members([
      ("orgID", .string(orgID)), ("id", .string(id)), ("clientID", .string(clientID)),
      ("wantsHardware", .bool(PolicyReading(content)?.wantsHardware ?? false)),
    ])
  }
}

extension StoredTransaction {
  /// What is stored about a transaction, including the secret answer and its contents.
  package var json: JSON {
    .members([
      ("stage", .string(stage.rawValue)), ("fingerprint", .string(fingerprint)),
      ("response", response.map(JSON.string)), ("responseExpiry", responseExpiry.map { .string(String($0)) }),
      ("said", said),
    ])
  }

  /// The contents of the signed answer, with the names of `response.signed`; `nil` if no answer can be read.
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
  /// Converts a storage failure: the name of an error of §15.2, then the problem. Paths are left out of the log,
  /// because they belong to the application and may name a person.
  package init(_ failure: StorageFailure) {
    switch failure {
    case .directory: self.init(.failed, "storage.missingAppGroupEntitlement: the directory cannot be used")
    case .migration(let reason): self.init(.failed, "storage.storageMigrationError: \(reason)")
    case .sqlite(let code, let reason): self.init(.failed, "storage.sqliteError: \(reason) (\(code))")
    case .unreadable(let reason): self.init(.failed, "storage.generalStorageError: \(reason)")
    }
  }

  /// Converts a key store failure. The reason why a key store is unavailable is left out of the log, because it may
  /// contain paths.
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
