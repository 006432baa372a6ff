// What the states of a recording's flows were when it was made, what the errors said, and what their kinds declared, as
// digests: a change of the SDK that changes one of them and no event shows in a replay by them. What its events say and
// what becomes of it if something goes otherwise stand there too.

public import EventStore
import FlowRecording

/// The states of a recording's flows after each event, what the errors said that calls ended with, and what the kinds
/// declared, as digests.
///
/// A replay compares events. A state that folds otherwise, or is written otherwise as JSON, need not lead to another
/// event, and what an error says, or which places of an answer may be written, stands in none. Recordings that are kept
/// as tests have digests of states and errors in their header, those of the SDK's own tests of declarations too, and
/// replay only with the same. A digest is of what the log holds in clear anyway, and is made after persons were
/// replaced.
public struct RecordedDigests: Sendable, Hashable {
  /// Those of one flow.
  struct Flow: Sendable, Hashable {
    /// The digest of the state after each event, in order; nil if it is the same as before.
    var states: [String?]
    /// What the errors say, by the revisions of the calls; nothing if the flow does not run whole.
    var errors: [Int: String]
    /// What its kind declares, part by part; nothing if another flow of the kind stands before it.
    var declared: [String: String] = [:]
    /// What its events say, by their types.
    var events: [String: String] = [:]
    /// What becomes of it if something goes otherwise, variant by variant.
    var variants: [String] = []
  }

  /// How many events a recording with digests has at most.
  static let mostEvents = 15_000

  private var flows: [ByteName: Flow] = [:]

  /// None.
  init() {}

  /// Whether there are any of what the kinds declare.
  var hasDeclarations: Bool { flows.values.contains { !$0.declared.isEmpty } }

  /// Those of one flow; empty ones for a flow that the recording says nothing of, which no flow has.
  subscript(stream: String) -> Flow {
    get { flows[ByteName(stream)] ?? Flow(states: [], errors: [:]) }
    set { flows[ByteName(stream)] = newValue }
  }

  /// What the header of a recording says.
  ///
  /// - Returns: nil if it has none.
  /// - Throws: `malformed`; they have another form.
  init?(_ header: SliceHeader, of name: String) throws(StoreError) {
    guard let json = header.digests, json != .null else { return nil }
    guard let flows = Self.flows(json) else {
      throw StoreError(
        .malformed, "the digests in the recording's header have no form that this program knows", file: name,
        advice: "take its records alone: lz4 -dc FILE > FILE.ndjson")
    }
    self.flows = flows
  }

  private static func flows(_ json: JSON) -> [ByteName: Flow]? {
    guard let streams = json.object?.members else { return nil }
    var flows: [ByteName: Flow] = [:]
    for stream in streams {
      let parts = stream.value["states"]?.string?.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let parts, let states = digests(parts[0]), let variants = digests(parts.count > 1 ? parts[1] : ""),
        let errors = texts(stream.value["errors"]), let declared = byName(stream.value["declared"]),
        let events = byName(stream.value["events"])
      else { return nil }
      var byCall: [Int: String] = [:]
      for (name, digest) in errors {
        guard let call = Int(name), String(call) == name, isDigest(digest[...]) else { return nil }
        byCall[call] = digest
      }
      flows[ByteName(stream.key)] = Flow(
        states: states, errors: byCall, declared: declared, events: events,
        variants: variants.compactMap { $0 })
    }
    return flows
  }

  /// Four digits a part; other versions may have other parts.
  private static func byName(_ json: JSON?) -> [String: String]? {
    guard let json else { return [:] }
    guard let digests = texts(json), digests.count <= 100, digests.values.allSatisfy({ isDigest($0[...]) }) else {
      return nil
    }
    return digests
  }

  /// Four digits an event, or a dash for one that changes nothing.
  private static func digests(_ text: Substring) -> [String?]? {
    var rest = text
    var digests: [String?] = []
    while let first = rest.first {
      guard first != "-" else {
        digests.append(nil)
        rest = rest.dropFirst()
        continue
      }
      let digest = rest.prefix(digits)
      guard isDigest(digest), digests.count < mostEvents else { return nil }
      digests.append(String(digest))
      rest = rest.dropFirst(digits)
    }
    return digests
  }

  private static func isDigest(_ text: Substring) -> Bool {
    text.utf8.count == digits
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
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

  /// As the header of a recording has them: by stream; the states event by event, behind a full stop the variants, the
  /// errors by call.
  public var json: JSON {
    .members(
      flows.map { ($0.text, $1) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { stream, flow in
        let errors = flow.errors.sorted { $0.key < $1.key }.map { (String($0), JSON.string($1) as JSON?) }
        let states = flow.states.map { $0 ?? "-" }.joined()
        let variants = flow.variants.isEmpty ? "" : "." + flow.variants.joined()
        return (
          stream,
          .members([
            ("states", .string(states + variants)), ("errors", .members(errors)), ("declared", named(flow.declared)),
            ("events", named(flow.events)),
          ])
        )
      })
  }

  private func named(_ digests: [String: String]) -> JSON? {
    let parts = digests.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value) as JSON?) }
    return parts.isEmpty ? nil : .members(parts)
  }

  /// How many digits a digest has: enough for what changes by mistake.
  private static let digits = 4

  /// The digest of a text: FNV-1a, folded, since its upper digits hardly depend on the last bytes.
  static func digest(_ text: [UInt8]) -> String {
    var hash = StableHash.value(text.span)
    hash ^= hash >> 32
    hash ^= hash >> 16
    let all = String(hash & 0xFFFF, radix: 16)
    return String(repeating: "0", count: digits - all.count) + all
  }
}
