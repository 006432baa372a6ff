// Adds loggers to an authenticator. They format the records of its flows.

import FlowRecording
public import Logging

extension DeviceAuthenticatorBuilder {
  /// Also writes records to a logger. Call this again to add another one. Lines contain no secrets and nothing that
  /// identifies a person (`FlowLines`).
  public func addLogger(_ logger: any OktaLoggerProtocol) -> Self {
    addObserver(FlowLines(kinds: Self.loggedKinds) { logger.take($0) })
  }
  /// Also writes records to a swift-log logger.
  public func addLogger(_ logger: Logger) -> Self { addObserver(FlowLines(kinds: Self.loggedKinds, logger: logger)) }

  private static let loggedKinds = KindRegistry([DeviceKind.self])
}
