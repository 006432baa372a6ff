// Errors restored from a recording, with secrets in their texts.

import EventStore
import FlowRecording
import Foundation

extension IDXKind {
  static var refusals: Set<String> {
    let codes = [
      "invalidContext", "invalidUrl", "cannotCreateRequest", "invalidHTTPResponse", "invalidResponseData",
      "invalidRequestData", "rateLimited", "transactionExpired", "serverError", "apiError", "internalError",
      "oauthError",
      Refusal.idTokenRefused, "invalidParameter", "invalidParameterValue", "missingRequiredParameter",
      "unknownRemediationOption", "successResponseMissing", "missingRelatedObject", "another",
    ]
    let (vault, secret) = RuntimeTables.vault(holding: "Correct-Horse-7")
    let text = JSON.string("no \(secret) here")
    let whole: [(String, JSON)] = [
      ("text", text), ("name", text), ("message", text), ("localizationKey", "key"), ("class", "ERROR"),
      ("errorCode", "E0000004"), ("errorId", text), ("httpStatus", 403), ("retryAfter", 5), ("code", "timedOut"),
      ("detail", text), ("type", "Bool"), ("idToken", ["check": "nonce", "reason": "r"]),
    ]
    return Set(
      codes.flatMap { code in
        (RuntimeTables.withEachLeftOut(of: whole) + [[]]).enumerated().map { number, members in
          let error = InteractionCodeFlowError(code: code, details: .members(members.map { ($0, $1) }), vault)
          let sentences = [error.errorDescription, error.failureReason, error.recoverySuggestion].map { $0 ?? "-" }
          var more = "\(error.recordedCode)"
          if case .apiError(let api) = error {
            more +=
              " \(api.errorCode) \(api.errorSummary ?? "-") \(api.errorId ?? "-") \(api.httpStatus) \(api.description)"
          }
          return "\(code) \(number)|\(sentences)|\(more)"
        }
      })
  }
}
