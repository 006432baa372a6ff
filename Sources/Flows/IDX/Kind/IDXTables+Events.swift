// What is read from the events of the kind, unchanged and with each value changed.

import EventStore
import FlowRecording
import OIDC

extension IDXKind {
  static var reported: Set<String> {
    let documents: [(type: String, data: JSON)] = [
      (
        RemediationChanged.type,
        [
          "offered": ["identify", "cancel"], "chosen": "identify", "filled": ["identifier", "rememberMe"],
          "summary": ["intent": "LOGIN"],
        ]
      ),
      (MessageShown.type, ["class": "ERROR", "key": "errors.E0000004", "text": "No.", "field": "identifier"]),
      ("other.event", ["a": 1]),
    ]
    return Set(
      documents.flatMap { type, document -> [String] in
        [1, 2].flatMap { version -> [String] in
          RuntimeTables.changes(of: document) { data in
            told(DomainEvent(type: type, version: version, data: data))
          }.map { "\(type) \(version) \($0)" }
        }
      })
  }

  private static func told(_ event: DomainEvent) -> String {
    switch IDXEvent(event) {
    case .remediationChanged(let changed)?: told(changed)
    case .messageShown(let message)?: told(message)
    case .tokenIssued(let issued)?: told(issued)
    case .tokenRefused(let refused)?: told(refused)
    case nil: "refused"
    }
  }

  private static func told(_ payload: some DomainPayload) -> String {
    let event = DomainEvent(payload)
    return "\(event.type) \(event.version) \(event.data.text) \(event.needsBarrier) \(event.audience ?? -1)"
  }
}
