// What a kind of flow declares: what of its messages may be written, its draws, calls, events and words.

import EventStore
import FlowKinds
import FlowRecording

/// The declarations of a kind of flow, part by part.
///
/// No event shows that a place of an answer that no recording has would be written in clear from now on, or that a code of the
/// org would be taken for another. Digests of the declarations do.
enum KindDeclarations {
  private static let known = Locked<[ObjectIdentifier: [(name: String, digest: String)]]>([:])

  /// The digests of a kind's declarations, part by part: the same parts in the same order for all kinds, and then its tables by
  /// their names. Cost: some milliseconds, once in a process for each kind.
  static func digests(of kind: any FlowKind.Type) -> [(name: String, digest: String)] {
    let id = ObjectIdentifier(kind)
    if let digests = known.withLock({ $0[id] }) { return digests }
    let digests = parts(of: kind).map { name, lines in
      (name, RecordedDigests.digest(Array(lines.joined(separator: "\n").utf8)))
    }
    known.withLock { $0[id] = digests }
    return digests
  }

  /// The lines of each part.
  private static func parts(of kind: any FlowKind.Type) -> [(name: String, lines: [String])] {
    let policy = kind.policy
    return [
      ("response", lines(policy.response)), ("arguments", lines(policy.arguments)),
      ("settings", lines(policy.settings)), ("headers", lines(.object(policy.headers))),
      ("query", policy.query.sorted()), ("paths", policy.paths.sorted()), ("draws", draws(of: kind)),
      ("calls", kind.calls.sorted()),
      ("events", kind.declarations.map { "\($0.type) \($0.version) \($0.required)" }.sorted()),
    ] + kind.tables.sorted { $0.key < $1.key }.map { ("tables.\($0)", $1.sorted()) }
  }

  private static func draws(of kind: any FlowKind.Type) -> [String] {
    func draws<Kind: FlowKind>(_ kind: Kind.Type) -> DrawDeclarations { Kind.Core.draws }
    return draws(kind).sorted { $0.key.rawValue < $1.key.rawValue }
      .flatMap { name, draw in [name.rawValue] + lines(draw.schema).map { "\(name.rawValue) \($0)" } }
  }

  /// A line for each place that a schema declares.
  private static func lines(_ schema: WireSchema) -> [String] {
    var lines: [String] = []
    DeclaredPlaces.forEach(in: schema) { path, schema in
      lines.append("\(path.joined(separator: ".")) \(schema.summary)")
    }
    return lines
  }
}

extension WireSchema {
  /// The class of a scalar.
  fileprivate var summary: String {
    switch self {
    case .word(let words): "word \(words.sorted())"
    case .place(let words): "place \(words.sorted())"
    case .secret(let name): "secret \(name)"
    case .text: "text"
    case .identifier: "identifier"
    case .errorCode: "errorCode"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .url: "url"
    case .personal: "personal"
    case .login: "login"
    case .own: "own"
    case .object, .map, .array, .setting, .depending: "several"
    }
  }
}

extension Divergence {
  /// The parts of what a kind declares that are otherwise than when the recording was made; nil if all are as they were.
  ///
  /// - Parameters:
  ///   - recorded: the digests of the declarations; none for a recording that has none, or not of all parts.
  ///   - kind: the kind of the flow.
  static func ofDeclarations(
    of flow: RecordedFlow, from recorded: [String], to kind: any FlowKind.Type, in recording: String
  ) -> Divergence? {
    let changed = zip(recorded, KindDeclarations.digests(of: kind)).filter { $0 != $1.digest }
    guard let first = changed.first, !flow.records.isEmpty else { return nil }
    return Divergence(
      of: "declared", after: 0, of: flow, in: recording, "the kind \(kind.name) declares something else: ",
      names: changed.map(\.1.name), recorded: .string("digest \(first.0)"),
      replayed: .string("digest \(first.1.digest)"))
  }
}
