public import EventStore
public import FlowRecording

/// An input of a table of decisions.
public struct StageInput<Core: FlowCore>: Sendable {
  /// Its name in the table.
  public let name: String
  /// Feeds it to a stage, and returns what is decided.
  public let feed: @Sendable (inout CoreStage<Core>) -> [FlowEvent]

  /// Makes an input.
  public init(_ name: String, feed: @escaping @Sendable (inout CoreStage<Core>) -> [FlowEvent]) {
    self.name = name
    self.feed = feed
  }

  /// A call on the object of the state that the stage is in.
  public static func call(_ name: String, _ arguments: JSON = [:], _ remark: String = "") -> StageInput {
    StageInput("call \(name)\(remark)") { stage in
      let core = stage.core
      return stage.take(
        .callMade(CallMade(call: name, arguments: arguments, on: core.snapshotRevision)),
        on: core.snapshotRevision == nil ? nil : core)
    }
  }

  /// What comes back for the latest request.
  public static func reply(_ name: String, _ event: FlowEvent) -> StageInput {
    StageInput("answer \(name)") { stage in stage.take(event, cause: stage.last(RequestSent.type)) }
  }

  /// The inputs that may reach a flow of any kind, and events that are none.
  public static var ofAnyKind: [StageInput] {
    let request = RequestSent(method: "GET", url: "x", headers: [], body: nil)
    return [
      call("no such call"),
      StageInput("give the last call up") { stage in
        let call = stage.last(CallMade.type) ?? 99
        return stage.take(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])))
      },
      StageInput("release") { $0.take(.callMade(CallMade(call: CallMade.release, arguments: [:]))) },
      reply("500", .answer([:], status: 500)), reply("429", .answer([:], status: 429)),
      reply("429, wait 7 s", .answer([:], status: 429, headers: [HTTPField("Retry-After", "7")])),
      reply("that is no object", .answer([1])),
      reply("lost", .requestFailed(RequestFailed(TransportError(.connectionLost, "lost")))),
      reply("past the limit", .requestFailed(RequestFailed(TransportError(.limitReached, "limit")))),
      StageInput("answer to no request") { $0.take(.answer([:]), cause: 0) },
      StageInput("timer") { $0.take(.timerFired(TimerFired()), cause: $0.last(TimerSet.type)) },
      StageInput("timer of another time") { $0.take(.timerFired(TimerFired()), cause: 0) },
      StageInput("note") { $0.take(.noteAdded(NoteAdded(text: "seen"))) },
      StageInput("a draw that nothing asked for") {
        $0.take(.drawMade(DrawMade(kind: .uuid, ordinal: 9, result: .success("u"))), cause: 0)
      },
      StageInput("an output: request.sent") { $0.take(.requestSent(request)) },
      StageInput("an output: timer.set") { $0.take(.timerSet(TimerSet(milliseconds: 1, purpose: "poll"))) },
      StageInput("an output: call.returned") { $0.take(.callReturned(CallReturned(call: 1, outcome: .done))) },
      StageInput("an output: flow.ended") { $0.take(.flowEnded(FlowEnded(outcome: "success"))) },
      StageInput("an event that this version does not know") {
        $0.take(.domain(DomainEvent(type: "of.tomorrow", version: 2, data: [:])))
      },
    ]
  }
}

extension FlowEvent {
  /// An answer of a server.
  public static func answer(_ body: JSON, status: Int = 200, headers: [HTTPField] = []) -> FlowEvent {
    .responseReceived(ResponseReceived(status: status, headers: headers, body: .json(body)))
  }
}
