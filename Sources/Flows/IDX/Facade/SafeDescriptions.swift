// Descriptions and dumps of objects, which show no secrets (DESIGN §5).

extension Response: CustomReflectable {
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Remediation: CustomReflectable {
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Remediation.Form: CustomStringConvertible, CustomReflectable {
  /// The names of the fields, with secrets replaced.
  public var description: String {
    let names = "Form(\(fields.map { $0.name ?? $0.label ?? "?" }.joined(separator: ", ")))"
    return fields.first?.origin.masked(names) ?? names
  }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Response.Message: CustomReflectable {
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Authenticator: CustomReflectable {
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ResponseOrigin: CustomReflectable {
  /// No children, so that a dump shows no secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Sendable: CustomStringConvertible, CustomReflectable {
  /// The name of the capability.
  public var description: String { "Sendable" }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Resendable: CustomStringConvertible, CustomReflectable {
  /// The name of the capability.
  public var description: String { "Resendable" }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Recoverable: CustomStringConvertible, CustomReflectable {
  /// The name of the capability.
  public var description: String { "Recoverable" }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.Pollable: CustomStringConvertible, CustomReflectable {
  /// The source that is polled.
  public var description: String { "Pollable(\(source))" }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.NumberChallenge: CustomStringConvertible, CustomReflectable {
  /// The name of the capability, without the number.
  public var description: String { "NumberChallenge" }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Capability.SocialIDP: CustomStringConvertible, CustomReflectable {
  /// The provider's name, with secrets replaced. The URL is omitted because it contains secrets.
  public var description: String { origin.masked("SocialIDP(\(idpName))") }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension InteractionCodeFlow: CustomReflectable {
  /// No children, so that a dump shows neither secrets nor the device's ID.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension InteractionCodeFlowError.APIError: CustomDebugStringConvertible, CustomReflectable {
  /// The description, with secrets replaced.
  public var debugDescription: String { description }
  /// Only the HTTP status and description, so that a dump shows no secret that the org quotes.
  public var customMirror: Mirror {
    Mirror(self, children: ["httpStatus": httpStatus, "description": description])
  }
}
