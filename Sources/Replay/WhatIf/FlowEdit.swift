// Changes to a recorded flow, for what-if runs.

public import EventStore
import FlowRecording

/// A change at one place of a recorded flow.
public struct FlowEdit: Sendable {
  /// The revision of a request, of its answer, or of another input: that of the recording, whatever other edits remove,
  /// move or add.
  public var at: Int
  /// What happens there instead.
  public var change: Change

  /// What happens instead of what was recorded.
  public enum Change: Sendable {
    /// The org answers differently; a `nil` part stays as recorded. `malformed` is a body that is not JSON.
    case answer(status: Int?, headers: [(name: String, value: String)], body: JSON?, isMalformed: Bool)
    /// No complete answer arrives, for the reason of this code (`TransportError.Code`).
    case lost(String)
    /// It arrives this many milliseconds later, after everything that arrives in between.
    case late(Int)
    /// It arrives after the input with this revision of the recording, which does not come because of it.
    case after(Int)
    /// It does not arrive at all.
    case missing
    /// The application cancels the call while it waits for this.
    case cancelled
  }

  /// Makes an edit.
  public init(at: Int, _ change: Change) { (self.at, self.change) = (at, change) }
}

/// An answer that is used if the recording has none, or none but one that an edit replaced.
public struct ScriptedAnswer: Sendable {
  /// The method and the path, `*` for any part of it: `POST /api/v1/authn/factors/*/verify`.
  public var request: String
  /// The status code.
  public var status: Int
  /// The headers.
  public var headers: [(name: String, value: String)]
  /// The body, secrets as placeholders; `nil` for none.
  public var body: JSON?

  /// True if it answers a request of that method and path.
  func fits(_ path: String) -> Bool {
    let (one, other) = (request.split(separator: "/"), path.split(separator: "/"))
    return one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || $0 == "*" || $1 == "*" }
  }
}

/// A file of edits that cannot be read.
public struct EditError: Error, Sendable, CustomStringConvertible {
  /// One sentence: what, where, and what to do.
  public var description: String
}

/// Edits read from a file.
///
/// ```json
/// {"edits": [{"at": 7, "status": 429, "headers": {"Retry-After": "2"}}, {"at": 12, "lost": "timedOut"},
///            {"at": 13, "late": 3000}, {"at": 15, "after": 18}, {"at": 8, "body": {"status": "LOCKED_OUT"}},
///            {"at": 9, "malformed": true}, {"at": 20, "missing": true}, {"at": 22, "cancelled": true}],
///  "answers": [{"request": "POST /api/v1/authn", "status": 200, "body": {"status": "SUCCESS"}}]}
/// ```
public struct FlowEdits: Sendable {
  /// The edits, in order.
  public var edits: [FlowEdit]
  /// Answers to requests for which the recording has none, or none but one that an edit replaced; each is used once.
  public var answers: [ScriptedAnswer]

  /// Makes edits.
  public init(_ edits: [FlowEdit], answers: [ScriptedAnswer] = []) { (self.edits, self.answers) = (edits, answers) }

  /// Reads a file of edits.
  ///
  /// - Throws: `EditError` if it is not JSON, or has an unknown member.
  public init(parsing bytes: [UInt8]) throws(EditError) {
    // A byte order mark is skipped (RFC 8259 §8.1).
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes[start...])
    } catch {
      throw EditError(
        description: "the edits are no JSON: \(error.reason) at byte \(error.offset + start); "
          + "write {\"edits\": [...]}")
    }
    guard let members = json.object?.members else {
      throw EditError(description: "the edits are no JSON object; write {\"edits\": [...]}")
    }
    if let unknown = members.first(where: { !["edits", "answers"].contains($0.key) }) {
      throw EditError(description: "a file of edits has no member '\(unknown.key)'; give edits and answers")
    }
    edits = try Self.list(json["edits"], "edits").map { json throws(EditError) in try Self.edit(json) }
    var places: Set<Int> = []
    for edit in edits where !places.insert(edit.at).inserted {
      throw EditError(description: "there are two edits at \(edit.at); make one of them")
    }
    answers = try Self.list(json["answers"], "answers").map { json throws(EditError) in try Self.answer(json) }
  }

  private static func list(_ json: JSON?, _ name: String) throws(EditError) -> [JSON] {
    guard let json else { return [] }
    guard let elements = json.array else { throw EditError(description: "'\(name)' is no list; write [...]") }
    return elements
  }

  private static func edit(_ json: JSON) throws(EditError) -> FlowEdit {
    guard let at = json["at"]?.int, at >= 0 else {
      throw EditError(description: "an edit says with 'at' at which revision: \(json.text.prefix(80))")
    }
    let names = Set((json.object?.members ?? []).map(\.key)).subtracting(["at"])
    let known: Set = ["status", "headers", "body", "malformed", "lost", "late", "after", "missing", "cancelled"]
    if let unknown = names.subtracting(known).min() {
      throw EditError(
        description:
          "the edit at \(at) has no member '\(unknown)'; give one of \(known.sorted().joined(separator: ", "))")
    }
    guard !names.isEmpty else {
      throw EditError(
        description: "the edit at \(at) says nothing; give one of \(known.sorted().joined(separator: ", "))")
    }
    for name in ["malformed", "missing", "cancelled"] where names.contains(name) && json[name]?.bool != true {
      throw EditError(
        description: "the edit at \(at) takes for '\(name)' true and nothing else; leave '\(name)' out if it is not so")
    }
    if names.isSuperset(of: ["malformed", "body"]) {
      throw EditError(
        description: "the edit at \(at) says body and malformed, which exclude each other; give one of them")
    }
    // Only an answer has several parts.
    if names.count > 1, !names.isSubset(of: ["status", "headers", "body", "malformed"]) {
      let given = names.sorted().joined(separator: ", ")
      throw EditError(description: "the edit at \(at) says \(given), which exclude each other; give one of them")
    }
    if let code = json["lost"] {
      guard let code = code.string, TransportError.Code(rawValue: code) != nil else {
        let codes = TransportError.Code.allCases.map(\.rawValue).joined(separator: ", ")
        throw EditError(description: "the edit at \(at) takes for 'lost' one of \(codes)")
      }
      return FlowEdit(at: at, .lost(code))
    }
    if let milliseconds = json["late"] {
      guard let milliseconds = milliseconds.int, (0...TimerSet.longest).contains(milliseconds) else {
        throw EditError(description: "the edit at \(at) takes for 'late' milliseconds, at most a day")
      }
      return FlowEdit(at: at, .late(milliseconds))
    }
    if let after = json["after"] {
      guard let after = after.int else {
        throw EditError(description: "the edit at \(at) takes for 'after' a revision")
      }
      return FlowEdit(at: at, .after(after))
    }
    if json["missing"]?.bool == true { return FlowEdit(at: at, .missing) }
    if json["cancelled"]?.bool == true { return FlowEdit(at: at, .cancelled) }
    let status = json["status"]?.int
    if json["status"] != nil {
      guard let status, (100...599).contains(status) else {
        throw EditError(description: "the edit at \(at) takes for 'status' a number from 100 to 599")
      }
    }
    return FlowEdit(
      at: at,
      .answer(
        status: status, headers: try headers(json["headers"], "the edit at \(at)"), body: json["body"],
        isMalformed: json["malformed"]?.bool == true))
  }

  private static func headers(_ json: JSON?, _ place: String) throws(EditError) -> [(name: String, value: String)] {
    guard let json else { return [] }
    var headers: [(name: String, value: String)] = []
    guard let members = json.object?.members else {
      throw EditError(
        description: "\(place) takes for 'headers' an object of texts: {\"headers\": {\"Retry-After\": \"2\"}}")
    }
    for member in members {
      guard let value = member.value.string else {
        throw EditError(
          description: "\(place) takes a text for '\(member.key)' in 'headers': {\"Retry-After\": \"2\"}")
      }
      headers.append((member.key, value))
    }
    return headers
  }

  private static func answer(_ json: JSON) throws(EditError) -> ScriptedAnswer {
    guard let request = json["request"]?.string, let status = json["status"]?.int, (100...599).contains(status) else {
      throw EditError(
        description: "an answer says its request and status: {\"request\": \"POST /api/v1/authn\", \"status\": 200}")
    }
    let known: Set = ["request", "status", "headers", "body"]
    if let unknown = Set((json.object?.members ?? []).map(\.key)).subtracting(known).min() {
      throw EditError(
        description: "the answer to \(request) has no member '\(unknown)'; give request, status, headers or body")
    }
    return ScriptedAnswer(
      request: request, status: status, headers: try headers(json["headers"], "the answer to \(request)"),
      body: json["body"])
  }
}
