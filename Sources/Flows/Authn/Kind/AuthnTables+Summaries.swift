// The summaries of bodies that are hardly JSON, and what is read of answers whose names stand there twice.

import EventStore
import FlowRecording

extension AuthnKind {
  static var summed: Set<String> {
    let bodies = RuntimeTables.oddBodies.enumerated().map { number, body in
      "body \(number)|\(CanonicalSummary.summary(of: body).text)"
    }
    return Set(bodies + doubled)
  }

  private static var doubled: [String] {
    let relations = #""next":{"name":"b","href":"https://acme.example/b"},"prev":{"href":"https://acme.example/p"}"#
    let texts = [
      #"{"status":"MFA_REQUIRED","status":"SUCCESS"}"#, #"{"_links":{\#(relations),\#(relations)}}"#,
      #"{"_links":{"next":{"name":"a","href":"https://acme.example/a"},\#(relations)}}"#,
      #"{"_links":{\#(relations)},"_links":{"cancel":{"href":"https://acme.example/c"}}}"#,
      #"{"_links":{"resend":[{"name":"a"},{"name":"a"},{},5]},"stateToken":"one","stateToken":5}"#,
    ]
    return texts.map { text in
      "\(text)|" + ((try? JSON(parsing: Array(text.utf8))).map { self.text(of: $0) } ?? "no JSON")
    }
  }
}
