// Converts recorded errors to the errors that applications receive.

import EventStore
import FlowRecording
import Foundation

extension DeviceAuthenticatorError {
  /// Converts the error of a `call.returned`, with secrets revealed. Secrets that an org quotes are not printed.
  init(code: String, details recorded: JSON, _ flow: DeviceFlow?) {
    let details = flow?.flow.vault.reveal(recorded) ?? recorded
    let message = details["message"]?.string ?? ""
    switch code {
    case "serverAPIError":
      let body = details["body"]
      let result = HTTPURLResult(
        statusCode: details["httpStatus"]?.int ?? 0, data: body.map { Data($0.bytes) })
      self = .serverAPIError(result, body.flatMap { ServerAPIErrorModel($0, recorded: recorded["body"]) })
    case "networkError":
      let code = TransportError.Code(rawValue: details["code"]?.string ?? "") ?? .other
      self = .networkError(TransportError(code, details["text"]?.string ?? ""))
    case "securityError": self = .securityError(SecurityError(case: details["case"]?.string ?? "", message))
    case "storageError": self = .storageError(StorageError(case: details["case"]?.string ?? "", message))
    case "internalError": self = .internalError(message)
    case "pushNotRecognized": self = .pushNotRecognized
    case "noVerificationMethodsToEnroll": self = .noVerificationMethodsToEnroll
    case "duplicateChallenge":
      self = .duplicateChallenge(
        transactionId: details["transactionId"]?.string ?? flow?.flow.core.challenge?.challenge?.transactionID ?? "")
    case "unsupportedTransactionType": self = .unsupportedTransactionType(message)
    case "accountNotFoundForChallenge":
      self =
        flow.map { .accountNotFoundForChallenge(PushChallenge.make(ChallengeSession($0))) } ?? .genericError(message)
    case let other: self = .genericError(message.isEmpty ? other : message)
    }
  }
}

extension SecurityError {
  init(case name: String, _ message: String) {
    let reason = Reason(description: message)
    switch name {
    case "failedToSignPayload": self = .failedToSignPayload(message)
    case "keyGenFailed": self = .keyGenFailed(-1, message)
    case "keyCorrupted": self = .keyCorrupted(reason)
    case "localAuthenticationCancelled": self = .localAuthenticationCancelled(reason)
    case "localAuthenticationPasscodeNotSet": self = .localAuthenticationPasscodeNotSet(reason)
    case "localAuthenticationFailed": self = .localAuthenticationFailed(reason)
    case "jwkError": self = .jwkError(message)
    case "jwtError": self = .jwtError(message)
    case let other: self = .generalEncryptionError(-1, nil, message.isEmpty ? other : message)
    }
  }
}

extension StorageError {
  init(case name: String, _ message: String) {
    switch name {
    case "itemNotFound": self = .itemNotFound
    case "missingAppGroupEntitlement": self = .missingAppGroupEntitlement
    case "storageMigrationError": self = .storageMigrationError(message)
    case "sqliteError": self = .sqliteError(message)
    case let other: self = .generalStorageError(message.isEmpty ? other : message)
    }
  }
}

extension ServerAPIErrorModel {
  /// Reads an error body; `nil` if it is not an object.
  ///
  /// - Parameters:
  ///   - body: the body as the org sent it.
  ///   - recorded: the body as it was recorded.
  init?(_ body: JSON, recorded: JSON?) {
    guard body.object != nil else { return nil }
    self.init(
      errorCode: body["errorCode"]?.string.map(ServerErrorCode.init(raw:)),
      errorSummary: Self.sentence(of: body),
      errorLink: body["errorLink"]?.string, errorId: body["errorId"]?.string,
      errorCauses: body["errorCauses"]?.array?.compactMap { $0["errorSummary"]?.string },
      status: Self.word(of: body))
    self.recorded = Recorded(
      code: recorded?["errorCode"]?.string, sentence: recorded.flatMap { Self.sentence(of: $0) ?? Self.word(of: $0) })
  }

  private static func sentence(of body: JSON) -> String? {
    body["errorSummary"]?.string ?? body["error_description"]?.string
  }

  private static func word(of body: JSON) -> String? { body["status"]?.string ?? body["error"]?.string }
}
