// The state of a sign-in by magic link, and what follows from an input. No I/O, no clock, no random numbers.

import EventStore
public import FlowRecording

/// A sign-in by magic link: the server mails a link, and is asked until the person has opened it.
public struct MagicLinkCore: FlowCore {
  /// The kind's name.
  public static var kind: String { "magiclink" }

  /// What may stand readable in a log; anything else is a secret.
  public static let policy = MaskingPolicy(
    response: .object([
      "link": .identifier, "status": .word(["PENDING", "DONE", "EXPIRED"]), "session": .secret("session"),
    ]),
    arguments: .object(["email": .login]), settings: .object(["server": .setting(.url)]),
    headers: ["date": .date, "set-cookie": .secret("cookie")], query: [], paths: ["links"])

  /// Where the sign-in stands.
  public enum Phase: Sendable, Equatable {
    /// None is under way.
    case resting
    /// The server is asked to send a link.
    case asking
    /// The person is to open this link; the timer of this revision runs until the server is asked again.
    case waiting(link: String, timer: Int?)
    /// The person has opened it.
    case signedIn(session: String)
  }

  /// Calls, requests and the outcome.
  public internal(set) var ledger = Ledger<String, Untagged>()
  /// The server, and where requests may go.
  public internal(set) var links = LinkRule(home: "")
  /// Where the sign-in stands.
  public internal(set) var phase = Phase.resting

  /// The state before the first event.
  public init() {}

  /// No object of this kind holds a state.
  public var snapshotRevision: Int? { nil }
  /// The calls that wait.
  public var openCalls: Set<Int> { Set(ledger.calls.keys) }
  /// Whether something was begun that has not ended.
  public var isOpen: Bool { ledger.isOpen }
  /// The timer of the next poll.
  public var awaitedTimers: Set<Int> {
    if case .waiting(_, let timer?) = phase { [timer] } else { [] }
  }

  // MARK: The fold

  /// Takes an event up into the state.
  public mutating func fold(_ record: FlowRecord) {
    ledger.advance(to: record.at)
    switch record.event {
    case .flowStarted(let started): links.home = started.settings["server"]?.string ?? ""
    case .flowEnded(let ended): ledger.end(ended)
    case .callMade(let made) where made.isControl: break
    case .callMade(let made):
      ledger.calls[record.revision] = made.call
      if made.call == "signIn" { phase = .asking }
    case .callReturned(let returned):
      if ledger.close(returned) == "signIn", returned.outcome != .done { phase = .resting }
    case .requestSent(let request):
      ledger.send(request, at: record.revision, for: openCalls.min(), Untagged())
      if case .waiting(let link, _) = phase { phase = .waiting(link: link, timer: nil) }
    case .responseReceived(let response): ledger.receive(response, record)
    case .requestFailed(let failed): ledger.fail(failed, record)
    case .timerSet: if case .waiting(let link, _) = phase { phase = .waiting(link: link, timer: record.revision) }
    case .drawMade(let draw): ledger.take(draw)
    case .domain(let event):
      switch MagicLinkEvent(event) {
      case .sent(let sent): phase = .waiting(link: sent.link, timer: nil)
      case .followed(let followed): phase = .signedIn(session: followed.session)
      case nil: break
      }
    case .noteAdded, .drawAsked, .timerFired: break
    }
  }

  // MARK: The decisions

  /// What follows from an input.
  public func decide(_ input: FlowRecord, on snapshot: MagicLinkCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made) where made.call == CallMade.giveUp: ledger.givingUp(made)
    case .callMade(let made) where made.call == CallMade.release: ledger.releasing(as: ledger.outcomeOfRelease)
    case .callMade(let made): called(made, input.revision, draws)
    case .responseReceived(let response): received(response)
    case .requestFailed(let failed): refused(Refusal("noAnswer", ["text": .string(failed.detail)]))
    case .timerFired: fired(input, draws)
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .drawMade, .timerSet, .domain:
      []
    }
  }

  private func called(_ made: CallMade, _ call: Int, _ draws: Draws) -> [FlowEvent] {
    let others = ledger.cancelling(ledger.calls.keys.filter { $0 != call })
    guard made.call == "signIn" else { return [Refusal("unknownCall").ending(call)] }
    return others + [request("POST", "/links", ["email": made.arguments["email"] ?? .null], draws)]
  }

  private func received(_ response: ResponseReceived) -> [FlowEvent] {
    // An answer to a call that is over changes nothing.
    guard let (call, _, _) = ledger.answered else { return [] }
    guard (200...299).contains(response.status), case .json(let body) = response.body else {
      return refused(Refusal("serverError", ["httpStatus": .int(response.status)]))
    }
    switch (body["status"]?.string, body["link"]?.string, body["session"]?.string) {
    case ("DONE", _, let session?):
      return [
        .domain(LinkFollowed(session: session)), .callReturned(CallReturned(call: call, outcome: .done)),
        .flowEnded(FlowEnded(outcome: "success")),
      ]
    case ("PENDING", let link?, _):
      // The first answer names the link; each later one says that it waits.
      let news: [FlowEvent] = if case .waiting = phase { [] } else { [.domain(LinkSent(link: link))] }
      return news + [.timerSet(TimerSet(milliseconds: 2_000, purpose: "poll"))]
    case ("EXPIRED", _, _): return refused(Refusal("expired"))
    default: return refused(Refusal("unreadable"))
    }
  }

  private func fired(_ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard case .waiting(let link, let timer?) = phase, timer == input.cause, !openCalls.isEmpty else { return [] }
    return [request("GET", "/links/\(link)", nil, draws)]
  }

  private func refused(_ refusal: Refusal) -> [FlowEvent] {
    guard let (call, _, _) = ledger.answered else { return [] }
    return [refusal.ending(call), .flowEnded(FlowEnded(outcome: "failed"))]
  }

  private func request(_ method: String, _ path: String, _ body: JSON?, _ draws: Draws) -> FlowEvent {
    let agent = ledger.userAgent ?? draws(.userAgent).string ?? ""
    return RequestPlan(
      method: method, url: links.home + path, accept: "application/json",
      contentType: body == nil ? nil : "application/json", body: body
    ).sent(client: HTTPField("User-Agent", agent), cookie: nil, by: links)
  }
}
