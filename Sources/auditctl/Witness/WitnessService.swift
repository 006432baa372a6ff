// A witness over HTTP (C2SP tlog-witness).

import AuditReports
import EventStore
import SimulatedOrg

/// Answers `add-checkpoint`.
struct WitnessService {
  /// The witness that answers.
  let witness: Witness

  /// The answer to a request; says on stderr what was refused.
  func answer(_ request: ReceivedRequest) -> Delivery {
    guard request.target == "/add-checkpoint" else { return text(404, "There is nothing but /add-checkpoint.\n") }
    guard request.method == "POST" else {
      return Delivery(HTTPReply(status: 405, headers: [("Allow", "POST")]))
    }
    do throws(StoreError) {
      guard let body = String(validating: request.body, as: UTF8.self) else {
        return text(400, "The request is not UTF-8.\n")
      }
      let asked = try WitnessRequest(text: body)
      switch try witness.answer(asked) {
      case .success(let lines):
        Messages.say("Cosigned \(asked.note.size) records of \(asked.note.origin.printable).")
        return text(200, lines)
      case .failure(let refusal):
        Messages.say("Refused (\(refusal.reason.rawValue)): \(refusal.description.printable)")
        guard refusal.reason.status == 409, let latest = refusal.latest else {
          return text(refusal.reason.status, "\(refusal)\n")
        }
        return Delivery(
          HTTPReply(
            status: 409, headers: [("Content-Type", "text/x.tlog.size")], body: Array("\(latest)\n".utf8)))
      }
    } catch {
      if error.code == .malformed, error.file == nil { return text(400, "\(error)\n") }
      // What this side could not do is no business of the other.
      Messages.say(error.description.printable)
      return text(503, "The witness cannot answer now.\n")
    }
  }

  private func text(_ status: Int, _ body: String) -> Delivery {
    Delivery(
      HTTPReply(
        status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(body.utf8)))
  }
}
