// Compares an error that an application received with the recorded one.

import EventStore
import FlowRecording

/// Checks one error.
struct DeviceErrorCheck {
  private let error: DeviceAuthenticatorError

  init(_ error: DeviceAuthenticatorError) { self.error = error }

  /// The code of the error in the log.
  var code: String {
    switch error {
    case .serverAPIError: "serverAPIError"
    case .networkError: "networkError"
    case .securityError: "securityError"
    case .storageError: "storageError"
    case .genericError: "genericError"
    case .internalError: "internalError"
    case .accountNotFoundForChallenge: "accountNotFoundForChallenge"
    case .pushNotRecognized: "pushNotRecognized"
    case .noVerificationMethodsToEnroll: "noVerificationMethodsToEnroll"
    case .duplicateChallenge: "duplicateChallenge"
    case .unsupportedTransactionType: "unsupportedTransactionType"
    case .auditUnavailable: "auditUnavailable"
    }
  }

  /// The name of the error; for a security error, the name of its case.
  var name: String { if case .securityError(let error) = error { error.name } else { code } }

  /// Describes how the received error differs from the recorded end of the call; `nil` if it does not.
  ///
  /// - Parameters:
  ///   - recorded: the recorded error code.
  ///   - details: the recorded details, with secrets revealed.
  func complaint(_ recorded: String, _ details: JSON, in core: DeviceCore) -> String? {
    guard recorded == code else { return PlayedResults<DeviceApplication.Got>.error(code) }
    return isSame(details, core) ? nil : "the details of \(code) are others"
  }

  private func isSame(_ details: JSON, _ core: DeviceCore) -> Bool {
    let message = details["message"]?.string
    let transaction = core.challenge?.challenge?.claims["transactionId"]?.string
    switch error {
    case .serverAPIError(let result, let model): return isSame(result, model, details)
    case .networkError(let error):
      let error = error as? TransportError
      return error?.code.rawValue == details["code"]?.string && error?.detail == details["text"]?.string
    case .securityError(let error):
      let text = error.errorDescription ?? ""
      return error.name == details["case"]?.string && (message.map { text.contains($0) } ?? true)
    case .storageError(let error): return "\(error)".hasPrefix(details["case"]?.string ?? "")
    case .genericError(let text), .internalError(let text), .unsupportedTransactionType(let text):
      return message == nil || text == message
    case .accountNotFoundForChallenge(let challenge): return challenge.transactionId == transaction
    case .duplicateChallenge(let id): return id == details["transactionId"]?.string ?? transaction
    case .pushNotRecognized, .noVerificationMethodsToEnroll, .auditUnavailable: return true
    }
  }

  private func isSame(_ result: HTTPURLResult, _ model: ServerAPIErrorModel?, _ details: JSON) -> Bool {
    guard result.statusCode == details["httpStatus"]?.int else { return false }
    guard let body = details["body"] else { return model == nil && result.data == nil }
    guard body.object != nil else { return model == nil }
    let causes = body["errorCauses"]?.array?.compactMap { $0["errorSummary"]?.string }
    return result.data.map(Array.init) == body.bytes && model?.errorCode?.rawValue == body["errorCode"]?.string
      && model?.errorSummary == body["errorSummary"]?.string ?? body["error_description"]?.string
      && model?.errorLink == body["errorLink"]?.string && model?.errorId == body["errorId"]?.string
      && model?.errorCauses == causes && model?.status == body["status"]?.string ?? body["error"]?.string
  }
}
