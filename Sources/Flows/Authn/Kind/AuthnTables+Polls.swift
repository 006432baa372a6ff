// What a poll makes of an answer with one value changed, and what it sends next.

import EventStore
import FlowRecording

extension AuthnKind {
  static var polled: Set<String> {
    let calls: [(status: String, call: AuthnCall)] = [
      ("MFA_CHALLENGE", .verifyFactor), ("MFA_ENROLL_ACTIVATE", .activateFactor),
    ]
    return Set(
      calls.flatMap { status, call -> [String] in
        let document = page(status) { link($0) }
        var polling = driven(document)
        polling.call(call, ["factor": 0])
        let resting = polling
        return ChangedJSON.digestsInTurn(of: document) { changed in
          var flow = resting
          let steps = [flow.answer(changed), flow.fire(), flow.answer(document), flow.fire()]
          return steps.joined(separator: "\n") + flow.core.json.text
        }.map { "\(status) \($0.place)|\($0.digest)" }
      })
  }
}
