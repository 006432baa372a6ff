// What a poll makes of an answer with one value changed, and what it sends next.

import EventStore
import FlowRecording

extension IDXKind {
  static var polled: Set<String> {
    let sources: [(name: String, source: JSON)] = [
      ("a remediation", ["name": "challenge-poll"]), ("an authenticator", ["kind": "app"]),
    ]
    return Set(
      sources.flatMap { name, source -> [String] in
        var polling = shown(identify)
        polling.call("startPolling", source)
        polling.fire()
        let resting = polling
        return ChangedJSON.digestsInTurn(of: identify) { changed in
          var flow = resting
          let steps = [flow.answer(changed), flow.fire(), flow.answer(identify), flow.fire()]
          return steps.joined(separator: "\n") + flow.core.json.text
        }.map { "\(name) \($0.place)|\($0.digest)" }
      })
  }
}
