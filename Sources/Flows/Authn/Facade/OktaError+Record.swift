// Converts `call.returned` and the answer before it to the error that an application receives.

import EventStore
import FlowRecording
import Foundation

extension OktaError {
  /// The error of a refusal.
  ///
  /// - Parameters:
  ///   - code: the name of the case, as recorded.
  ///   - details: the recorded details.
  ///   - object: the state after it, with the answer and the flow's secrets.
  init(code: String, details: JSON, _ object: AuthnObject) {
    let core = object.state
    let vault = object.session.flow.vault
    let text = details["text"]?.string ?? ""
    switch code {
    case "errorBuildingURLRequest": self = .errorBuildingURLRequest(text)
    case "connectionError":
      let transportCode = TransportError.Code(rawValue: details["code"]?.string ?? "") ?? .other
      self = .connectionError(TransportError(transportCode, details["detail"]?.string ?? ""))
    case "emptyServerResponse": self = .emptyServerResponse(httpStatus: OktaError.httpStatus(core) ?? 0)
    case "invalidResponse": self = .invalidResponse(text)
    case "responseSerializationError":
      let reason = OktaReadingError(reason: text, httpStatus: OktaError.httpStatus(core))
      self = .responseSerializationError(reason, OktaError.body(core, vault))
    case "serverRespondedWithError": self = .serverRespondedWithError(OktaError.server(core, vault))
    case "unexpectedResponse": self = .unexpectedResponse
    case "wrongStatus": self = .wrongStatus(text)
    case "alreadyInProgress": self = .alreadyInProgress
    case "unknownStatus": self = .unknownStatus(object.model)
    case "invalidParameters": self = .invalidParameters(text)
    case "cancelled": self = .cancelled
    default: self = .internalError(text)
    }
  }

  /// The record of an error that a handler of the application chose.
  var record: JSON { ["outcome": "error", "code": .string(code), "text": .string(description)] }

  /// The name of the case.
  private var code: String {
    switch self {
    case .errorBuildingURLRequest: "errorBuildingURLRequest"
    case .connectionError: "connectionError"
    case .emptyServerResponse: "emptyServerResponse"
    case .invalidResponse: "invalidResponse"
    case .responseSerializationError: "responseSerializationError"
    case .serverRespondedWithError: "serverRespondedWithError"
    case .unexpectedResponse: "unexpectedResponse"
    case .wrongStatus: "wrongStatus"
    case .alreadyInProgress: "alreadyInProgress"
    case .unknownStatus: "unknownStatus"
    case .internalError: "internalError"
    case .invalidParameters: "invalidParameters"
    case .cancelled: "cancelled"
    }
  }

  private static func httpStatus(_ core: AuthnCore) -> Int? {
    if case .answer(let response) = core.ledger.latest?.content { response.status } else { nil }
  }

  private static func body(_ core: AuthnCore, _ vault: Vault) -> Data {
    guard case .answer(let response) = core.ledger.latest?.content else { return Data() }
    switch response.body {
    case .empty: return Data()
    case .json(let json): return Data(vault.reveal(json).bytes)
    case .opaque(_, let length, let placeholder):
      let text = vault.reveal(placeholder)
      // Bytes that were not UTF-8 are stored as one scalar per byte.
      if text.utf8.count == length { return Data(text.utf8) }
      return Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
  }

  private static func server(_ core: AuthnCore, _ vault: Vault) -> OktaAPIErrorResponse {
    guard let latest = core.ledger.latest, case .answer(let response) = latest.content,
      case .json(let json) = response.body
    else {
      return OktaAPIErrorResponse(revealed: [:], masked: [:], httpStatus: 0, retryAfterSeconds: nil)
    }
    let wait = response.status == 429 ? RateLimit(response, at: latest.at).waitSeconds : nil
    return OktaAPIErrorResponse(
      revealed: vault.reveal(json), masked: json, httpStatus: response.status, retryAfterSeconds: wait)
  }
}
