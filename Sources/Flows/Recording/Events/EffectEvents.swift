// Effects that are not HTTP: draws and timers.

public import EventStore

/// What a draw is asked for (DESIGN §1, §2 rule 4).
public struct DrawKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The kind's name in the log.
  public var rawValue: String

  /// A kind by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `User-Agent` of this process: product, system, machine.
  public static let userAgent = DrawKind(rawValue: "userAgent")
  /// A random number of milliseconds, 0 to 999.
  public static let jitter = DrawKind(rawValue: "jitter")
  /// A random UUID, lower case.
  public static let uuid = DrawKind(rawValue: "uuid")
  /// What the application's own response handler makes of an answer.
  public static let handlerStatus = DrawKind(rawValue: "handler.status")
  /// What the application's listener makes of a request; null where it changes nothing.
  public static let requestListener = DrawKind(rawValue: "request.listener")
  /// A signature by a key that stays outside the flow.
  public static let signature = DrawKind(rawValue: "signature")
  /// A PKCE verifier and its S256 challenge (RFC 7636 §4.1-§4.2), `verifier` and `challenge`.
  public static let pkce = DrawKind(rawValue: "pkce")
  /// What binds an answer to the request it belongs to (OAuth `state`): a random UUID.
  public static let state = DrawKind(rawValue: "state")
  /// What this device is recognised by: 16 bytes, base64.
  public static let deviceToken = DrawKind(rawValue: "deviceToken")

  /// What of a value drawn at once may be written; nil where all of it may.
  var schema: WireSchema? {
    switch self {
    case .signature: .secret("signature")
    case .pkce: .object(["verifier": .secret("codeVerifier"), "challenge": .identifier])
    case .state: .secret("state")
    case .deviceToken: .secret("deviceToken")
    default: nil
    }
  }

  /// The kind's name.
  public var description: String { rawValue }
}

/// `draw.made`: the value of an effect that pure code cannot compute.
public struct DrawMade: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.made" }
  /// What was drawn.
  public var kind: DrawKind
  /// How many draws the flow had made before, of any kind.
  public var ordinal: Int
  /// The value, secrets replaced.
  public var value: JSON

  /// Makes the event.
  public init(kind: DrawKind, ordinal: Int, value: JSON) {
    self.kind = kind
    self.ordinal = ordinal
    self.value = value
  }

  /// Reads the event's data.
  public init(data: JSON) throws(EventError) {
    kind = DrawKind(rawValue: try data.requiredString("kind", of: Self.type))
    ordinal = try data.requiredInt("ordinal", of: Self.type)
    value = data["value"] ?? .null
  }

  /// The event's data.
  public var data: JSON { ["kind": .string(kind.rawValue), "ordinal": .int(ordinal), "value": value] }
}

/// `draw.asked`: a draw that must be awaited. An output; the `draw.made` that answers it names it as cause.
public struct DrawAsked: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "draw.asked" }
  /// What is asked for.
  public var kind: DrawKind
  /// What the one who answers is given, secrets replaced.
  public var input: JSON

  /// Makes the event.
  public init(kind: DrawKind, input: JSON) {
    self.kind = kind
    self.input = input
  }

  /// Reads the event's data.
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
  public init(data: JSON) throws(EventError) {}

  /// The event's data.
  public var data: JSON { [:] }
}
