// Reads a response of the Identity Engine (idx §4).

package import EventStore

/// A response, backed by its JSON.
package struct ResponseReading: Sendable, Equatable {
  package let json: JSON

  package init(_ json: JSON) { self.json = json }

  package var intent: String? { json["intent"]?.string }
  package var expiresAt: String? { json["expiresAt"]?.string }
  /// The offered remediations, without `cancel` and the success form.
  package var remediations: [FormReading] {
    (json["remediation"]?["value"]?.array ?? []).compactMap { FormReading($0) }
  }
  package var cancel: FormReading? { FormReading(json["cancel"]) }
  package var success: FormReading? { FormReading(json["successWithInteractionCode"]) }
  package var authenticators: [AuthenticatorReading] { AuthenticatorReading.groups(of: json) }
  /// The messages for the whole step. Old servers send a terminal message separately (§4).
  package var messages: [MessageReading] { MessageReading.list(json["messages"]) }

  /// The forms in the order of `remediations` in the public API: offered forms, `cancel`, and the success form (§9.6).
  package var forms: [FormReading] { remediations + [cancel, success].compactMap { $0 } }

  /// All messages, each with its field (§9.2).
  package var allMessages: [(MessageReading, of: FieldReading?)] {
    messages.map { ($0, nil) } + forms.flatMap { $0.messages.map { ($0.0, $0.of) } }
  }

  package var canCancel: Bool { (remediations + [cancel].compactMap { $0 }).contains { $0.name == "cancel" } }

  /// Whether the sign-in ended here without success (§9.5).
  package var isTerminal: Bool { remediations.isEmpty && success == nil }

  /// Whether this is an Identity Engine response rather than another kind of error object (§16).
  package var isResponse: Bool {
    ["version", "stateHandle", "remediation", "messages", "cancel", "successWithInteractionCode", "terminal"]
      .contains { json[$0].map { $0 != .null } ?? false } && json["errorCode"]?.string == nil
      && json["error"]?.string == nil
  }
}
