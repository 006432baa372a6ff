// Effects that are not HTTP: draws and timers.

public import EventStore

/// `draw.made`: the value of an effect that pure code cannot compute, or why it failed.
public struct DrawMade: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.made" }
  /// The kind of value that was drawn.
  public var kind: DrawKind
  /// The number of draws the flow made before, of any kind.
  public var ordinal: Int
  /// The value with secrets replaced, or why the draw failed.
  public var result: Result<JSON, DrawFailure>

  /// The value; null if there is none.
  public var value: JSON { (try? result.get()) ?? .null }

  /// Makes the event.
  public init(kind: DrawKind, ordinal: Int, result: Result<JSON, DrawFailure>) {
    self.kind = kind
    self.ordinal = ordinal
    self.result = result
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    kind = DrawKind(rawValue: try data.requiredString("kind", of: Self.type))
    ordinal = try data.requiredInt("ordinal", of: Self.type)
    if let failure = data["failure"] {
      result = .failure(try DrawFailure(failure, of: Self.type))
    } else {
      result = .success(data["value"] ?? .null)
    }
  }

  /// The event's data.
  public var data: JSON {
    switch result {
    case .success(let value): ["kind": .string(kind.rawValue), "ordinal": .int(ordinal), "value": value]
    case .failure(let failure): ["kind": .string(kind.rawValue), "ordinal": .int(ordinal), "failure": failure.json]
    }
  }
}

/// `draw.asked`: requests a draw that must be awaited. An output; the `draw.made` that answers it names it as its
/// cause.
public struct DrawAsked: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.asked" }
  /// The kind of the requested value.
  public var kind: DrawKind
  /// The input of the draw, with secrets replaced.
  public var input: JSON

  /// Makes the event.
  public init(kind: DrawKind, input: JSON) {
    self.kind = kind
    self.input = input
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    kind = DrawKind(rawValue: try data.requiredString("kind", of: Self.type))
    input = data["input"] ?? .null
  }

  /// The event's data.
  public var data: JSON { ["kind": .string(kind.rawValue), "input": input] }
}

/// `timer.set`: starts a timer once it is recorded. An output.
public struct TimerSet: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "timer.set" }
  /// The time until it fires, in milliseconds, as it is recorded: a crafted recording may contain any number.
  public var milliseconds: Int
  /// The purpose: `poll`, `retry`.
  public var purpose: String
  /// The longest time a timer runs, in milliseconds: a day.
  package static let longest = 86_400_000

  /// How long it runs, in milliseconds: nothing to a day, whatever is recorded. Compute with this number, so that no sum
  /// overflows.
  public var duration: Int { min(max(milliseconds, 0), Self.longest) }

  /// Makes the event.
  public init(milliseconds: Int, purpose: String) {
    self.milliseconds = milliseconds
    self.purpose = purpose
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    milliseconds = try data.requiredInt("ms", of: Self.type)
    purpose = try data.requiredString("for", of: Self.type)
  }

  /// The event's data.
  public var data: JSON { ["ms": .int(milliseconds), "for": .string(purpose)] }
}

/// `timer.fired`: a timer ran out. An input; its cause is the `timer.set`.
public struct TimerFired: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "timer.fired" }

  /// Makes the event.
  public init() {}

  /// Reads the event, which has no data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {}

  /// The event's data.
  public var data: JSON { [:] }
}
