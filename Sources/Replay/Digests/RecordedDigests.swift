// What the states of a recording's flows were when it was made, and what the errors said, as digests: a change of the SDK that
// changes one of them and no event shows in a replay by them.

public import EventStore
public import FlowKinds
public import FlowRecording

/// The states of a recording's flows after each event, and the sentences of the errors that calls ended with, as digests.
///
/// A replay compares events. A state that folds otherwise, or is written otherwise as JSON, need not lead to another event, and
/// what an error says stands in none. Recordings that are kept as tests have digests of both in their header, and replay only with the
/// same states and sentences. A digest is of what the log holds in clear
/// anyway, and is made after persons were replaced.
public struct RecordedDigests: Sendable, Hashable {
  /// Those of one flow.
  struct Flow: Sendable, Hashable {
    /// The digest of the state after each event, in order; nil if it is the same as before.
    var states: [String?]
    /// What the errors say, by the revisions of the calls; nothing if the flow does not run whole.
    var errors: [Int: String]
  }

  /// How many events a recording with digests has at most, and how long they are together: they stand in its header, which is a
  /// small frame.
  private static let (mostEvents, mostBytes) = (15_000, 60_000)

  /// By the flow's stream.
  var flows: [String: Flow]

  /// Those of flows as this SDK runs them. Cost: a whole replay.
  ///
  /// - Returns: nil if a flow is of a kind that is not known, or for more events than a header has room for.
  public init?(of flows: [RecordedFlow], kinds: KindRegistry = .standard) {
    self.flows = [:]
    guard flows.reduce(0, { $0 + $1.records.count }) <= Self.mostEvents else { return nil }
    for flow in flows {
      guard let kind = kinds.kind(of: flow.records) else { return nil }
      self.flows[flow.stream] = Flow(states: kind.stateDigests(of: flow.records), errors: kind.errors(of: flow))
    }
    guard json.bytes.count <= Self.mostBytes else { return nil }
  }

  /// What the header of a recording says.
  ///
  /// - Returns: nil if it has none.
  /// - Throws: `malformed`; they have another form.
  init?(_ header: SliceHeader, of name: String) throws(StoreError) {
    guard let json = header.digests else { return nil }
    guard let flows = Self.flows(json) else {
      throw StoreError(
        .malformed, "the digests in the recording's header have no form that this program knows", file: name,
        advice: "export the flow again from its log")
    }
    self.flows = flows
  }

  private static func flows(_ json: JSON) -> [String: Flow]? {
    guard let streams = json.object?.members else { return nil }
    var flows: [String: Flow] = [:]
    for stream in streams {
      guard let states = stream.value["states"]?.string.flatMap(digests), let errors = texts(stream.value["errors"])
      else { return nil }
      var byCall: [Int: String] = [:]
      for (name, digest) in errors {
        guard let call = Int(name) else { return nil }
        byCall[call] = digest
      }
      flows[stream.key] = Flow(states: states, errors: byCall)
    }
    return flows
  }

  /// Four digits an event, or a dash for one that changes nothing.
  private static func digests(_ text: String) -> [String?]? {
    var rest = text[...]
    var digests: [String?] = []
    while let first = rest.first {
      guard first != "-" else {
        digests.append(nil)
        rest = rest.dropFirst()
        continue
      }
      let digest = rest.prefix(digits)
      guard digest.count == digits, digest.allSatisfy(\.isHexDigit) else { return nil }
      digests.append(String(digest))
      rest = rest.dropFirst(digits)
    }
    return digests
  }

  private static func texts(_ json: JSON?) -> [String: String]? {
    guard let members = json?.object?.members else { return nil }
    var texts: [String: String] = [:]
    for member in members {
      guard let text = member.value.string else { return nil }
      texts[member.key] = text
    }
    return texts
  }

  /// As the header of a recording has them: by stream; the states event by event, the errors by call.
  public var json: JSON {
    .members(
      flows.sorted { $0.key < $1.key }.map { stream, flow in
        let errors = flow.errors.sorted { $0.key < $1.key }.map { (String($0), JSON.string($1) as JSON?) }
        let states = flow.states.map { $0 ?? "-" }.joined()
        return (stream, ["states": .string(states), "errors": .members(errors)])
      })
  }

  /// How many digits a digest has: enough for what changes by mistake.
  private static let digits = 4

  /// The digest of a text.
  static func digest(_ text: [UInt8]) -> String { String(StableHash.text(text).prefix(digits)) }
}

extension Recording {
  /// The recording with the digests of what this SDK makes of it, for one that is kept as a test. Cost: a whole replay.
  ///
  /// - Returns: without any if a flow is of a kind that is not known.
  public func withDigests(kinds: KindRegistry = .standard) -> Recording {
    var recording = self
    recording.digests = RecordedDigests(of: flows, kinds: kinds)
    return recording
  }
}
