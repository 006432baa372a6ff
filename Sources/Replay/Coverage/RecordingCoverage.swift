// What recordings cover of the kinds of flow, and what they do not.

public import EventStore
public import FlowKinds
public import FlowRecording

/// What recordings reach of what their kinds declare: statuses and other closed vocabularies, calls, draws, events,
/// links, fields, answers and errors.
public struct RecordingCoverage: Sendable {
  /// One subject of a kind.
  public struct Part: Sendable, Equatable {
    /// The subject: `status`, `calls`, `fields`.
    public var name: String
    /// The names that were reached, and in how many events. What the kind does not declare is not among them, unless it
    /// is a subject without a closed list.
    public var reached: [String: Int]
    /// What the kind declares and no recording reaches; empty for a subject without a closed list.
    public var missing: [String]
  }

  /// How many recordings there were.
  public private(set) var recordings = 0
  /// How many flows.
  public private(set) var flows: [String: Int] = [:]
  private var seen: [String: [String: [String: Int]]] = [:]
  private let kinds: KindRegistry

  /// Coverage without recordings.
  public init(kinds: KindRegistry = .standard) { self.kinds = kinds }

  /// Adds what a recording reaches.
  public mutating func add(_ recording: Recording) {
    recordings += 1
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records) else { continue }
      flows[kind.name, default: 0] += 1
      for status in Set(FlowStatuses.of(flow, kinds: kinds)) { count(kind.name, "statuses", status) }
      for record in flow.records {
        for (part, value) in kind.reached(by: record.event) { count(kind.name, part, value) }
      }
    }
  }

  private mutating func count(_ kind: String, _ part: String, _ value: String) {
    seen[kind, default: [:]][part, default: [:]][value, default: 0] += 1
  }

  /// The subjects of a kind, in order; none for an unknown kind.
  public func parts(of kind: String) -> [Part] {
    guard let declared = kinds[kind]?.coverable else { return [] }
    let seen = seen[kind] ?? [:]
    let open = ["statuses", "answers", "errors", "errorCodes"].filter { declared[$0] == nil }
    return (Array(declared.keys) + open).sorted().compactMap { name in
      let words = declared[name]
      let reached = (seen[name] ?? [:]).filter { words?.contains($0.key) ?? true }
      let missing = (words ?? []).subtracting(reached.keys).sorted()
      return reached.isEmpty && missing.isEmpty ? nil : Part(name: name, reached: reached, missing: missing)
    }
  }

  /// The members of `auditctl coverage --json`.
  public var json: JSON {
    [
      "recordings": .int(recordings), "flows": .int(flows.values.reduce(0, +)),
      "kinds": .array(
        kinds.all.map { kind in
          let parts: [(String, JSON?)] = parts(of: kind.name).map { part in
            (
              part.name,
              [
                "reached": .members(part.reached.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) }),
                "missing": .array(part.missing.map(JSON.string)),
                "of": .int(part.reached.count + part.missing.count),
              ]
            )
          }
          return [
            "kind": .string(kind.name), "flows": .int(flows[kind.name] ?? 0), "parts": .members(parts),
          ]
        }),
    ]
  }
}

extension FlowKind {
  /// What a kind declares, by subject.
  fileprivate static var coverable: [String: Set<String>] {
    var parts: [String: Set<String>] = [
      "calls": Set(calls), "draws": Set(Core.draws.keys.map(\.rawValue)),
      "events": Set(declarations.map(\.type)).union(FlowEvent.runtimeTypes),
      "failures": Set(TransportError.Code.allCases.map(\.rawValue)),
    ]
    DeclaredPlaces.forEach(in: policy.response) { path, schema in
      parts["fields", default: []].insert(path.joined(separator: "."))
      if let link = CoverageNames.link(path) { parts["links", default: []].insert(link) }
      if case .word(let words) = schema { parts[CoverageNames.part(path), default: []].formUnion(words) }
    }
    return parts
  }

  /// What an event reaches, with its subject.
  fileprivate static func reached(by event: FlowEvent) -> [(part: String, value: String)] {
    var found = [(part: "events", value: event.type)]
    switch event {
    case .callMade(let made): found.append(("calls", made.call))
    case .drawMade(let draw): found.append(("draws", draw.kind.rawValue))
    case .requestFailed(let failed): found.append(("failures", failed.code))
    case .callReturned(let returned):
      if case .failed(let code, _) = returned.outcome { found.append(("errors", code)) }
    case .responseReceived(let response):
      found.append(("answers", String(response.status)))
      if case .json(let body) = response.body { found += reached(by: body) }
    case .flowStarted, .flowEnded, .noteAdded, .requestSent, .drawAsked, .timerSet, .timerFired, .domain: break
    }
    return found
  }

  private static func reached(by body: JSON) -> [(part: String, value: String)] {
    var found: [(part: String, value: String)] = []
    _ = policy.response.mapValues(of: body) { schema, path, value in
      if case .null = value { return value }
      if case .secret("undeclared") = schema { return value }
      guard !DeclaredPlaces.repeats(path) else { return value }
      found.append(("fields", path.joined(separator: ".")))
      if let link = CoverageNames.link(path) { found.append(("links", link)) }
      if case .word = schema, let word = value.string { found.append((CoverageNames.part(path), word)) }
      if let text = value.string, path.last == "errorCode" || path == ["error"] { found.append(("errorCodes", text)) }
      return value
    }
    return found
  }
}

enum CoverageNames {
  /// The subject of a closed vocabulary: the member that has its words, `remediation.name` for one called `name`.
  static func part(_ path: [String]) -> String {
    let names = path.filter { $0 != "value" && $0 != "_embedded" }
    guard let last = names.last else { return "words" }
    let isCommon = ["name", "type", "method", "class", "status", "key", "id"].contains(last)
    guard isCommon, names.count > 1 else { return last }
    return "\(names[names.count - 2]).\(last)"
  }

  /// The name of a link that a place belongs to; `nil` for a place that belongs to none.
  static func link(_ path: [String]) -> String? {
    guard let index = path.lastIndex(of: "_links"), index + 1 < path.count else { return nil }
    return path[index + 1]
  }
}
