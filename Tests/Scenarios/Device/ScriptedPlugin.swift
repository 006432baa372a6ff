public import DeviceAuthenticator

/// A plug-in for signals that says what it was given.
public struct ScriptedPlugin: SignalPlugin {
  /// The name that challenges ask for.
  public let name: String
  private let says: Result<String, SignalError>

  /// Makes a plug-in that says a text, or has an error.
  public init(name: String, says: Result<String, SignalError>) {
    self.name = name
    self.says = says
  }

  /// What it was given.
  public func collect() async throws(SignalError) -> [UInt8] { Array(try says.get().utf8) }
}
