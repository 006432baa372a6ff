// What is read from the events of the kind, unchanged and with each value changed.

import EventStore
import FlowRecording

extension AuthnKind {
  static var reported: Set<String> {
    let documents: [(type: String, data: JSON)] = [
      (StatusChanged.type, ["status": "MFA_REQUIRED", "previous": "UNAUTHENTICATED", "summary": ["links": ["next"]]]),
      (FactorUpdated.type, ["result": "WAITING", "call": 7]), ("other.event", ["a": 1]),
    ]
    return Set(
      documents.flatMap { type, document -> [String] in
        [1, 2].flatMap { version -> [String] in
          RuntimeTables.changes(of: document) { data in
            shown(DomainEvent(type: type, version: version, data: data))
          }.map { "\(type) \(version) \($0)" }
        }
      })
  }

  private static func shown(_ event: DomainEvent) -> String {
    switch AuthnEvent(event) {
    case .statusChanged(let changed)?: shown(changed)
    case .factorUpdated(let updated)?: shown(updated)
    case nil: "refused"
    }
  }

  private static func shown(_ payload: some DomainPayload) -> String {
    let event = DomainEvent(payload)
    return "\(event.type) \(event.version) \(event.data.text) \(event.needsBarrier) \(event.audience ?? -1)"
  }
}
