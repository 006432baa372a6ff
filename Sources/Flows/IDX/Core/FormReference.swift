// Names a form of a response in a `call.made`, so that a replay finds the same one.

/// Where in a response a form stands.
package enum FormReference: Sendable, Equatable {
  /// The remediation of that index.
  case remediation(Int)
  /// The restart of the transaction.
  case cancel
  /// The form that carries the interaction code.
  case success
  /// A form of an authenticator: `send`, `resend`, `poll`, `recover`.
  case authenticator(Int, String)

  /// The words that references are made of, beside indices.
  package static let words: Set<String> = [
    "remediation", "cancel", "success", "authenticator", "send", "resend", "poll", "recover",
  ]

  /// As it stands in a `call.made`: `remediation/0`, `cancel`, `authenticator/2/resend`.
  package var text: String {
    switch self {
    case .remediation(let index): "remediation/\(index)"
    case .cancel: "cancel"
    case .success: "success"
    case .authenticator(let index, let name): "authenticator/\(index)/\(name)"
    }
  }

  /// Reads what stands in a `call.made`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/").map(String.init)
    switch (parts.first, parts.count) {
    case ("cancel", 1): self = .cancel
    case ("success", 1): self = .success
    case ("remediation", 2):
      guard let index = Int(parts[1]) else { return nil }
      self = .remediation(index)
    case ("authenticator", 3):
      guard let index = Int(parts[1]) else { return nil }
      self = .authenticator(index, parts[2])
    default: return nil
    }
  }
}

extension ResponseReading {
  /// The form that a reference names.
  package func form(_ reference: FormReference) -> FormReading? {
    switch reference {
    case .remediation(let index):
      let forms = remediations
      return forms.indices.contains(index) ? forms[index] : nil
    case .cancel: return cancel
    case .success: return success
    case .authenticator(let index, let name):
      let groups = authenticators
      return groups.indices.contains(index) ? groups[index].form(name) : nil
    }
  }
}
