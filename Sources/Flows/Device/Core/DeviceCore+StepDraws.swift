// The draws of operations on enrollments: keys, signatures, storage (spec/device.md §13).

import EventStore
import FlowRecording

extension DeviceCore {
  func ask(
    _ kind: DrawKind, _ step: DeviceStep, _ operation: DeviceOperation, _ members: () -> [(String, JSON?)]
  ) -> FlowEvent {
    Self.ask(kind, step, for: operation.call, members())
  }

  func makeKeys(_ step: DeviceStep, _ operation: DeviceOperation, _ draws: Draws) -> FlowEvent {
    var roles: [KeyRole] = []
    if step != .keys {
      roles = [.clientInstance]
    } else {
      if operation.name == .enroll { roles.append(.proofOfPossession) }
      if operation.wantsVerification { roles.append(.userVerification) }
      if operation.name == .enroll, operation.device == nil { roles.append(.clientInstance) }
    }
    let keys = roles.map { role -> JSON in
      ["tag": .string(draws(.uuid).string?.uppercased() ?? ""), "role": .string(role.rawValue)]
    }
    return ask(.deviceMakeKeys, step, operation) { [("keys", .array(keys))] }
  }

  private func sign(
    _ jwt: UnsignedJWT, with tag: String, _ step: DeviceStep, _ operation: DeviceOperation
  ) -> FlowEvent {
    ask(.deviceSign, step, operation) {
      [("tag", .string(tag)), ("bound", false), ("header", jwt.header), ("claims", jwt.claims)]
    }
  }

  func attest(_ operation: DeviceOperation, _ now: Int, _ draws: Draws) -> FlowEvent {
    let device = operation.device
    let tag = device?.clientInstanceTag ?? ""
    let jwt = DeviceTokens.attestation(
      clientInstanceID: device?.clientInstanceID ?? "", deviceID: device?.id ?? "", orgURL: operation.orgURL, key: tag,
      at: now, id: draws(.uuid).string ?? "")
    return sign(jwt, with: tag, .attest, operation)
  }

  func assertion(_ operation: DeviceOperation, _ now: Int, _ draws: Draws) -> FlowEvent {
    let enrollment = operation.enrollment
    let tag = enrollment?.proofOfPossessionTag ?? ""
    let jwt = DeviceTokens.assertion(
      methodID: enrollment?.methodID ?? "", userID: enrollment?.userID ?? "", orgURL: operation.orgURL, key: tag,
      at: now, id: draws(.uuid).string ?? "")
    return sign(jwt, with: tag, .assertion, operation)
  }

  func store(_ operation: DeviceOperation, _ now: Int) -> FlowEvent {
    guard operation.name == .enroll else {
      var set: [(String, JSON?)] = [("serverErrorCode", .null)]
      if operation.name == .setUserVerification {
        let tag = operation.healthyKey?["kid"] ?? operation.key(.userVerification)?["tag"]
        set.append(("userVerificationTag", operation.wantsVerification ? tag ?? .null : .null))
      }
      if operation.name == .enableCIBATransactions {
        set.append(("transactionTypes", .array(Self.types(operation).map(JSON.string))))
      }
      return ask(.deviceStore, .store, operation) {
        [
          ("write", "change"), ("enrollment", operation.arguments["enrollmentId"]), ("set", .members(set)),
          ("updated", .string(String(Double(now)))),
        ]
      }
    }
    let records = enrolled(operation, now)
    return ask(.deviceStore, .store, operation) {
      [("write", "enrollment"), ("enrollment", records?.enrollment.json), ("device", records?.device?.json)]
    }
  }

  /// The records to store after the org has confirmed an enrollment; the device record only if it has changed.
  private func enrolled(
    _ operation: DeviceOperation, _ now: Int
  ) -> (enrollment: StoredEnrollment, device: StoredDevice?)? {
    guard let reading = operation.enrolled?.body.flatMap(EnrollmentReading.init),
      let policy = operation.policy
    else { return nil }
    let isCIBA = operation.arguments["ciba"]?.bool == true
    let enrollment = StoredEnrollment(
      id: reading.id, orgID: policy.orgID, orgURL: operation.orgURL, userID: reading.userID,
      userName: reading.userName, deviceID: reading.deviceID, methodID: reading.methodID,
      pendingURL: reading.pendingURL, proofOfPossessionTag: operation.key(.proofOfPossession)?["tag"]?.string,
      userVerificationTag: operation.key(.userVerification)?["tag"]?.string,
      transactionTypes: isCIBA ? [DeviceVocabulary.login, DeviceVocabulary.ciba] : [DeviceVocabulary.login],
      clientID: operation.arguments["clientId"]?.string, created: Double(now), updated: Double(now))
    let tag = operation.key(.clientInstance)?["tag"]?.string ?? operation.device?.clientInstanceTag
    let device = tag.map {
      StoredDevice(
        orgID: policy.orgID, id: reading.deviceID, clientInstanceID: reading.clientInstanceID, clientInstanceTag: $0)
    }
    return (enrollment, device == operation.device ? nil : device)
  }

  /// The tags of the keys that are no longer referenced.
  static func droppedTags(_ operation: DeviceOperation) -> JSON {
    switch operation.name {
    case .delete, .deleteFromDevice: operation.answers[.storeDeletion]?.value?["orphaned"] ?? []
    case .setUserVerification: .array([operation.enrollment?.userVerificationTag].compactMap { $0.map(JSON.string) })
    case .enroll: .array(operation.replacedTags)
    case .downloadPolicy, .updateDeviceToken, .enableCIBATransactions, .retrieveMaintenanceToken,
      .retrievePushChallenges, .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission:
      []
    }
  }
}
