// The state of a flow for tokens by the names of its members, for readers of a log.

package import EventStore
import FlowRecording

extension OIDCCore {
  /// The state by the names of its members, secrets as placeholders.
  package var json: JSON {
    .members(
      settings.members + [
        ("operation", operation?.json), ("awaitsRedirect", awaitsRedirect ? true : nil),
        ("next", operation?.next(settings).map { .string($0.rawValue) }),
        ("asked", asked.isEmpty ? nil : keyed(asked) { .string($0.rawValue) }),
        ("lastStep", lastStep.map { .string($0.rawValue) }),
      ] + ledger.members(call: { .string($0.rawValue) }, tag: { [("step", .string($0.rawValue))] }))
  }
}

extension OIDCOperation {
  fileprivate var json: JSON {
    .members([
      ("name", .string(name.rawValue)), ("arguments", arguments), ("call", .int(call)), ("known", known),
      ("proof", .members(proof.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
      ("answers", Self.sorted(answers, \.json)), ("redirect", redirect), ("keys", keys),
      ("maxAge", Self.sorted(maxAge, JSON.int)), ("tokenId", tokenID.map(JSON.string)),
      ("issued", issued?.data), ("issuedAt", issuedAt.map { .string($0.description) }), ("stored", stored),
      ("codesAt", codesAt.map { .string($0.description) }),
      ("delay", .int(delay)), ("timer", timer.map(JSON.int)), ("retry", retry?.json),
      ("failure", failure.map(Self.json)), ("partFailure", partFailure.map(Self.json)),
      ("failedOptions", failedOptions.isEmpty ? nil : .array(failedOptions.map(JSON.string))),
    ])
  }

  private static func json(_ refusal: Refusal) -> JSON {
    ["code": .string(refusal.code), "details": refusal.details]
  }

  /// Values by the names of steps; nil if there are none.
  private static func sorted<Value>(_ values: [OIDCStep: Value], _ json: (Value) -> JSON) -> JSON? {
    guard !values.isEmpty else { return nil }
    return .members(values.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, json($0.value)) })
  }
}

extension OIDCRetry {
  fileprivate var json: JSON {
    .members([
      ("step", .string(step.rawValue)), ("count", .int(count)), ("waited", .int(waited)),
      ("firstId", firstID.map(JSON.string)),
    ])
  }
}
