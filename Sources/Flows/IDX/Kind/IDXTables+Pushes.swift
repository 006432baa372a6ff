// How a reader of the log detects the end of a push, by the messages and answers that may follow it.

import EventStore
import FlowRecording

extension IDXKind {
  static var pushEnds: Set<String> {
    let waits: JSON = [
      "offered": ["challenge-poll", "cancel"], "filled": [], "summary": ["current": "okta_verify"],
    ]
    let keys = [
      "api.authn.poll.rejected", "api.authn.poll.timeout", "session.expired", "idx.session.expired", "other", "",
    ]
    let messages = keys.map { key -> (String, JSON) in
      ("message.shown", ["text": "t", "class": "ERROR", "key": .string(key)])
    }
    let answers: [JSON] = [
      ["current": "okta_verify"], ["current": "custom_app"], ["current": "okta_password"], [:],
      ["answered": "okta_verify"], ["answered": "custom_app"], ["answered": "okta_email"], ["success": true],
      ["success": false],
    ]
    let changes = answers.flatMap { summary in
      [["challenge-poll"], ["identify"]].map { (offered: JSON) in
        ("remediation.changed", ["offered": offered, "filled": [], "summary": summary] as JSON)
      }
    }
    let ends = messages + changes + [("flow.ended", ["outcome": "failed"])]
    let started: JSON = ["kind": "idx", "sdk": "s", "settings": ["issuer": "https://acme.example"]]
    return Set(
      ends.flatMap { end in
        [[end], [("remediation.changed", waits), end]].map { more in
          let steps = [("flow.started", started), ("remediation.changed", waits)] + more
          let records = steps.enumerated().compactMap { number, step in
            (try? FlowEvent(type: step.0, version: 1, data: step.1)).map {
              FlowRecord(
                revision: number, at: Timestamp(microseconds: Int64(number) * 1_000_000), cause: nil, event: $0)
            }
          }
          let shown = pushes(in: records).map { push in
            "\(push.outcome.rawValue) \(push.began.microseconds) \(push.ended?.microseconds ?? -1) \(push.revisions)"
          }
          return "\(more.map { "\($0.0) \($0.1.text)" })|\(shown)"
        }
      })
  }
}
