// What a kind of flow is without declarations of its own, and how streams are read for registered kinds.

import EventStore

/// A kind that declares only what it must.
private enum LeastKind: FlowKind {
  typealias Core = ProbeCore

  static func state(of core: ProbeCore) -> JSON { ["open": .int(core.openCalls.count)] }
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {}
}

/// A kind of the same name with an event.
private enum TellingKind: FlowKind {
  typealias Core = ProbeCore

  static var declarations: [EventDeclaration] { [EventDeclaration("probe.told", required: ["more"])] }
  static func state(of core: ProbeCore) -> JSON { ["telling": .int(core.openCalls.count)] }
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {}
}

extension RuntimeTables {
  static var kinds: [String] { least + registered + long }

  private static let beginning = FlowEvent.flowStarted(FlowStarted(kind: "probe", sdk: "s/1", settings: [:]))

  private static let telling: [FlowEvent] = [
    beginning, .callMade(CallMade(call: "tell", arguments: [:])),
    .domain(DomainEvent(type: "probe.told", version: 1, data: ["more": "m"])),
    .domain(DomainEvent(type: "probe.told", version: 2, data: [:])),
    .callMade(CallMade(call: "hold", arguments: [:])), .callReturned(CallReturned(call: 1, outcome: .done)),
  ]

  private static func records(_ events: [FlowEvent]) -> [FlowRecord] {
    events.enumerated().map { number, event in
      FlowRecord(revision: number, at: Timestamp(microseconds: 0), cause: nil, event: event)
    }
  }

  /// Records as a log holds them.
  private static func stored(
    _ all: [(type: String, version: Int, data: [UInt8])]
  ) throws(StoreError) -> [StoredRecord] {
    var stored: [StoredRecord] = []
    for (type, version, data) in all {
      let new = NewRecord(
        at: Timestamp(microseconds: 0), stream: "probe/1", type: type, version: version, data: data)
      let place = stored.count
      stored.append(try StoredRecord(new, position: UInt64(place), revision: place, cause: nil))
    }
    return stored
  }

  private static func encoded(_ event: FlowEvent) -> (type: String, version: Int, data: [UInt8]) {
    (event.type, event.version, EventCoding.encode(event).data)
  }

  /// The defaults of a kind, and of its words.
  private static var least: [String] {
    let core = ProbeCore.folding(records(telling))
    let made = CallMade(call: "tell", arguments: [:])
    var narrator = LeastKind.Narrator()
    let event = DomainEvent(type: "probe.told", version: 1, data: [:])
    let words = [
      narrator.status, narrator.words(for: event, at: 1)?.text ?? "-", narrator.words(for: made)?.words ?? "-",
      narrator.words(forArgument: "more", "m") ?? "-", narrator.words(forAnswer: ["more": "m"]) ?? "-",
    ]
    let counts = [
      LeastKind.events.count, LeastKind.declarations.count, LeastKind.calls.count, LeastKind.tables.count,
      LeastKind.pushes(in: records(telling)).count,
    ]
    let isDue = LeastKind.isDue(made, in: core, on: core, as: core)
    let states = [
      LeastKind.state(folding: records(telling)).text, LeastKind.state(folding: records([])).text,
      TellingKind.state(folding: records(Array(telling.prefix(2)))).text,
    ]
    return [line("least \(LeastKind.name)", "\(counts) \(isDue) \(words) \(states)")]
  }

  /// The kind that a registry finds, and the streams that it accepts.
  private static var registered: [String] {
    let registries = [
      KindRegistry(), KindRegistry([LeastKind.self]), KindRegistry([LeastKind.self]).adding(TellingKind.self),
      KindRegistry([TellingKind.self, LeastKind.self]), KindRegistry([LeastKind.self, TellingKind.self]),
    ]
    let odd: [FlowEvent] = [.domain(DomainEvent(type: "probe.told", version: 1, data: ["less": 1]))]
    let other = FlowEvent.flowStarted(FlowStarted(kind: "other", sdk: "s", settings: [:]))
    let flows: [[FlowEvent]] = [telling, telling + odd, odd + [beginning], [beginning] + odd, [], [other] + odd]
    return registries.enumerated().flatMap { number, registry -> [String] in
      let found = ["probe", "other", ""].map { registry[$0]?.declarations.count ?? -1 }
      let names = registry.all.map { "\($0.name) \($0.declarations.map(\.type))" }
      return [line("registry \(number)", "\(names) \(found)")]
        + flows.enumerated().map { place, flow in
          let kind = registry.kind(of: records(flow))?.declarations.count ?? -1
          return line("registry \(number) \(place)", "\(kind) \(read(flow.map(encoded), by: registry))")
        }
    }
  }

  private static func read(
    _ all: [(type: String, version: Int, data: [UInt8])], by registry: KindRegistry
  ) -> String {
    guard let found = try? stored(all) else { return "no records" }
    do throws(StreamError) {
      let flow = try registry.decode(found)
      return "\(flow.count) \(flow.last?.event.type ?? "-") \(flow.last?.event.data.text ?? "-")"
    } catch {
      return error.description
    }
  }

  /// Streams that are long enough to be read as a series, with one odd record in them or at their end.
  private static var long: [String] {
    let odd: [(type: String, data: String)] = [
      (NoteAdded.type, #"{"text":"other"}"#), (NoteAdded.type, #"{"text":}"#), (NoteAdded.type, #"{"txt":"a"}"#),
      (NoteAdded.type, #"{"parts":0}"#), (NoteAdded.type, #"{"parts":1}"#), (NoteAdded.type, #"{"parts":256}"#),
      (NoteAdded.type, #"{"parts":257}"#), (NoteAdded.type, #"{"parts":-1}"#), (NoteAdded.type, #"{"parts":1,"a":2}"#),
      (EventCoding.partType, #"{"text":"{}"}"#), (CallMade.type, #"{"call":5}"#), ("other.event", #"{"a":[}"#),
    ]
    var lines = [line("twice", StreamError.repeated(3, in: "probe/1"))]
    for count in [1, 100, 130] {
      for (number, record) in odd.enumerated() {
        for place in [count, count - 1] {
          var all = (0..<count).map { encoded(.noteAdded(NoteAdded(text: "note \($0)"))) }
          all.insert((record.type, 1, Array(record.data.utf8)), at: place)
          lines.append(line("long \(count) \(number) \(place)", read(all, by: KindRegistry())))
        }
      }
    }
    return lines
  }
}
