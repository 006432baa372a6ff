// Loggers of an authenticator: they read what its kind of flow records.

import FlowRecording
public import Logging

extension DeviceAuthenticatorBuilder {
  /// Hands what is recorded to a logger too, beside the flows; call it again for another one. No secret stands in a line, and
  /// nothing that names a person (`FlowLines`).
  public func addLogger(_ logger: any OktaLoggerProtocol) -> Self {
    addObserver(FlowLines(kinds: Self.loggedKinds) { logger.take($0) })
  }
  /// The same to a logger of swift-log.
  public func addLogger(_ logger: Logger) -> Self { addObserver(FlowLines(kinds: Self.loggedKinds, logger: logger)) }

  private static let loggedKinds = KindRegistry([DeviceKind.self])
}
