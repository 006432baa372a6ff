// Presents the Identity Engine to readers of its log.

package import EventStore
package import FlowRecording

/// The flow kind `idx`.
package enum IDXKind: FlowKind {
  package typealias Core = IDXCore
  package typealias Narrator = IDXNarrator

  package static var events: [any DomainPayload.Type] { IDXEvent.types }

  package static var calls: [String] { IDXCall.allCases.map(\.rawValue) }

  package static func state(of core: IDXCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    IDXNotes.note(type, data, in: &facts)
  }

  package static func pushes(in records: [FlowRecord]) -> [PushSighting] {
    var watch = IDXPushWatch()
    for record in records { watch.take(record) }
    return watch.pushes
  }

  /// A form can be submitted again only where the same is asked: a code for one authenticator is no password.
  package static func isDue(_ call: CallMade, in core: IDXCore, on held: IDXCore, as recorded: IDXCore) -> Bool {
    switch IDXCall(rawValue: call.call) {
    case .stopPolling: core.poll != nil
    case .proceed: FormOffer(call, in: recorded) == FormOffer(call, in: held)
    case .start, .restore, .reset, .resume, .startPolling, .exchangeCode, .exchangeRedirect, nil: true
    }
  }
}
