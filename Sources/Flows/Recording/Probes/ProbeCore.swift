// The core of a made-up kind of flow that does everything a flow can do, for the tables of the runtime.

import EventStore

/// A core whose calls each have one effect, and end with the next input.
struct ProbeCore: FlowCore {
  static let kind = "probe"
  static let policy = MaskingPolicy(
    response: .object(["token": .secret("token"), "more": .text]),
    arguments: .object(["url": .url, "password": .secret("password"), "more": .text]),
    settings: .object(["org": .setting(.url), "key": .secret("key")]), headers: ["set-cookie": .secret("cookie")],
    query: ["scope"], paths: ["v1"])
  static let draws: DrawDeclarations = .standard(and: [
    .probeValue: .inline(.object(["key": .secret("drawn"), "more": .text])) { input, _ in
      .success(["key": "drawn-secret-1", "more": .string("drawn for \(input["more"]?.string ?? "nothing")")])
    },
    .probeBare: .inline { _, _ in .success("bare-secret-1") },
    .probeFailure: .inline { _, _ in
      .failure(DrawFailure(.failed, "no https://a.example/?code=tok12345678 of Correct-Horse-7"))
    },
    .probeAsked: .awaited(.object(["more": .text])),
    .probeSeen: .awaited(.object(["more": .text])) { input, _ in
      .success(["more": .string("\(input["url"]?.string ?? "-") \(input["password"]?.string?.utf8.count ?? 0)")])
    },
    .probeHeld: .awaited { _, _ in
      // Ends only if it is stopped.
      let (never, open) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      withExtendedLifetime(open) {}
      return .failure(DrawFailure(.cancelled, "stopped"))
    },
  ])

  private(set) var openCalls: Set<Int> = []
  private(set) var awaitedTimers: Set<Int> = []
  private(set) var snapshotRevision: Int?
  private var retried: [Int: Int] = [:]
  private var asking: [Int: Int] = [:]

  var isOpen: Bool { !openCalls.isEmpty }

  func call(retriedBy timer: Int) -> Int? { retried[timer] }

  func awaits(draw revision: Int) -> Bool { asking[revision].map(openCalls.contains) ?? false }

  mutating func fold(_ record: FlowRecord) {
    switch record.event {
    case .callMade(let made):
      if made.call != CallMade.giveUp && made.call != CallMade.release { openCalls.insert(record.revision) }
    case .callReturned(let returned):
      openCalls.remove(returned.call)
      snapshotRevision = record.revision
    case .timerSet(let timer):
      awaitedTimers.insert(record.revision)
      if timer.purpose == "retry" { retried[record.revision] = record.cause }
    case .timerFired: if let timer = record.cause { awaitedTimers.remove(timer) }
    case .drawAsked: asking[record.revision] = record.cause
    case .flowStarted, .flowEnded, .noteAdded, .requestSent, .responseReceived, .requestFailed, .drawMade, .domain:
      break
    }
  }

  func decide(_ input: FlowRecord, on snapshot: ProbeCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made): decide(made, input.revision, draws)
    case .responseReceived, .requestFailed, .drawMade, .timerFired:
      openCalls.min().map { [FlowEvent.callReturned(CallReturned(call: $0, outcome: .status))] } ?? []
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: []
    }
  }

  private func decide(_ made: CallMade, _ call: Int, _ draws: Draws) -> [FlowEvent] {
    switch made.call {
    case CallMade.giveUp:
      guard let ended = made.arguments["call"]?.int else { return [] }
      return [.callReturned(CallReturned(call: ended, outcome: .cancelled))]
    case CallMade.release:
      let ends = openCalls.sorted().map { FlowEvent.callReturned(CallReturned(call: $0, outcome: .cancelled)) }
      return ends + [.flowEnded(FlowEnded(outcome: "released"))]
    case "send":
      let agent = draws(.userAgent).string ?? ""
      let drawn = draws(.probeValue, .members([("more", made.arguments["more"])]))
      let body = JSON.members([("password", made.arguments["password"]), ("drawn", drawn["key"])])
      return [
        .requestSent(
          RequestSent(
            method: "POST", url: made.arguments["url"]?.string ?? "", headers: [HTTPField("User-Agent", agent)],
            body: body))
      ]
    case "draw":
      let reason = if case .failure(let failure) = draws.attempt(.probeFailure) { failure.reason.rawValue } else { "" }
      let bare = draws(.probeBare).string ?? ""
      let missing = draws(.probeAsked).text
      let details = JSON.members([("reason", .string(reason)), ("bare", .string(bare)), ("missing", .string(missing))])
      return [.callReturned(CallReturned(call: call, outcome: .failed(code: "drawn", details: details)))]
    case "ask":
      let input = JSON.members([("call", .int(call)), ("more", made.arguments["more"])])
      return [.drawAsked(DrawAsked(kind: .probeAsked, input: input))]
    case "look":
      let input = JSON.members([
        ("call", .int(call)), ("url", made.arguments["url"]), ("password", made.arguments["password"]),
      ])
      return [.drawAsked(DrawAsked(kind: .probeSeen, input: input))]
    case "hold": return [.drawAsked(DrawAsked(kind: .probeHeld, input: ["call": .int(call)]))]
    case "tell":
      let told = DomainEvent(type: "probe.told", data: ["more": "told"], needsBarrier: true, audience: call)
      return [.domain(told), .callReturned(CallReturned(call: call, outcome: .done))]
    default: return [.timerSet(TimerSet(milliseconds: 5_000, purpose: made.call))]
    }
  }
}

extension DrawKind {
  fileprivate static let probeValue = DrawKind(rawValue: "probe.value")
  fileprivate static let probeBare = DrawKind(rawValue: "probe.bare")
  fileprivate static let probeFailure = DrawKind(rawValue: "probe.failure")
  fileprivate static let probeAsked = DrawKind(rawValue: "probe.asked")
  fileprivate static let probeSeen = DrawKind(rawValue: "probe.seen")
  fileprivate static let probeHeld = DrawKind(rawValue: "probe.held")
}
