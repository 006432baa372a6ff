// Digests of the states of a recording's flows when it was made, of the texts of errors, and of the declarations of
// their kinds: they reveal a change of the SDK that changes no event. They also cover the data of its events and the
// outcomes of variants.

public import EventStore
import FlowRecording

/// Digests of the states of a recording's flows after each event, of the errors that calls ended with, and of the
/// kinds' declarations.
///
/// A replay compares events. A state that folds differently, or is encoded differently as JSON, need not lead to a
/// different event, and no event contains the text of an error, or which places of an answer may be logged. Recordings
/// that are kept as tests have digests of states and errors in their header, and those of the SDK's own tests also have
/// digests of declarations; they replay only with equal digests. A digest covers only what the log holds in clear
/// anyway, and is made after personal data was replaced.
public struct RecordedDigests: Sendable, Hashable {
  /// The digests of one flow.
  struct Flow: Sendable, Hashable {
    /// The digest of the state after each event, in order; nil if it is the same as before.
    var states: [String?]
    /// The digests of error texts, by the revisions of the calls; empty if the flow does not run whole.
    var errors: [Int: String]
    /// The digests of its kind's declarations, part by part; empty if an earlier flow is of the same kind.
    var declared: [String: String] = [:]
    /// The digests of its events' data, by type.
    var events: [String: String] = [:]
    /// The digests of the outcomes of its variants.
    var variants: [String] = []
  }

  /// The most events of a recording with digests.
  static let mostEvents = 15_000
  /// The most parts of a kind's declarations, and the most types of events, that a flow may have digests of.
  private static let mostParts = 500

  private var flows: [ByteName: Flow] = [:]

  /// None.
  init() {}

  /// True if there are digests of declarations.
  var hasDeclarations: Bool { flows.values.contains { !$0.declared.isEmpty } }

  /// The digests of one flow; empty, which no flow has, if the recording has none for it.
  subscript(stream: String) -> Flow {
    get { flows[ByteName(stream)] ?? Flow(states: [], errors: [:]) }
    set { flows[ByteName(stream)] = newValue }
  }

  /// Reads the digests from the header of a recording.
  ///
  /// - Returns: nil if it has none.
  /// - Throws: `malformed` if they have another form.
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
    guard let digests = texts(json), digests.count <= mostParts, digests.values.allSatisfy({ isDigest($0[...]) }) else {
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

  /// The form in the header of a recording: by stream; the states event by event, after a period the variants, the
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

  /// How many digits a digest has: enough to detect accidental changes.
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
