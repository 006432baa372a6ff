// What the push authenticator knows of the org's words, for the digests of recordings.

import EventStore
import FlowRecording

extension DeviceKind {
  package static var tables: [String: Set<String>] {
    [
      "errorCodes": Set(RuntimeTables.errorCodes.map(Self.meaning)),
      "challenges": ChallengeTrials.challenges, "texts": ChallengeTrials.texts, "keys": ChallengeTrials.keys,
      "errors": Set(errors.map { "\($0.errorCode)|\($0.description)" }),
    ]
  }

  /// What a code means for an enrollment, as flows see it and as applications do.
  private static func meaning(of code: String) -> String {
    let (flow, shown) = (ServerError(["errorCode": .string(code)]), ServerErrorCode(raw: code))
    let marks = [
      flow.isGone, flow.isSuspended, flow.isDeviceReset, shown.isResourceDeleted, shown.isResourceSuspended,
    ]
    return "\(shown.rawValue) \(shown.httpCode()) \(ServerError.meaning(of: code).rawValue) \(marks)"
  }

  /// An error of each case that needs neither answer nor challenge.
  private static var errors: [DeviceAuthenticatorError] {
    let security: [SecurityError] = [
      .failedToSignPayload("why"), .keyGenFailed(7, "why"), .keyCorrupted(Reason(description: "why")),
      .localAuthenticationCancelled(Reason(description: "why")),
      .localAuthenticationPasscodeNotSet(Reason(description: "why")),
      .localAuthenticationFailed(Reason(description: "why")), .generalEncryptionError(7, nil, "why"), .jwkError("why"),
      .jwtError("why"), .dataEncryptionDecryptionError(nil),
    ]
    let storage: [StorageError] = [
      .itemNotFound, .missingAppGroupEntitlement, .storageMigrationError("why"), .sqliteError("why"),
      .generalStorageError("why"),
    ]
    return security.map { .securityError($0) } + storage.map { .storageError($0) } + [
      .networkError(Reason(description: "why")), .genericError("why"), .internalError("why"), .pushNotRecognized,
      .noVerificationMethodsToEnroll, .duplicateChallenge(transactionId: "id"), .unsupportedTransactionType("type"),
      .auditUnavailable("why"),
    ]
  }
}
