// Effects that are not HTTP: draws and timers.

public import EventStore

/// `draw.made`: the value of an effect that pure code cannot compute, or why there is none.
public struct DrawMade: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.made" }
  /// The kind of value that was drawn.
  public var kind: DrawKind
  /// How many draws the flow had made before, of any kind.
  public var ordinal: Int
  /// The value, secrets replaced, or why there is none.
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

/// `draw.asked`: a draw that must be awaited. An output; the `draw.made` that answers it names it as cause.
public struct DrawAsked: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.asked" }
  /// The kind of value that is asked for.
  public var kind: DrawKind
  /// What the one who answers is given, secrets replaced.
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

/// `timer.set`: once this stands in the log, a timer runs. An output.
public struct TimerSet: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "timer.set" }
  /// After how many milliseconds it fires.
  public var milliseconds: Int
  /// What for: `poll`, `retry`.
  public var purpose: String
  /// A day: how long a timer of a recording is taken to run at most, in milliseconds.
  package static let longest = 86_400_000

  /// Makes the event.
  public init(milliseconds: Int, purpose: String) {
    self.milliseconds = milliseconds
    self.purpose = purpose
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    let milliseconds = try data.requiredInt("ms", of: Self.type)
    // A recording may say anything; no timer runs for longer than a day.
    self.milliseconds = min(max(milliseconds, 0), Self.longest)
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

  /// Reads the event's data, of which there is none.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {}

  /// The event's data.
  public var data: JSON { [:] }
}
