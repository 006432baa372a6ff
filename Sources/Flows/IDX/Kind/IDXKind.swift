// The Identity Engine for those who read its log.

package import EventStore
package import FlowRecording

/// The kind `idx`.
package enum IDXKind: FlowKind {
  package typealias Core = IDXCore
  package typealias Narrator = IDXNarrator

  package static var events: [any DomainPayload.Type] { IDXEvent.types }

  package static func state(of core: IDXCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    switch type {
    case CallMade.type:
      for field in data()["arguments"]?["fields"]?.array ?? [] where field["name"] == "identifier" {
        if let name = field["value"]?.string, !name.isEmpty { facts.typed = name }
      }
    case RemediationChanged.type: offered(data(), in: &facts)
    default: break
    }
  }

  package static func pushes(in records: [FlowRecord]) -> [PushSighting] {
    var watch = IDXPushWatch()
    for record in records { watch.take(record) }
    return watch.pushes
  }

  /// The status of a response is what it offers first, or how the flow ended.
  private static func offered(_ data: JSON, in facts: inout SignInFacts) {
    let summary = data["summary"]
    if let name = summary?["user"]?.string { facts.login = name }
    if summary?["success"] == true {
      facts.status = "success"
    } else if summary?["terminal"] == true {
      facts.status = "terminal"
    } else {
      facts.status = data["offered"]?.array?.first?.string ?? facts.status
    }
    if let chosen = data["chosen"]?.string, chosen.hasPrefix("challenge-"), let factor = summary?["answered"]?.string {
      facts.challenged(factor)
    }
  }
}
