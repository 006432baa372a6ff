// The result of a step of an operation: an answer of the server, a failure, or the value of a draw.

package import EventStore

/// The result of a request or a draw.
package enum StepAnswer: Sendable, Equatable {
  /// An answer of the server; no body if it was empty or could not be read.
  case response(status: Int, body: JSON?)
  /// No answer was received.
  case noResponse(TransportError)
  /// The value of a draw.
  case drawn(JSON)
  /// Why a draw has no value.
  case undrawn(DrawFailure)

  /// Converts an answer of the ledger.
  ///
  /// - Parameters:
  ///   - reply: the answer.
  ///   - readsBody: whether the step needs its body; if not, a body that is too large is accepted.
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

  /// Converts the result of a draw.
  package init(_ draw: DrawMade) {
    switch draw.result {
    case .success(let value): self = .drawn(value)
    case .failure(let failure): self = .undrawn(failure)
    }
  }

  /// The value of a draw.
  package var value: JSON? { if case .drawn(let value) = self { value } else { nil } }

  /// The body of a successful answer.
  package var body: JSON? { if case .response(200...299, let body) = self { body } else { nil } }

  /// Whether the server reported success.
  package var isSuccess: Bool { if case .response(200...299, _) = self { true } else { false } }

  /// The answer as JSON, for a state.
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
