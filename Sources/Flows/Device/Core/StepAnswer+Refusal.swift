// Interprets the answer to a step of an operation.

import EventStore
import FlowRecording

extension StepAnswer {
  /// The org's error; `nil` if the answer is anything else.
  var serverError: ServerError? {
    guard case .response(let status, let body) = self, !(200...299).contains(status) else { return nil }
    return ServerError(body)
  }

  /// Why the request failed; `nil` if the org reported success.
  var refusal: Refusal? {
    switch self {
    case .response(200...299, _), .drawn: nil
    case .response(let status, let body):
      Refusal(
        "serverAPIError",
        .members([
          ("httpStatus", .int(status)), ("body", body),
          ("errorCode", ServerError.code(of: body?["errorCode"]).map(JSON.string)),
        ]))
    case .noResponse(let error):
      Refusal("networkError", ["code": .string(error.code.rawValue), "text": .string(error.detail)])
    case .undrawn(let failure): Refusal(failure)
    }
  }
}

extension Refusal {
  /// Converts a failed draw to an error of §15. If the detail begins with the name of a case of `StorageError` or
  /// `SecurityError` and a colon, the result is that error.
  init(_ failure: DrawFailure) {
    let detail = failure.detail ?? ""
    let name = detail.prefix { $0 != ":" }
    let text = String(detail.dropFirst(name.count).drop { $0 == ":" || $0 == " " })
    if let colon = detail.firstIndex(of: ":"), colon != detail.startIndex, name.hasPrefix("storage.") {
      self.init("storageError", ["case": .string(String(name.dropFirst(8))), "message": .string(text)])
      return
    }
    switch failure.reason {
    case .cancelled: self.init("securityError", ["case": "localAuthenticationCancelled", "message": .string(detail)])
    case .lockedOut: self.init("securityError", ["case": "localAuthenticationFailed", "message": .string(detail)])
    case .invalidated: self.init("securityError", ["case": "keyCorrupted", "message": .string(detail)])
    case .missing: self.init("genericError", ["message": .string(detail)])
    case .timedOut, .failed:
      let known = ["keyGenFailed", "failedToSignPayload", "jwkError", "generalEncryptionError"]
      let word = String(name)
      self.init(
        "securityError",
        known.contains(word)
          ? ["case": .string(word), "message": .string(text)]
          : ["case": "generalEncryptionError", "message": .string(detail)])
    }
  }
}
