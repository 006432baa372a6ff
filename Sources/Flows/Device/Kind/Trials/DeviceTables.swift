// The push authenticator's interpretation of the org's vocabulary, for the digests of recordings.

import EventStore
import FlowRecording

extension DeviceKind {
  package static var tables: [String: Set<String>] {
    let words: [String: Set<String>] = [
      "errorCodes": Set(RuntimeTables.errorCodes.map(Self.meaning)),
      "challenges": ChallengeTrials.challenges, "texts": ChallengeTrials.texts, "keys": ChallengeTrials.keys,
      "errors": Set(errors.map { "\($0.errorCode)|\($0.description)" }),
    ]
    return words.merging(host.mapValues { HostTables.numbered(Array($0.joined())) }) { one, _ in one }
  }

  /// The results of the parts outside the core for fixed inputs, and of the core for made-up flows.
  private static var host: [String: [[String]]] {
    [
      "orgKeys": [HostTables.orgKeys, HostTables.cached],
      "signatures": [HostTables.signatures, HostTables.judgements],
      "storage": [HostTables.storage, HostTables.transactions], "stored": [HostTables.storedForms],
      "writes": [HostTables.stores, HostTables.excerpts],
      "draws": [HostTables.draws, HostTables.facts, HostTables.signals],
      "rows": [HostTables.rows, HostTables.schema, HostTables.sqliteErrors],
      "seals": [HostTables.cells, HostTables.storageSeals], "keyFiles": [HostTables.keyNames, HostTables.keyFiles],
      "memoryKeys": [HostTables.memoryKeys], "passphrases": [HostTables.keyStores, HostTables.derivations],
      "pins": [HostTables.pins], "verifiers": [HostTables.verifiers, HostTables.prompts, HostTables.terminals],
      "feeds": [HostTables.feeds, HostTables.webhooks], "pulls": [HostTables.pulled, HostTables.pauses],
      "machine": [HostTables.machine], "loggers": [HostTables.loggers],
      "wire": [HostTables.fallbacks, HostTables.sent, HostTables.readings, HostTables.claims],
      "hostErrors": [HostTables.errors], "values": [HostTables.notifications, HostTables.values],
      "handles": [HostTables.handles], "surroundings": [HostTables.enrollments, HostTables.builders],
      "declarations": [HostTables.declarations], "operations": [HostTables.operations],
      "resolutions": [HostTables.resolutions], "arrivals": [HostTables.arrivals], "walks": [DeviceWalks.all],
      "forms": [HostTables.forms], "seams": [HostTables.seams], "printed": [HostTables.texts],
    ]
  }

  /// The meaning of an error code for an enrollment, in flows and in applications.
  private static func meaning(of code: String) -> String {
    let (flow, shown) = (ServerError(["errorCode": .string(code)]), ServerErrorCode(raw: code))
    let marks = [
      flow.isGone, flow.isSuspended, flow.isDeviceReset, shown.isResourceDeleted, shown.isResourceSuspended,
    ]
    return "\(shown.rawValue) \(shown.httpCode()) \(ServerError.meaning(of: code).rawValue) \(marks)"
  }

  /// One error for each case that needs neither an answer nor a challenge.
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
