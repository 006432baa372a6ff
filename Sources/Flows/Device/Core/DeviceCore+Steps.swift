// The steps of operations on enrollments as requests and draws (spec/device.md §4, §13).

import EventStore
import FlowRecording

extension DeviceCore {
  /// The events of a step that is taken now.
  func perform(
    _ step: DeviceStep, _ operation: DeviceOperation, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    let now = Self.seconds(input.at)
    switch step {
    case .organization:
      return [
        send(
          "GET", operation.orgURL + DeviceVocabulary.Path.organization, operation, DeviceVocabulary.Media.plain,
          token: false)
      ]
    case .policy:
      let client = FormEncoding.encoded(operation.arguments["clientId"]?.string ?? "")
      let url = operation.orgURL + DeviceVocabulary.Path.configuration + "?oauthClientId=" + client
      return [send("GET", url, operation)]
    case .enroll: return [enroll(operation, isRetry: false)]
    case .enrollRetry: return [enroll(operation, isRetry: true)]
    case .update:
      return [
        send(
          "PATCH", enrollmentURL(operation), operation, DeviceVocabulary.Media.mergePatch, body: update(operation))
      ]
    case .deletion: return [send("DELETE", enrollmentURL(operation), operation)]
    case .token:
      let body = DeviceRequests.maintenanceToken(
        clientID: operation.enrollment?.clientID ?? "", scopes: Self.scopes(operation),
        assertion: operation.answers[.assertion]?.value?["jwt"]?.string ?? "")
      let plan = RequestPlan(
        url: operation.orgURL + DeviceVocabulary.Path.token, accept: DeviceVocabulary.Media.plain,
        contentType: DeviceVocabulary.Media.form, body: body, encoding: .form)
      return [request(plan, token: nil)]
    case .pending: return [pending(operation)]
    case .storePolicy:
      let policy = operation.policy
      return [
        ask(.deviceStore, step, operation) {
          [
            ("write", "policy"), ("policy", policy?.content), ("orgID", policy.map { .string($0.orgID) }),
            ("clientID", operation.arguments["clientId"]),
          ]
        }
      ]
    case .verifyPerson:
      return [ask(.deviceVerifyPerson, step, operation) { [("reason", "Confirm that it is you")] }]
    case .keys, .instanceKey, .instanceKeyRetry: return [makeKeys(step, operation, draws)]
    case .attest: return [attest(operation, now, draws)]
    case .assertion: return [assertion(operation, now, draws)]
    case .store: return [store(operation, now)]
    case .storeCode:
      return [
        ask(.deviceStore, step, operation) {
          [
            ("write", "change"), ("enrollment", operation.arguments["enrollmentId"]),
            ("set", ["serverErrorCode": .string(operation.newCode ?? "")]),
          ]
        }
      ]
    case .storeDeletion:
      return [
        ask(.deviceStore, step, operation) {
          [("write", "delete"), ("enrollment", operation.arguments["enrollmentId"])]
        }
      ]
    case .dropKeys: return [ask(.deviceDropKeys, step, operation) { [("tags", Self.droppedTags(operation))] }]
    case .rollback:
      return [ask(.deviceDropKeys, step, operation) { [("tags", .array(operation.madeTags.map(JSON.string)))] }]
    case .discovery, .orgKeys, .submission, .verifyToken, .claim, .sign, .saveAnswer, .close: return []
    }
  }

  // MARK: Requests

  private func send(
    _ method: String, _ url: String, _ operation: DeviceOperation,
    _ media: String = DeviceVocabulary.Media.json, token: Bool = true, body: JSON? = nil
  ) -> FlowEvent {
    let plan = RequestPlan(
      method: method, url: url, accept: media, contentType: body == nil ? nil : media, body: body)
    return request(plan, token: token ? operation.arguments["token"] : nil)
  }

  private func enrollmentURL(_ operation: DeviceOperation) -> String {
    operation.orgURL + DeviceVocabulary.Path.enrollments + "/" + (operation.enrollment?.id ?? "")
  }

  /// The link of the stored enrollment, if it leads to the org: the token goes nowhere else.
  private func pending(_ operation: DeviceOperation) -> FlowEvent {
    let link = operation.enrollment?.pendingURL ?? ""
    let isHome = URLParts(link)?.isSameOrigin(as: URLParts(operation.orgURL)) ?? false
    let url = isHome ? link : enrollmentURL(operation) + "/push/notifications"
    return send("GET", url, operation)
  }

  private func enroll(_ operation: DeviceOperation, isRetry: Bool) -> FlowEvent {
    let policy = operation.policy
    let link = policy?.enrollURL ?? ""
    let isHome = URLParts(link)?.isSameOrigin(as: URLParts(operation.orgURL)) ?? false
    let isKnown = operation.isKnownDevice && !isRetry
    let identity: JSON =
      if isKnown, let device = operation.device {
        [
          "id": .string(device.id), "clientInstanceId": .string(device.clientInstanceID),
          "deviceAttestation": [
            "clientInstanceKeyAttestation": operation.answers[.attest]?.value?["jwt"] ?? .null
          ],
        ]
      } else {
        .members([("clientInstanceKey", operation.key(.clientInstance)?["jwk"])])
      }
    let verification: JSON? =
      switch operation.arguments["userVerification"]?.bool {
      case true: operation.key(.userVerification)?["jwk"]
      case false: .null
      case nil: nil
      }
    let types = [DeviceVocabulary.login] + (operation.arguments["ciba"]?.bool == true ? [DeviceVocabulary.ciba] : [])
    let body = DeviceRequests.enroll(
      authenticatorID: policy?.authenticatorID ?? "",
      device: DeviceRequests.device(operation.facts["device"] ?? [:], identity: identity),
      pushToken: operation.arguments["pushToken"]?.string ?? "",
      environment: operation.arguments["apsEnvironment"]?.string ?? "production", transactionTypes: types,
      possession: operation.key(.proofOfPossession)?["jwk"] ?? .null, verification: verification)
    return send(
      "POST", isHome ? link : operation.orgURL + DeviceVocabulary.Path.enrollments, operation, body: body)
  }

  private func update(_ operation: DeviceOperation) -> JSON {
    switch operation.name {
    case .updateDeviceToken: DeviceRequests.update(pushToken: operation.arguments["pushToken"]?.string)
    case .setUserVerification:
      DeviceRequests.update(
        verification: operation.wantsVerification
          ? operation.healthyKey ?? operation.key(.userVerification)?["jwk"] ?? .null : .null)
    case .enableCIBATransactions:
      DeviceRequests.update(transactionTypes: Self.types(operation))
    case .downloadPolicy, .enroll, .delete, .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges,
      .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission:
      [:]
    }
  }

  private static func types(_ operation: DeviceOperation) -> [String] {
    [DeviceVocabulary.login] + (operation.arguments["enable"]?.bool == true ? [DeviceVocabulary.ciba] : [])
  }

  private static func scopes(_ operation: DeviceOperation) -> [String] {
    let scopes = (operation.arguments["scopes"]?.array ?? []).compactMap(\.string)
    return scopes.isEmpty ? [DeviceVocabulary.maintenanceScope] : scopes
  }

  // MARK: Draws

  private func ask(
    _ kind: DrawKind, _ step: DeviceStep, _ operation: DeviceOperation, _ members: () -> [(String, JSON?)]
  ) -> FlowEvent {
    Self.ask(kind, step, for: operation.call, members())
  }

  private func makeKeys(_ step: DeviceStep, _ operation: DeviceOperation, _ draws: Draws) -> FlowEvent {
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

  private func attest(_ operation: DeviceOperation, _ now: Int, _ draws: Draws) -> FlowEvent {
    let device = operation.device
    let tag = device?.clientInstanceTag ?? ""
    let jwt = DeviceTokens.attestation(
      clientInstanceID: device?.clientInstanceID ?? "", deviceID: device?.id ?? "", orgURL: operation.orgURL, key: tag,
      at: now, id: draws(.uuid).string ?? "")
    return sign(jwt, with: tag, .attest, operation)
  }

  private func assertion(_ operation: DeviceOperation, _ now: Int, _ draws: Draws) -> FlowEvent {
    let enrollment = operation.enrollment
    let tag = enrollment?.proofOfPossessionTag ?? ""
    let jwt = DeviceTokens.assertion(
      methodID: enrollment?.methodID ?? "", userID: enrollment?.userID ?? "", orgURL: operation.orgURL, key: tag,
      at: now, id: draws(.uuid).string ?? "")
    return sign(jwt, with: tag, .assertion, operation)
  }

  private func store(_ operation: DeviceOperation, _ now: Int) -> FlowEvent {
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

  /// What is stored of an enrollment that the org has answered.
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

  /// The keys that nothing names any more.
  private static func droppedTags(_ operation: DeviceOperation) -> JSON {
    switch operation.name {
    case .delete, .deleteFromDevice: operation.answers[.storeDeletion]?.value?["orphaned"] ?? []
    case .setUserVerification: .array([operation.enrollment?.userVerificationTag].compactMap { $0.map(JSON.string) })
    case .downloadPolicy, .enroll, .updateDeviceToken, .enableCIBATransactions, .retrieveMaintenanceToken,
      .retrievePushChallenges, .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission:
      []
    }
  }
}
