// The summaries of bodies that are hardly JSON.

import EventStore
import FlowRecording

extension IDXKind {
  static var summed: Set<String> {
    Set(
      RuntimeTables.oddBodies.enumerated().map { number, body in
        "body \(number)|\(CanonicalSummary.summary(of: body).text)"
      })
  }
}
