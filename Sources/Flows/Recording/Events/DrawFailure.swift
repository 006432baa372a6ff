// Why a draw has no value. For example, it distinguishes a signature that the person refused from a missing key.

import EventStore

/// Why a draw has no value.
public struct DrawFailure: Error, Sendable, Hashable {
  /// The reason, to the extent that a core may act on it.
  public var reason: Reason
  /// The explanation of the failing component. When recorded, all secrets known to the flow are replaced in it.
  public var detail: String?

  /// Why there is no value.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The person declined.
    case cancelled
    /// Too many attempts; refused for now.
    case lockedOut
    /// What it requires is no longer valid, such as a key whose biometry changed.
    case invalidated
    /// What it requires is missing, such as a key or a person who can answer.
    case missing
    /// It timed out.
    case timedOut
    /// Anything else.
    case failed
  }

  /// Makes a failure.
  public init(_ reason: Reason, _ detail: String? = nil) {
    self.reason = reason
    self.detail = detail
  }

  /// Reads the `failure` of a `draw.made`. An unknown reason is read as `failed`.
  init(_ json: JSON, of type: String) throws(EventError) {
    reason = Reason(rawValue: try json.requiredString("reason", of: type)) ?? .failed
    detail = json["detail"]?.string
  }

  /// The `failure` of a `draw.made`.
  var json: JSON { .members([("reason", .string(reason.rawValue)), ("detail", detail.map(JSON.string))]) }
}
