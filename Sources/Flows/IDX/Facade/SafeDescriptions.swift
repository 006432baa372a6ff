// What objects print of themselves, and what a debugger or a test dumps of them, shows no secret (DESIGN §5).

extension Response: CustomReflectable {
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Remediation: CustomReflectable {
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Remediation.Form: CustomStringConvertible, CustomReflectable {
  /// The names of the fields, in which secrets are replaced.
  public var description: String {
    let names = "Form(\(fields.map { $0.name ?? $0.label ?? "?" }.joined(separator: ", ")))"
    return fields.first?.origin.masked(names) ?? names
  }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Response.Message: CustomReflectable {
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Authenticator: CustomReflectable {
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ResponseOrigin: CustomReflectable {
  /// No children: a dump shows no secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Sendable: CustomStringConvertible, CustomReflectable {
  /// What it does.
  public var description: String { "Sendable" }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Resendable: CustomStringConvertible, CustomReflectable {
  /// What it does.
  public var description: String { "Resendable" }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Recoverable: CustomStringConvertible, CustomReflectable {
  /// What it does.
  public var description: String { "Recoverable" }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Pollable: CustomStringConvertible, CustomReflectable {
  /// The source that is polled.
  public var description: String { "Pollable(\(source))" }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.NumberChallenge: CustomStringConvertible, CustomReflectable {
  /// That there is a number, not which.
  public var description: String { "NumberChallenge" }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.SocialIDP: CustomStringConvertible, CustomReflectable {
  /// The provider's name, in which secrets are replaced; the address carries some.
  public var description: String { origin.masked("SocialIDP(\(idpName))") }
  /// No children: a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension InteractionCodeFlow: CustomReflectable {
  /// No children: a dump shows no secret, nor the device's identifier.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension InteractionCodeFlowError.APIError: CustomDebugStringConvertible, CustomReflectable {
  /// The description, in which secrets are replaced.
  public var debugDescription: String { description }
  /// HTTP status and description alone, so that a dump shows no secret that the org quotes.
  public var customMirror: Mirror {
    Mirror(self, children: ["httpStatus": httpStatus, "description": description])
  }
}
