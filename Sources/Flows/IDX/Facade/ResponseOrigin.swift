// What all objects of one response share: the state that came out of the fold, and the way to send intents.

/// A state and its flow; the flow is held weakly, so that a response that is kept does not keep it.
package final class ResponseOrigin: Sendable {
  package let state: IDXCore
  private weak let held: IDXSession?

  init(_ state: IDXCore, _ session: IDXSession) {
    self.state = state
    held = session
  }

  /// The session, as long as the flow is there.
  var session: IDXSession? { held }
}
