// The classic sign-in for those who read its log.

package import EventStore
package import FlowRecording

/// The kind `authn`.
package enum AuthnKind: FlowKind {
  package typealias Core = AuthnCore
  package typealias Narrator = AuthnNarrator

  package static var events: [any DomainPayload.Type] { AuthnEvent.types }

  package static func state(of core: AuthnCore) -> JSON { core.json }

  package static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    switch type {
    case CallMade.type:
      if let name = data()["arguments"]?["username"]?.string, !name.isEmpty { facts.typed = name }
    case StatusChanged.type:
      let data = data()
      facts.status = data["status"]?.string ?? facts.status
      if let name = data["summary"]?["user"]?.string { facts.login = name }
      guard let status = facts.status, challenges.contains(status),
        let factor = data["summary"]?["factors"]?.array?.first?["type"]?.string
      else { return }
      facts.challenged(factor)
    default: break
    }
  }

  package static func pushes(in records: [FlowRecord]) -> [PushSighting] {
    var watch = AuthnPushWatch()
    for record in records { watch.take(record) }
    return watch.pushes
  }

  private static let challenges: Set<String> = [AuthnVocabulary.challenge, "FACTOR_CHALLENGE"]
}
