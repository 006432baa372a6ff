// The classic sign-in for readers of its log.

package import EventStore
package import FlowRecording

/// The kind `authn`.
package enum AuthnKind: FlowKind {
  package typealias Core = AuthnCore
  package typealias Narrator = AuthnNarrator

  package static var events: [any DomainPayload.Type] { AuthnEvent.types }

  package static var calls: [String] { AuthnCall.allCases.map(\.rawValue) }

  package static func state(of core: AuthnCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    AuthnNotes.note(type, data, in: &facts)
  }

  package static func pushes(in records: [FlowRecord]) -> [PushSighting] {
    var watch = AuthnPushWatch()
    for record in records { watch.take(record) }
    return watch.pushes
  }

  /// A handler stops polling only while there is some. Other calls need an object of the same status, no more: if the
  /// org no longer offers what they need, they are refused.
  package static func isDue(
    _ call: CallMade, in core: AuthnCore, on held: AuthnCore, as recorded: AuthnCore
  ) -> Bool {
    call.call != AuthnCall.stopPolling.rawValue || core.poll != nil
  }
}
