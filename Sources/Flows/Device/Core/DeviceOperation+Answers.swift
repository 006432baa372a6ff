// Whether an operation can continue after an answer (spec/device.md §13, §15).

import EventStore
import FlowRecording

extension DeviceOperation {
  /// Why an operation on a stored enrollment cannot begin; `nil` if it can.
  var obstacle: Refusal? {
    guard let enrollment else {
      return Refusal("storageError", ["case": "itemNotFound", "message": "the enrollment is not stored"])
    }
    switch name {
    case .setUserVerification:
      return stored["policy"] == nil ? Refusal("genericError", ["message": "no stored authenticator policy"]) : nil
    case .retrievePushChallenges:
      return enrollment.pendingURL == nil ? Refusal("internalError", ["message": "no pending challenge URL"]) : nil
    case .retrieveMaintenanceToken:
      guard enrollment.clientID != nil else {
        return Refusal("genericError", ["message": "no stored authenticator policy"])
      }
      return enrollment.proofOfPossessionTag == nil
        ? Refusal("genericError", ["message": "no proof of possession key enrolled"]) : nil
    case .downloadPolicy, .enroll, .updateDeviceToken, .enableCIBATransactions, .delete, .deleteFromDevice, .receive,
      .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission:
      return nil
    }
  }

  /// Why an answer ends the operation; `nil` if the operation continues.
  func refusal(of step: DeviceStep, _ answer: StepAnswer, deletesSuspended: Bool) -> Refusal? {
    switch step {
    case .organization:
      answer.refusal
        ?? (answer.body?["id"]?.string == nil ? Refusal("genericError", ["message": "no organization data"]) : nil)
    case .policy: answer.refusal ?? policyRefusal(answer)
    case .enroll: isDeviceReset ? nil : answer.refusal ?? readable(answer)
    case .enrollRetry: answer.refusal ?? readable(answer)
    case .update:
      // The body of the response to a push token update is ignored (§4.4).
      answer.refusal
        ?? (name != .updateDeviceToken && answer.body?["methods"]?["push"] == nil
          ? Refusal("internalError", ["message": "the answer has no push method"]) : nil)
    case .deletion: deletionRefusal(answer, deletesSuspended: deletesSuspended)
    case .token:
      answer.refusal
        ?? (answer.body?["access_token"]?.string == nil || answer.body?["token_type"]?.string == nil
          ? Refusal("internalError", ["message": "the answer has no token"]) : nil)
    case .pending:
      answer.refusal
        ?? (answer.body?.array?.allSatisfy { $0.object != nil } == true
          ? nil : Refusal("genericError", ["message": "the answer is no list of challenges"]))
    case .verifyPerson: answer.refusal ?? verificationRefusal(answer.value?["outcome"]?.string ?? "")
    case .attest: nil
    case .storePolicy, .keys, .instanceKey, .instanceKeyRetry, .assertion, .store, .storeDeletion: answer.refusal
    case .dropKeys, .rollback, .storeCode: nil
    case .discovery, .orgKeys, .submission, .verifyToken, .claim, .collect, .sign, .saveAnswer, .close: nil
    }
  }

  private func policyRefusal(_ answer: StepAnswer) -> Refusal? {
    guard let body = answer.body else { return Refusal("internalError", ["message": "the answer has no policy"]) }
    do throws(PolicyReading.ReadingFailure) {
      _ = try PolicyReading.choose(from: body)
      return nil
    } catch {
      switch error {
      case .malformed: return Refusal("internalError", ["message": "the policy cannot be read"])
      case .notFound: return Refusal("genericError", ["message": "authenticator policy not found"])
      case .nothingToEnroll: return Refusal("noVerificationMethodsToEnroll")
      }
    }
  }

  private func readable(_ answer: StepAnswer) -> Refusal? {
    answer.body.flatMap(EnrollmentReading.init) == nil
      ? Refusal("internalError", ["message": "the answer is no enrollment"]) : nil
  }

  /// An enrollment that the org has deleted or suspended is removed here too (§13.6).
  private func deletionRefusal(_ answer: StepAnswer, deletesSuspended: Bool) -> Refusal? {
    if let error = answer.serverError, error.isGone || error.isSuspended && deletesSuspended { return nil }
    return answer.refusal
  }

  private func verificationRefusal(_ outcome: String) -> Refusal? {
    func refused(_ name: JSON, _ message: JSON) -> Refusal {
      Refusal("securityError", ["case": name, "message": message])
    }
    switch outcome {
    case "verified": return nil
    case "cancelled": return refused("localAuthenticationCancelled", "the person cancelled")
    case "notSetUp": return refused("localAuthenticationPasscodeNotSet", "nothing is set up to verify the person by")
    case "lockedOut": return refused("localAuthenticationFailed", "locked out after too many tries")
    case "timedOut": return refused("localAuthenticationFailed", "the person did not answer in time")
    case let other: return refused("localAuthenticationFailed", .string("the person was not verified: \(other)"))
    }
  }

  /// One word for what an update changed.
  var changed: String {
    switch name {
    case .updateDeviceToken: "pushToken"
    case .setUserVerification: wantsVerification ? "userVerification on" : "userVerification off"
    case .enableCIBATransactions: arguments["enable"]?.bool == true ? "ciba on" : "ciba off"
    case .downloadPolicy, .enroll, .delete, .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges,
      .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission:
      name.rawValue
    }
  }
}
