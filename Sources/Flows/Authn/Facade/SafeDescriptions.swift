// What printing, a debugger or a test failure shows of objects that hold secrets: their type, never their contents.
// Objects of answers have the same in `OktaWireObject`.

extension OktaAPIErrorResponse: CustomDebugStringConvertible, CustomReflectable {
  /// The description, with secrets replaced.
  public var debugDescription: String { description }

  /// Only code, HTTP status and description, so that a dump shows no secret that the org quotes.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "errorCode": safeCode as Any, "errorId": safeID as Any, "httpStatus": httpStatus, "description": description,
      ])
  }
}

extension OktaError: CustomDebugStringConvertible, CustomReflectable {
  /// The description, which contains no secret.
  public var debugDescription: String { description }

  /// Only the description, so that a dump shows no raw body.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OktaAuthenticationOptions: CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {
  /// The names of the members that are set, without tokens or anything that identifies a device.
  public var description: String {
    let names = arguments.compactMap { name, value in value == nil ? nil : name }
    return "OktaAuthenticationOptions(\(names.joined(separator: ", ")))"
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// The names of what is set, as one child.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
