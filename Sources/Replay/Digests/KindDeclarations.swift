// The declarations of a kind of flow: which parts of its messages may be logged, its draws, calls, events and
// vocabularies.

import EventStore
import FlowKinds
import FlowRecording

/// The declarations of a kind of flow, part by part.
///
/// If a place of an answer that no recording has would now be logged in clear, or if a code of the org would be taken
/// for another, no event shows it. Digests of the declarations do.
enum KindDeclarations {
  /// The digests of each kind, once they are computed. A thread that needs them meanwhile waits.
  private static let known = Locked<[ObjectIdentifier: Locked<[String: String]?>]>([:])

  /// The digests of a kind's declarations by the names of the parts, its tables among them. Cost: up to seconds,
  /// once in a process for each kind.
  static func digests(of kind: any FlowKind.Type) -> [String: String] {
    let id = ObjectIdentifier(kind)
    let digests = known.withLock { known in
      let digests = known[id] ?? Locked(nil)
      known[id] = digests
      return digests
    }
    return digests.withLock { digests in
      if let digests { return digests }
      var all = ofRuntime
      for (name, lines) in parts(of: kind) { all[name] = digest(lines) }
      digests = all
      return all
    }
  }

  /// The digests of the declarations that all kinds share.
  private static let ofRuntime = Dictionary(
    uniqueKeysWithValues: RuntimeTables.all.map { (runtimePrefix + $0, digest($1)) })
  /// The owner of these declarations.
  private static let runtime = "runtime"
  /// The prefix of their names.
  static let runtimePrefix = runtime + "."

  /// The lines of all parts by owner: the kinds and the runtime. Cost: seconds.
  static var all: [(owner: String, parts: [(name: String, lines: [String])])] {
    [(runtime, RuntimeTables.all.sorted { $0.key < $1.key }.map { ($0, $1) })]
      + KindRegistry.standard.all.map { ($0.name, parts(of: $0)) }
  }

  /// The first line of a part that differs from when a recording was made; nil if the lines of that time are unknown.
  /// Cost: that of the part's kind, and of the file beside the recording, once in a process for each part.
  static func change(
    of name: String, of kind: any FlowKind.Type, from digest: String, beside recording: String
  ) -> LineChange? {
    let isRuntime = name.hasPrefix(runtimePrefix)
    let (owner, part) = isRuntime ? (runtime, String(name.dropFirst(runtimePrefix.count))) : (kind.name, name)
    let key = [owner, part, digest, DeclaredLines.folder(of: recording)]
    if let change = changes.withLock({ $0[key] }) { return change }
    var change: LineChange?
    if let recorded = DeclaredLines.recorded(part, of: owner, beside: recording, digest: digest) {
      let replayed = isRuntime ? RuntimeTables.all[part] : parts(of: kind).first { $0.name == part }?.lines
      change = LineChange(from: recorded, to: replayed ?? [])
    }
    changes.withLock { $0[key] = .some(change) }
    return change
  }

  private static let changes = Locked<[[String]: LineChange?]>([:])

  static func digest(_ lines: [String]) -> String {
    RecordedDigests.digest(Array(lines.joined(separator: "\n").utf8))
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
  static func lines(_ schema: WireSchema) -> [String] {
    var lines: [String] = []
    add(schema, at: "", choices: 0, &lines)
    return lines
  }

  /// Sample values for schemas that depend on their value: one of each type, a secret and a plain form field, and a
  /// server's metadata.
  private static let probes: [(name: String, value: JSON)] = [
    ("null", nil), ("word", "word"), ("number", 1), ("yes", true), ("list", []), ("object", [:]),
    ("secret", ["name": "field", "secret": true]), ("field", ["name": "identifier", "value": "word"]),
    ("date", "Thu, 15 Jan 2026 09:00:00 GMT"), ("type", "application/json"),
    (
      "metadata",
      [
        "issuer": "https://acme.example", "jwks_uri": "https://acme.example/keys", "a_uri": "a", "b_endpoint": "b",
        "c_supported": [], "d_supported": true, "require_e": true, "f": "f",
      ]
    ),
  ]

  /// - Parameter choices: how many enclosing schemas depend on their values. Those of forms contain themselves.
  private static func add(_ schema: WireSchema, at path: String, choices: Int, _ lines: inout [String]) {
    switch schema {
    case .object(let members):
      lines.append("\(path) object")
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        add(member, at: "\(path).\(name)", choices: choices, &lines)
      }
    case .map(let element): add(element, at: path + ".*", choices: choices, &lines)
    case .array(let element): add(element, at: path + "[]", choices: choices, &lines)
    case .setting(let inner): add(inner, at: path + " setting", choices: choices, &lines)
    case .depending(let pick):
      guard choices < 2 else { return lines.append("\(path) depends") }
      // Inside another one, a word and a number are enough.
      for (name, value) in choices == 0 ? probes : Array(probes[1...2]) {
        add(pick(value), at: "\(path)(\(name))", choices: choices + 1, &lines)
      }
    case .word, .text, .identifier, .place, .errorCode, .number, .boolean, .date, .url, .personal, .login, .own,
      .secret:
      lines.append("\(path) \(schema.summary)")
    }
  }
}

extension WireSchema {
  /// The class of a scalar, with the words that it lists.
  fileprivate var summary: String {
    switch self {
    // Put together by hand: the description of an array takes a tenth of the time of all declarations.
    case .word(let words), .place(let words): "\(className) [\(words.sorted().joined(separator: ", "))]"
    case .secret, .text, .identifier, .errorCode, .number, .boolean, .date, .url, .personal, .login, .own, .object,
      .map,
      .array, .setting, .depending:
      className
    }
  }
}

extension Divergence {
  /// The parts of a kind's declarations that differ from when the recording was made; nil if there are none.
  ///
  /// - Parameters:
  ///   - recorded: the digests of the declarations by their parts; none for a recording that has none.
  ///   - kind: the kind of the flow.
  static func ofDeclarations(
    of flow: RecordedFlow, from recorded: [String: String], to kind: any FlowKind.Type, in recording: String
  ) -> Divergence? {
    guard !recorded.isEmpty, !flow.records.isEmpty else { return nil }
    let replayed = KindDeclarations.digests(of: kind)
    let changed = Set(recorded.keys).union(replayed.keys).filter { recorded[$0] != replayed[$0] }.sorted()
    guard let first = changed.first else { return nil }
    let change = recorded[first].flatMap {
      KindDeclarations.change(of: first, of: kind, from: $0, beside: recording)
    }
    func side(_ line: String?, _ digests: [String: String]) -> JSON {
      if change != nil { return line.map(JSON.string) ?? .null }
      return .string(digests[first].map { "digest \($0)" } ?? "nothing")
    }
    let sides = (recorded: side(change?.recorded, recorded), replayed: side(change?.replayed, replayed))
    return Divergence(
      of: "declared", after: 0, of: flow, in: recording,
      changed.allSatisfy { $0.hasPrefix(KindDeclarations.runtimePrefix) }
        ? "the runtime makes something else of fixed inputs: "
        : "the kind \(kind.name) declares something else: ",
      names: changed, recorded: sides.recorded, replayed: sides.replayed, after: change?.words ?? "")
  }
}
