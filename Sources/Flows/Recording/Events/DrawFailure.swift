// Why a draw has no value: a signature that the person refused is something else than a key that is gone.

import EventStore

/// Why a draw has no value.
public struct DrawFailure: Error, Sendable, Hashable {
  /// Why, as far as a core may have to act on it.
  public var reason: Reason
  /// What the one who was asked says about it; no secret known to the flow is left in it once it is recorded.
  public var detail: String?

  /// Why there is no value.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The person did not want it.
    case cancelled
    /// It was tried too often, and is refused for now.
    case lockedOut
    /// What it needs was there and counts no more: a key whose biometry changed.
    case invalidated
    /// What it needs is not there: no such key, no person who could answer.
    case missing
    /// The time for it ended.
    case timedOut
    /// Anything else.
    case failed
  }

  /// Makes a failure.
  public init(_ reason: Reason, _ detail: String? = nil) {
    self.reason = reason
    self.detail = detail
  }

  /// Reads the `failure` of a `draw.made`. A reason of another version reads as `failed`.
  init(_ json: JSON, of type: String) throws(EventError) {
    reason = Reason(rawValue: try json.requiredString("reason", of: type)) ?? .failed
    detail = json["detail"]?.string
  }

  /// The `failure` of a `draw.made`.
  var json: JSON { .members([("reason", .string(reason.rawValue)), ("detail", detail.map(JSON.string))]) }
}
