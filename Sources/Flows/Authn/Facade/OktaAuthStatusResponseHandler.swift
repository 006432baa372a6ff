// How answers become statuses, as far as an application may set it (authn §14.1).

public import Foundation

/// Follows a transaction from status to status, and says how often a factor is polled.
open class OktaAuthStatusResponseHandler: @unchecked Sendable {
  // `@unchecked`: an open class of immutable members; a subclass answers for what it adds.

  /// Seconds from the answer to one poll to the next poll; at least 1.
  public let pollInterval: TimeInterval

  /// Makes a handler.
  ///
  /// - Parameter pollInterval: seconds between polls; less than 1 is taken as 1.
  public init(pollInterval: TimeInterval = 5) { self.pollInterval = max(1, pollInterval) }
}
