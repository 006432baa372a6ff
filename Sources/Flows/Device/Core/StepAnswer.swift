// What a step brought.

package import EventStore
package import FlowRecording

/// What a request or a draw brought.
package enum StepAnswer: Sendable, Equatable {
  /// An answer of the org; no body if it was empty or could not be read.
  case response(status: Int, body: JSON?)
  /// No answer.
  case noResponse(TransportError)
  /// The value of a draw.
  case drawn(JSON)
  /// Why a draw has no value.
  case undrawn(DrawFailure)

  /// An answer as the ledger has it.
  init(_ reply: ResponseReceived) {
    if let error = reply.sizeError {
      self = .noResponse(error)
    } else if case .json(let body) = reply.body {
      self = .response(status: reply.status, body: body)
    } else {
      self = .response(status: reply.status, body: nil)
    }
  }

  /// What a draw came to.
  init(_ draw: DrawMade) {
    switch draw.result {
    case .success(let value): self = .drawn(value)
    case .failure(let failure): self = .undrawn(failure)
    }
  }

  /// The value of a draw.
  var value: JSON? { if case .drawn(let value) = self { value } else { nil } }

  /// The body of an answer that says that all is well.
  var body: JSON? { if case .response(200...299, let body) = self { body } else { nil } }

  /// Whether the org said that all is well.
  var isSuccess: Bool { if case .response(200...299, _) = self { true } else { false } }

  /// The org's error; nil for anything else.
  var serverError: ServerError? {
    guard case .response(let status, let body) = self, !(200...299).contains(status) else { return nil }
    return ServerError(body)
  }

  /// Why the request came to nothing; nil if the org said that all is well.
  var refusal: Refusal? {
    switch self {
    case .response(200...299, _), .drawn: nil
    case .response(let status, let body):
      Refusal(
        "serverAPIError", .members([("httpStatus", .int(status)), ("body", body), ("errorCode", body?["errorCode"])]))
    case .noResponse(let error):
      Refusal("networkError", ["code": .string(error.code.rawValue), "text": .string(error.detail)])
    case .undrawn(let failure): Refusal(failure)
    }
  }

  /// The answer for a state as JSON.
  var json: JSON {
    switch self {
    case .response(let status, let body): .members([("httpStatus", .int(status)), ("body", body)])
    case .noResponse(let error): ["failure": .string(error.code.rawValue), "detail": .string(error.detail)]
    case .drawn(let value): ["value": value]
    case .undrawn(let failure):
      .members([("failure", .string(failure.reason.rawValue)), ("detail", failure.detail.map(JSON.string))])
    }
  }
}

extension Refusal {
  /// A draw that has no value, as the error of §15 that it is. A detail that names a case of `StorageError` or
  /// `SecurityError` before a colon is one of those.
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
    case .failed:
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
