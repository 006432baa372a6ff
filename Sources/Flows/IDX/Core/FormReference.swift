// Names a form of a response in a `call.made`, so that a replay finds the same form.

/// The position of a form in a response.
package enum FormReference: Sendable, Equatable {
  /// The remediation at an index.
  case remediation(Int)
  /// The form that restarts the transaction.
  case cancel
  /// The form that carries the interaction code.
  case success
  /// A form of an authenticator: `send`, `resend`, `poll`, `recover`.
  case authenticator(Int, String)

  /// The words that references consist of, besides indices.
  package static let words: Set<String> = [
    "remediation", "cancel", "success", "authenticator", "send", "resend", "poll", "recover",
  ]

  /// The text used in a `call.made`: `remediation/0`, `cancel`, or `authenticator/2/resend`.
  package var text: String {
    switch self {
    case .remediation(let index): "remediation/\(index)"
    case .cancel: "cancel"
    case .success: "success"
    case .authenticator(let index, let name): "authenticator/\(index)/\(name)"
    }
  }

  /// Reads the text of a `call.made`.
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
  /// Returns the form that a reference names.
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
