// What an application reads from each error: its details, its OAuth form, the message of the org, and which errors are
// equal.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension IDXKind {
  static var causes: Set<String> {
    let all = errors + answered
    let lines = all.enumerated().map { number, error in
      let details = error.details.map { "\($0.httpStatus ?? -1) \($0.reason ?? "-")" } ?? "-"
      let message = IDXServerError(error).map { "\($0.message) \($0.localizationKey) \($0.severity)" } ?? "-"
      let oauth = "\(error.oauth.errorDescription ?? "-") \(IDXErrorCheck.isSame(error.oauth, error))"
      let equal = all.map { $0 == error ? "1" : "0" }.joined()
      return "\(number)|\(error.recordedCode)|\(error.errorDescription ?? "-")|\(details)|\(message)|\(oauth)|\(equal)"
    }
    return Set(lines + printed + listed)
  }

  private static let quoted: [InteractionCodeFlowError.APIError] = [
    .init(errorCode: "E0000004", errorSummary: nil, errorId: nil, httpStatus: 400),
    .init(errorCode: "E0000004", errorSummary: "Why.", errorId: "id-1", httpStatus: 401),
    .init(errorCode: "E0000004", errorSummary: "Why.", errorId: "id-1", httpStatus: 401, description: "Masked."),
  ]

  /// Errors created from an answer.
  private static var answered: [InteractionCodeFlowError] {
    let failures: [InteractionCodeFlowError] = [
      .internalError(.init(code: .timedOut, detail: "late")), .internalError(.init(code: .timedOut, detail: "later")),
      .internalError(.init(code: .tlsFailed, detail: "late")),
    ]
    let messages: [InteractionCodeFlowError] = [
      .serverError(message: "No.", localizationKey: "key", type: .error),
      .serverError(message: "No.", localizationKey: "key", type: .info),
      .serverError(message: "No.", localizationKey: "other", type: .unknown),
    ]
    return messages + failures + quoted.map(InteractionCodeFlowError.apiError)
  }

  private static var printed: [String] {
    quoted.enumerated().map { number, error in
      let members = "\(error.errorCode) \(error.errorSummary ?? "-") \(error.errorId ?? "-") \(error.httpStatus)"
      return "quoted \(number)|\(members)|\(Printed.text(error))"
    }
  }

  /// Errors about property lists.
  private static var listed: [String] {
    let all: [PropertyListConfigurationError] = [
      .defaultPropertyListNotFound, .invalidPropertyList(url: URL(fileURLWithPath: "/none/Okta.plist")),
      .cannotParsePropertyList("why"), .missingConfigurationValues, .invalidConfiguration(name: "issuer", value: "a"),
      .invalidConfiguration(name: "issuer", value: nil), .invalidConfiguration(name: "scopes", value: "a"),
    ]
    return all.enumerated().map { number, error in
      "list \(number)|\(error.errorDescription ?? "-")|\(all.map { $0 == error ? "1" : "0" }.joined())"
    }
  }
}
