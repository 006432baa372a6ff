// The events that open, close and annotate a flow.

public import EventStore

/// `flow.started`: the first event of every stream.
public struct FlowStarted: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "flow.started" }
  /// The kind whose core folds the stream: `authn`.
  public var kind: String
  /// Product and version of the SDK that recorded it.
  public var sdk: String
  /// The configuration of the flow, by the core's own names: org, poll interval.
  public var settings: JSON
  /// The flow that this one resumes, if any.
  public var resumes: String?
  /// What the application reports about the flow (`FlowContext`), if anything.
  public var context: JSON?

  /// Makes the event.
  public init(kind: String, sdk: String, settings: JSON, resumes: String? = nil, context: JSON? = nil) {
    self.kind = kind
    self.sdk = sdk
    self.settings = settings
    self.resumes = resumes
    self.context = context
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    kind = try data.requiredString("kind", of: Self.type)
    sdk = try data.requiredString("sdk", of: Self.type)
    settings = data["settings"] ?? [:]
    resumes = data["resumes"]?.string
    context = data["context"]
  }

  /// The event's data.
  public var data: JSON {
    .members([
      ("kind", .string(kind)), ("sdk", .string(sdk)), ("settings", settings), ("resumes", resumes.map(JSON.string)),
      ("context", context),
    ])
  }
}

/// `flow.ended`: nothing more is expected in this stream.
public struct FlowEnded: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "flow.ended" }
  /// How it ended: `success`, `cancelled`, `lockedOut`, `failed`, `abandoned`.
  public var outcome: String

  /// Makes the event.
  public init(outcome: String) { self.outcome = outcome }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) { outcome = try data.requiredString("outcome", of: Self.type) }

  /// The event's data.
  public var data: JSON { ["outcome": .string(outcome)] }
}

/// `note.added`: a remark of the application, an input that changes nothing.
public struct NoteAdded: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "note.added" }
  /// The remark, with every secret known to the flow replaced.
  public var text: String

  /// Makes the event.
  public init(text: String) { self.text = text }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) { text = try data.requiredString("text", of: Self.type) }

  /// The event's data.
  public var data: JSON { ["text": .string(text)] }
}
