// The state of a classic sign-in by the names of its members, for readers of a log.

package import EventStore
import FlowRecording

extension AuthnCore {
  /// The state by the names of its members.
  package var json: JSON {
    .members(
      [
        ("org", .string(org)), ("origins", links.origins.map { .array($0.map(JSON.string)) }),
        ("pollMilliseconds", .int(pollMilliseconds)), ("asksHandler", .bool(asksHandler)),
        ("languages", languages.map(JSON.string)),
        ("status", current.map { .string($0.status) } ?? .null),
        ("statusRevision", current.map { .int($0.revision) }), ("transaction", current?.body),
        ("statuses", keyed(statuses) { .string($0.status) }),
        (
          "waiting",
          .array(statuses.filter(\.value.waits).keys.sorted().map(JSON.int))
        ), ("poll", poll.map(\.json) ?? .null), ("asked", asked.map(\.json)),
      ] + ledger.members(call: \.json, tag: { _ in [] }))
  }
}

extension AuthnCore.Call {
  fileprivate var json: JSON {
    .members([
      ("name", .string(name)), ("status", status.map(JSON.string)), ("isPoll", .bool(isPoll)),
      ("query", query.isEmpty ? nil : .members(query.map { ($0.name, .bool($0.value)) })),
      ("languages", context?.languages.map(JSON.string)), ("deviceToken", context?.deviceToken.map(JSON.string)),
      ("pollMilliseconds", pollMilliseconds.map(JSON.int)),
    ])
  }
}

extension AuthnCore.Poll {
  fileprivate var json: JSON {
    .members([
      ("call", .int(call)), ("timer", timer.map(JSON.int)), ("request", request.map(JSON.int)),
      ("failures", .int(failures)), ("waited", .int(waited)), ("target", target.map(\.json)),
    ])
  }
}

extension AuthnCore.PollTarget {
  fileprivate var json: JSON {
    .members([
      ("url", .string(url)), ("stateToken", .string(stateToken)),
      ("expires", expires.map { .string($0.description) }),
    ])
  }
}

extension AuthnCore.Asked {
  fileprivate var json: JSON {
    .members([
      ("revision", .int(revision)), ("call", .int(call)), ("answer", answer.map(JSON.int)),
      ("target", target.map(\.json)),
    ])
  }
}
