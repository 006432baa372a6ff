// The state of a device flow as JSON, for readers of a log.

package import EventStore
import FlowRecording

extension DeviceCore {
  /// The state as JSON, keyed by property name, with placeholders for secrets.
  package var json: JSON {
    let configured: [(String, JSON?)] = [
      ("audiences", .array(settings.audiences.map(JSON.string))),
      ("origins", .array(settings.origins.map(JSON.string))),
      ("userAgentHeader", .string(settings.userAgent)), ("strict", .bool(settings.isStrict)),
      ("deleteOnSuspended", .bool(settings.deletesSuspended)), ("reference", .bool(settings.isReference)),
      ("plugins", settings.plugins.isEmpty ? nil : .array(settings.plugins.map(JSON.string))),
      ("keyDiscoveryMilliseconds", settings.keyDiscoveryMilliseconds.map(JSON.int)),
    ]
    let about: [(String, JSON?)] = [
      ("operation", operation?.json), ("challenge", challenge?.json),
      ("asked", asked.isEmpty ? nil : keyed(asked) { .string($0.rawValue) }),
      ("lastStep", lastStep.map { .string($0.rawValue) }),
    ]
    return .members(
      configured + about
        + ledger.members(call: { .string($0.rawValue) }, tag: { [("step", .string($0.rawValue))] }))
  }
}

/// The names of the steps that have an answer.
private func answered(_ answers: [DeviceStep: StepAnswer]) -> JSON? {
  answers.isEmpty
    ? nil
    : .members(answers.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.json) })
}

extension Refusal {
  fileprivate var json: JSON { ["code": .string(code), "details": details] }
}

extension DeviceOperation {
  fileprivate var json: JSON {
    .members([
      ("name", .string(name.rawValue)), ("arguments", arguments), ("call", .int(call)), ("stored", stored),
      ("facts", facts), ("next", next.map { .string($0.rawValue) }), ("answers", answered(answers)),
      ("failure", failure?.json),
    ])
  }
}

extension ChallengeWork {
  fileprivate var json: JSON {
    let head: [(String, JSON?)] = [
      ("phase", .string(phase.rawValue)), ("source", .string(source)), ("receivedAt", .string(receivedAt.description)),
      ("position", .int(position)), ("skew", .int(skew)), ("pulledFor", pulledFor.map(JSON.string)),
      ("token", .string(token)), ("header", challenge?.header), ("claims", challenge?.claims),
      ("fingerprint", .string(fingerprint)), ("stored", stored), ("facts", facts),
    ]
    let answer: [(String, JSON?)] = [
      ("answer", answer.map(JSON.string)), ("isPreset", isPreset ? true : nil),
      ("answeredAt", answeredAt.map { .string($0.description) }), ("isVerified", .bool(isVerified)),
      ("consent", consent.map { .string($0.rawValue) }),
      ("isVerificationGivenUp", isVerificationGivenUp ? true : nil), ("method", method.map(JSON.string)),
      ("signing", signing), ("signed", signed), ("isRepeated", isRepeated ? true : nil), ("attempts", .int(attempts)),
    ]
    let end: [(String, JSON?)] = [
      ("resolveCall", resolveCall.map(JSON.int)), ("timer", timer.map(JSON.int)),
      ("discoveryTimer", discoveryTimer.map(JSON.int)), ("isDiscoveryOver", isDiscoveryOver ? true : nil),
      ("answers", answered(answers)), ("ending", ending.map(JSON.string)), ("failure", failure?.json),
    ]
    return .members(head + answer + end)
  }
}
