// The context shared by all objects of one response: the state of the flow, and the way to make calls.

import FlowRecording

/// A state and its flow. A response and its parts retain the flow, so that an application may keep only them; the flow
/// retains none of them.
package final class ResponseOrigin: Sendable {
  package let state: IDXCore
  let session: IDXSession
  /// The flow that is passed to delegates.
  private let flow: InteractionCodeFlow?

  init(_ state: IDXCore, _ session: IDXSession) {
    self.state = state
    self.session = session
    flow = session.owningFlow
  }

  /// Masks a text from the org for descriptions, because an org may quote what it was sent.
  func masked(_ text: String) -> String { session.flow.masked(text) }
}
