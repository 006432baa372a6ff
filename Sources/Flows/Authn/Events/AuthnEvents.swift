// The events of a classic sign-in: statuses and the progress of factors.

public import EventStore
public import FlowRecording

/// The events of a classic sign-in. A new one is declared in this file and gets a line in `docs/EVENTS.md`.
package enum AuthnEvent {
  case statusChanged(StatusChanged)
  case factorUpdated(FactorUpdated)

  /// All types.
  package static let types: [any DomainPayload.Type] = [StatusChanged.self, FactorUpdated.self]

  /// Reads an event; nil if it is not one of these.
  package init?(_ event: DomainEvent) {
    if let changed = StatusChanged(event) {
      self = .statusChanged(changed)
    } else if let updated = FactorUpdated(event) {
      self = .factorUpdated(updated)
    } else {
      return nil
    }
  }
}

/// `status.changed`: the flow has a new status, derived from the answer that is its cause.
///
/// The answer itself is recorded already; this carries its summary, so that a reader sees what the SDK understood, and
/// a replay that understands something else differs here.
public struct StatusChanged: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "status.changed" }
  /// The application is notified only after the event is in the log.
  public static var needsBarrier: Bool { true }
  /// The status by its wire name: `MFA_REQUIRED`.
  public var status: String
  /// The status before, nil for the first.
  public var previous: String?
  /// What the core read from the answer: links, factors, user.
  public var summary: JSON

  /// Makes the event.
  public init(status: String, previous: String?, summary: JSON) {
    self.status = status
    self.previous = previous
    self.summary = summary
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    status = try data.requiredString("status", of: Self.type)
    previous = data["previous"]?.string
    summary = data["summary"] ?? [:]
  }

  /// The event's data.
  public var data: JSON {
    .members([("status", .string(status)), ("previous", previous.map(JSON.string)), ("summary", summary)])
  }
}

/// `factor.updated`: an asynchronous factor reported a result.
public struct FactorUpdated: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "factor.updated" }
  /// The application is notified only after the event is in the log.
  public static var needsBarrier: Bool { true }
  /// The call that polls.
  public var audience: Int? { call }
  /// The result by its wire name: `WAITING`.
  public var result: String
  /// The revision of the `call.made` that receives it.
  public var call: Int

  /// Makes the event.
  public init(result: String, call: Int) {
    self.result = result
    self.call = call
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    result = try data.requiredString("result", of: Self.type)
    call = try data.requiredInt("call", of: Self.type)
  }

  /// The event's data.
  public var data: JSON { ["result": .string(result), "call": .int(call)] }
}
