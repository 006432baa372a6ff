// The steps of operations on enrollments as requests and draws (spec/device.md §4, §13).

import EventStore
import FlowRecording

extension DeviceCore {
  /// Returns the events that begin a step.
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
    case .discovery, .orgKeys, .submission, .verifyToken, .claim, .collect, .sign, .saveAnswer, .close: return []
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

  /// Requests the stored enrollment's pending challenges, if its link points to the org: the token is never sent
  /// elsewhere.
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

  static func types(_ operation: DeviceOperation) -> [String] {
    [DeviceVocabulary.login] + (operation.arguments["enable"]?.bool == true ? [DeviceVocabulary.ciba] : [])
  }

  private static func scopes(_ operation: DeviceOperation) -> [String] {
    let scopes = (operation.arguments["scopes"]?.array ?? []).compactMap(\.string)
    return scopes.isEmpty ? [DeviceVocabulary.maintenanceScope] : scopes
  }
}
