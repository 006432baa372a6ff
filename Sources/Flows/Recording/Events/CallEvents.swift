// The calls that the application made, and their outcomes.

public import EventStore

/// `call.made`: a public method was called. An input.
public struct CallMade: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "call.made" }
  /// The method's intent: `authenticate`, `verifyFactor`.
  public var call: String
  /// Its arguments by their wire names, secrets replaced.
  public var arguments: JSON
  /// The revision of the `status.changed` whose object was called; nil if there is none yet.
  public var on: Int?

  /// Makes the event.
  public init(call: String, arguments: JSON, on: Int? = nil) {
    self.call = call
    self.arguments = arguments
    self.on = on
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    call = try data.requiredString("call", of: Self.type)
    arguments = data["arguments"] ?? [:]
    on = data["on"]?.int
  }

  /// The event's data.
  public var data: JSON { .members([("call", .string(call)), ("arguments", arguments), ("on", on.map(JSON.int))]) }
}

/// `call.returned`: a call has ended and its caller receives the outcome. Its chain of causes leads back to the
/// `call.made`.
public struct CallReturned: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "call.returned" }
  /// The revision of the `call.made` that this ends.
  public var call: Int
  /// How the call ended.
  public var outcome: Outcome

  /// How a call ended.
  public enum Outcome: Sendable, Hashable {
    /// The flow has a new status: that of the preceding `status.changed` with the same cause.
    case status
    /// Completed without a result.
    case done
    /// Cancelled by the caller, or because another operation replaced it. Closures are not called.
    case cancelled
    /// Refused or failed; the error by code and details, with secrets replaced.
    case failed(code: String, details: JSON)
  }

  /// Makes the event.
  public init(call: Int, outcome: Outcome) {
    self.call = call
    self.outcome = outcome
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    call = try data.requiredInt("call", of: Self.type)
    switch try data.requiredString("outcome", of: Self.type) {
    case "status": outcome = .status
    case "done": outcome = .done
    case "cancelled": outcome = .cancelled
    case "error":
      outcome = .failed(code: try data.requiredString("error", of: Self.type), details: data["details"] ?? [:])
    default: throw EventError(type: Self.type, member: "outcome")
    }
  }

  /// The event's data.
  public var data: JSON {
    switch outcome {
    case .status: ["call": .int(call), "outcome": "status"]
    case .done: ["call": .int(call), "outcome": "done"]
    case .cancelled: ["call": .int(call), "outcome": "cancelled"]
    case .failed(let code, let details):
      ["call": .int(call), "outcome": "error", "error": .string(code), "details": details]
    }
  }
}
