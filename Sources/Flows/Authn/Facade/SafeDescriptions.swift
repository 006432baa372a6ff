// What a print, a debugger or a test's failure shows of objects that hold secrets: what they are, never what is in them.

extension OktaAPISuccessResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status and factor result, no token and no link.
  public var description: String {
    let result = reading.factorResult.map { " \($0)" } ?? ""
    return "OktaAPISuccessResponse(\(reading.status ?? "no status")\(result))"
  }

  /// The same.
  public var debugDescription: String { description }

  /// Status and factor result alone, so that a dump shows no secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": reading.status as Any, "factorResult": reading.factorResult as Any])
  }
}

extension OktaAPIErrorResponse: CustomDebugStringConvertible, CustomReflectable {
  /// The description, in which secrets are replaced.
  public var debugDescription: String { description }

  /// Code, HTTP status and description alone, so that a dump shows no secret that the org quotes.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "errorCode": errorCode as Any, "errorId": errorId as Any, "httpStatus": httpStatus, "description": description,
      ])
  }
}

extension OktaError: CustomDebugStringConvertible, CustomReflectable {
  /// The description, which has no secret.
  public var debugDescription: String { description }

  /// The description alone, so that a dump shows no raw body.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension EmbeddedResponse: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The type alone: what is embedded may hold secrets.
  public var description: String { "EmbeddedResponse" }
  /// The same.
  public var debugDescription: String { description }
  /// No children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LinksResponse: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The type alone: a URL may carry a token.
  public var description: String { "LinksResponse" }
  /// The same.
  public var debugDescription: String { description }
  /// No children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LinksResponse.Link: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The name alone: a URL may carry a token.
  public var description: String { "Link(\(name ?? "without a name"))" }
  /// The same.
  public var debugDescription: String { description }
  /// The name alone.
  public var customMirror: Mirror { Mirror(self, children: ["name": name as Any]) }
}

extension OktaFactor.Activation: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The type alone: an activation holds the secret that codes are made with.
  public var description: String { "Activation" }
  /// The same.
  public var debugDescription: String { description }
  /// No children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OktaAuthenticationOptions: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// What is set, by name: tokens and what tells of a device are not shown.
  public var description: String {
    let names = arguments.compactMap { name, value in value == nil ? nil : name }
    return "OktaAuthenticationOptions(\(names.joined(separator: ", ")))"
  }

  /// The same.
  public var debugDescription: String { description }

  /// The names of what is set, as one child.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
