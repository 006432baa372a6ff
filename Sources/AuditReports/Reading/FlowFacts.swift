// What lists and reports say of one flow, gathered record by record, without keeping the records.

package import EventStore
import FlowRecording

/// The facts of one flow.
package struct FlowFacts: Sendable, Equatable {
  /// The flow's stream: `authn/01JD…`.
  package let stream: String
  /// The store that it is in, if several are read.
  package internal(set) var store: String?
  /// What kind of flow it is: `authn`.
  package private(set) var kind: String
  /// Whether it begins as flows do; other streams of a log belong to applications.
  package private(set) var isFlow = false
  /// The login, as it was typed, or else as the org knows it: an org does not choose who is said to have signed in.
  package var user: String? { signIn.typed ?? signIn.login }
  /// True if this login, in any case, was typed or is what the org calls the user.
  package func isOf(user: String) -> Bool {
    [signIn.typed, signIn.login].contains { $0?.lowercased() == user.lowercased() }
  }
  /// The time of its first record.
  package let started: Timestamp
  /// The time of its latest record.
  package private(set) var latest: Timestamp
  /// The latest status, in the word of the flow's kind.
  package var status: String? { signIn.status }
  /// How many events it has.
  package private(set) var events = 0
  /// How it ended; nil while it is open.
  package private(set) var ended: String?
  /// The factors that were challenged, in order: `push`, `sms`.
  package var factors: [String] { signIn.factors }
  /// How many calls ended with an error, by its code.
  package private(set) var errors: [String: Int] = [:]
  /// How many requests it sent.
  package private(set) var requests = 0
  /// How many requests brought no answer.
  package private(set) var failures = 0
  /// How many answers were 429.
  package private(set) var rateLimited = 0
  private var signIn = SignInFacts()

  /// The facts of a flow that begins with this record.
  init(startingWith record: StoredRecord, kinds: KindRegistry) {
    stream = record.stream
    kind = stream.contains("/") ? String(stream.prefix { $0 != "/" }) : ""
    started = record.at
    latest = record.at
    add(record, kinds)
  }

  /// `success`, `failed`, `abandoned`…, or `open` while nothing has ended it.
  package var outcome: String { ended ?? "open" }

  /// Milliseconds from the first record to the latest.
  package var durationMilliseconds: Int { Int(max(0, latest.microseconds - started.microseconds) / 1_000) }

  /// The part of the stream's name that tells flows apart.
  package var identifier: String { FlowReference.identifier(of: stream) }

  /// One line of `auditctl flows --json`; with several stores it names the flow's.
  package var json: JSON {
    guard let store, case .object(var object) = columns else { return columns }
    object["store"] = .string(store)
    return .object(object)
  }

  private var columns: JSON {
    [
      "flow": .string(stream), "kind": .string(kind), "user": user.map(JSON.string) ?? .null,
      "started": .string(started.description), "durationMs": .int(durationMilliseconds),
      "status": status.map(JSON.string) ?? .null, "events": .int(events), "outcome": .string(outcome),
    ]
  }

  /// Takes up the next record of the flow.
  mutating func add(_ record: StoredRecord, _ kinds: KindRegistry) {
    let type = record.type
    guard type != EventCoding.partType else { return }
    events += 1
    latest = max(latest, record.at)
    switch type {
    case FlowStarted.type: started(Self.data(of: record))
    case FlowEnded.type: ended = Self.data(of: record)["outcome"]?.string
    case CallMade.type: ended = nil
    case CallReturned.type: returned(Self.data(of: record))
    case RequestSent.type: requests += 1
    case RequestFailed.type: failures += 1
    case ResponseReceived.type:
      // `status` is the first member: what does not begin so need not be read.
      if record.data.starts(with: Self.limited) { rateLimited += 1 }
    default: break
    }
    kinds[kind]?.note(type, { Self.data(of: record) }, in: &signIn)
  }

  private static let limited = Array("{\"status\":429,".utf8)

  /// The record's data; empty where it cannot be read, as a list must show the other flows all the same.
  private static func data(of record: StoredRecord) -> JSON { (try? JSON(parsing: record.data)) ?? [:] }

  private mutating func started(_ data: JSON) {
    isFlow = true
    if let kind = data["kind"]?.string { self.kind = kind }
  }

  private mutating func returned(_ data: JSON) {
    guard data["outcome"]?.string == "error" else { return }
    let code = data["details"]?["errorCode"]?.string ?? data["error"]?.string ?? "unknown"
    errors[code, default: 0] += 1
  }
}
