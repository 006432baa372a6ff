// What a print, a debugger or a test's failure shows of objects that hold secrets: what they are, never what is in
// them. The objects of an answer have the same in `OktaWireObject`.

extension OktaAPIErrorResponse: CustomDebugStringConvertible, CustomReflectable {
  /// The description, in which secrets are replaced.
  public var debugDescription: String { description }

  /// Code, HTTP status and description alone, so that a dump shows no secret that the org quotes.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "errorCode": safeCode as Any, "errorId": safeID as Any, "httpStatus": httpStatus, "description": description,
      ])
  }
}

extension OktaError: CustomDebugStringConvertible, CustomReflectable {
  /// The description, which has no secret.
  public var debugDescription: String { description }

  /// The description alone, so that a dump shows no raw body.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OktaAuthenticationOptions: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The names of the members that are set: no tokens, and nothing that identifies a device.
  public var description: String {
    let names = arguments.compactMap { name, value in value == nil ? nil : name }
    return "OktaAuthenticationOptions(\(names.joined(separator: ", ")))"
  }

  /// The same.
  public var debugDescription: String { description }

  /// The names of what is set, as one child.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
