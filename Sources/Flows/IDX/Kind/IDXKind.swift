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
}
