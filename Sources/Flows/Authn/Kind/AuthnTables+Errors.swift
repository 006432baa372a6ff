// Errors restored from a recording.

import EventStore
import FlowRecording

extension AuthnKind {
  static var restored: Set<String> {
    let codes = [
      "errorBuildingURLRequest", "connectionError", "emptyServerResponse", "invalidResponse",
      "responseSerializationError", "serverRespondedWithError", "unexpectedResponse", "wrongStatus",
      "alreadyInProgress", "unknownStatus", "internalError", "invalidParameters", "cancelled", "another",
    ]
    let whole: [(String, JSON)] = [("text", "why"), ("code", "timedOut"), ("detail", "late")]
    let status = SignInTrials.start(FlowStage([]))
    return Set(
      codes.flatMap { code in
        (RuntimeTables.withEachLeftOut(of: whole) + [[]]).enumerated().map { number, members in
          let error = OktaError(code: code, details: .members(members.map { ($0, $1) }), status.object)
          return "\(code) \(number)|\(error.httpStatus ?? -1)|\(error.record.text)|\(Printed.text(error))"
        }
      })
  }
}
