package import EventStore
import FlowKinds
package import FlowRecording

/// A push that a flow of a log saw.
package struct SeenPush: Sendable, Equatable {
  /// The store that the flow is in.
  package var store: String
  /// The flow's stream.
  package var stream: String
  /// What it saw.
  package var push: PushSighting
  /// The login of the person, if the flow knows it.
  package var user: String?

  package init(store: String, stream: String, push: PushSighting, user: String?) {
    self.store = store
    self.stream = stream
    self.push = push
    self.user = user
  }

  /// Returns the pushes of one flow; none if flows of its kind have no pushes.
  ///
  /// - Throws: `StreamError` if the flow cannot be read.
  package static func all(
    of records: [StoredRecord], in store: String, kinds: KindRegistry = .standard
  ) throws(StreamError) -> [SeenPush] {
    guard let first = records.first else { return [] }
    let flow = try kinds.decode(records)
    guard let pushes = kinds.kind(of: flow)?.pushes(in: flow), !pushes.isEmpty else { return [] }
    var facts = FlowFacts(startingWith: first, kinds: kinds)
    for record in records.dropFirst() { facts.add(record, kinds) }
    return pushes.map { SeenPush(store: store, stream: first.stream, push: $0, user: facts.user) }
  }

  /// As an element of a pair in `auditctl correlate --json`.
  package var json: JSON {
    let answers = push.answers.map { answer -> JSON in
      ["at": .string(answer.at.description), "answer": .string(answer.word)]
    }
    return .members([
      ("store", .string(store)), ("flow", .string(stream)), ("org", push.org.map(JSON.string)),
      ("user", user.map(JSON.string)), ("userId", push.userID.map(JSON.string)),
      ("transactionId", push.transaction.map(JSON.string)), ("began", .string(push.began.description)),
      ("sent", push.sent.map { .string($0.description) }), ("expires", push.expires.map { .string($0.description) }),
      ("ended", push.ended.map { .string($0.description) }), ("outcome", .string(push.outcome.rawValue)),
      ("answers", push.side == .device ? .array(answers) : nil), ("showsNumber", push.showsNumber.map(JSON.bool)),
      (
        "facts",
        push.facts.isEmpty
          ? nil : .members(push.facts.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) })
      ),
    ])
  }
}
