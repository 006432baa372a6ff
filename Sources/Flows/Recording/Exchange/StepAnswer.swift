// What a step of an operation brought: an answer of the server, none, or the value of a draw.

package import EventStore

/// What a request or a draw brought.
package enum StepAnswer: Sendable, Equatable {
  /// An answer of the server; no body if it was empty or could not be read.
  case response(status: Int, body: JSON?)
  /// No answer.
  case noResponse(TransportError)
  /// The value of a draw.
  case drawn(JSON)
  /// Why a draw has no value.
  case undrawn(DrawFailure)

  /// An answer as the ledger has it.
  ///
  /// - Parameters:
  ///   - reply: the answer.
  ///   - readsBody: whether the step needs its body; else one that is too large does not matter.
  package init(_ reply: ResponseReceived, readsBody: Bool = true) {
    let isAccepted = !readsBody && (200...299).contains(reply.status)
    if !isAccepted, let error = reply.sizeError {
      self = .noResponse(error)
    } else if case .json(let body) = reply.body {
      self = .response(status: reply.status, body: body)
    } else {
      self = .response(status: reply.status, body: nil)
    }
  }

  /// What a draw came to.
  package init(_ draw: DrawMade) {
    switch draw.result {
    case .success(let value): self = .drawn(value)
    case .failure(let failure): self = .undrawn(failure)
    }
  }

  /// The value of a draw.
  package var value: JSON? { if case .drawn(let value) = self { value } else { nil } }

  /// The body of an answer that says that all is well.
  package var body: JSON? { if case .response(200...299, let body) = self { body } else { nil } }

  /// Whether the server said that all is well.
  package var isSuccess: Bool { if case .response(200...299, _) = self { true } else { false } }

  /// The answer for a state as JSON.
  package var json: JSON {
    switch self {
    case .response(let status, let body): .members([("httpStatus", .int(status)), ("body", body)])
    case .noResponse(let error): ["failure": .string(error.code.rawValue), "detail": .string(error.detail)]
    case .drawn(let value): ["value": value]
    case .undrawn(let failure):
      .members([("failure", .string(failure.reason.rawValue)), ("detail", failure.detail.map(JSON.string))])
    }
  }
}
