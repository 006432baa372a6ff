// What all objects of one response share: the state that came out of the fold, and the way to send intents.

import FlowRecording

/// A state and its flow. A response and its parts keep the flow, so that an application may keep them alone; the flow
/// keeps none of them.
package final class ResponseOrigin: Sendable {
  package let state: IDXCore
  let session: IDXSession
  /// The flow that delegates are given.
  private let flow: InteractionCodeFlow?

  init(_ state: IDXCore, _ session: IDXSession) {
    self.state = state
    self.session = session
    flow = session.owningFlow
  }

  /// A text of the org as a description shows it: an org may quote what it was sent.
  func masked(_ text: String) -> String { session.flow.masked(text) }
}
