// How events make the state.

package import FlowRecording
import EventStore

extension IDXCore {
  /// What a timer is for: the next poll, or a request again after a rate limit.
  static let polling = "poll"
  static let retry = "retry"

  package mutating func fold(_ record: FlowRecord) {
    ledger.advance(to: record.at)
    switch record.event {
    case .flowStarted(let started): fold(settings: started.settings)
    case .flowEnded(let ended): ledger.end(ended)
    case .callMade(let made): fold(made, record)
    case .callReturned(let returned): fold(returned)
    case .requestSent(let request): fold(request, record)
    case .responseReceived(let response): fold(response, record)
    case .requestFailed(let failed):
      ledger.fail(failed, record)
      pollIsAnswered(record)
    case .timerSet(let timer): fold(timer, record)
    case .timerFired:
      if let cause = record.cause, let request = retries.removeValue(forKey: cause) {
        due = Due(revision: record.revision, request: request)
      }
    case .drawMade(let draw): fold(draw)
    case .domain(let event): fold(event, record)
    case .noteAdded, .drawAsked: break
    }
  }

  private mutating func fold(_ event: DomainEvent, _ record: FlowRecord) {
    switch IDXEvent(event) {
    case .remediationChanged:
      current = Snapshot(revision: record.revision, body: ledger.answer?.json ?? [:])
      poll?.answer = nil
    case .tokenIssued(let issued): token = issued
    case .messageShown, nil: break
    }
  }

  private mutating func fold(settings json: JSON) {
    settings = Settings(
      issuer: json["issuer"]?.string ?? "", clientID: json["clientId"]?.string ?? "",
      scope: json["scope"]?.string ?? "", redirectURI: json["redirectUri"]?.string ?? "",
      clientSecret: json["clientSecret"]?.string, parameters: json["parameters"]?.object?.members ?? [],
      usesExtendedUserAgent: json["userAgentHeader"]?.bool ?? false)
    links = LinkRule(home: settings.issuer, origins: json["origins"]?.array?.compactMap(\.string))
    deviceToken = json["deviceToken"]?.string
  }

  private mutating func fold(_ made: CallMade, _ record: FlowRecord) {
    guard !made.isControl else { return }
    let kind = IDXCall(rawValue: made.call)
    ledger.calls[record.revision] = Call(
      name: made.call, form: made.arguments["name"]?.string,
      filled: (made.arguments["fields"]?.array ?? []).compactMap { $0["value"] == .null ? nil : $0["name"]?.string },
      interactionCode: made.arguments["interaction_code"]?.string,
      source: kind == .startPolling ? Poll.Source(made.arguments) : nil)
    switch kind {
    case .start:
      forget()
      // The cookie of an old transaction must not go into a new one (§1).
      if let origin = URLParts(settings.issuer)?.origin { ledger.cookies.remove("idx", of: origin) }
      phase = .starting(Context(state: made.arguments["state"]?.string), call: record.revision)
      omitsDeviceToken = made.arguments["omitDeviceToken"]?.bool ?? false
    case .restore:
      forget()
      let context = Context(
        interactionHandle: made.arguments["interaction_handle"]?.string, state: made.arguments["state"]?.string,
        verifier: made.arguments["code_verifier"]?.string, challenge: made.arguments["code_challenge"]?.string)
      phase = .begun(context, start: nil)
    case .reset: forget()
    case .resume, .proceed, .startPolling, .stopPolling, .exchangeCode, .exchangeRedirect, nil: break
    }
  }

  /// Drops what belongs to one sign-in; answered responses stay, for objects that the application holds.
  private mutating func forget() {
    phase = .resting
    poll = nil
    retries = [:]
    due = nil
  }

  private mutating func fold(_ returned: CallReturned) {
    let call = ledger.close(returned)
    if poll?.call == returned.call { poll = nil }
    retries = retries.filter { $0.value.call != returned.call }
    switch returned.outcome {
    case .status, .done:
      // Tokens end the sign-in (§11.2).
      if call?.kind?.isExchange == true { forget() }
    case .failed: break
    // A start that was given up leaves nothing; one that another start took over leaves what is the other's.
    case .cancelled: if start == returned.call { forget() }
    }
    guard start == returned.call else { return }
    // What interact has brought stays, so that the sign-in can be resumed.
    phase = context.map { .begun($0, start: nil) } ?? .resting
  }

  /// The `start` that has not returned yet.
  var start: Int? {
    switch phase {
    case .resting: nil
    case .starting(_, let call): call
    case .begun(_, let call): call
    }
  }

  private mutating func fold(_ sent: RequestSent, _ record: FlowRecord) {
    if let due, due.revision == record.cause {
      var sending = due.request.tag
      sending.retries += 1
      self.due = nil
      ledger.send(sending.sent, at: record.revision, for: due.request.call, sending)
      if poll?.call == due.request.call { poll?.step = .requesting(record.revision) }
      return
    }
    let call = record.cause.flatMap { ledger.calls[$0] != nil ? $0 : requestedBy($0) }
    let purpose: Purpose = call.map { self.purpose(of: sent, $0) } ?? .remediation
    ledger.send(sent, at: record.revision, for: call, Sending(purpose: purpose, sent: sent))
    if let call, poll?.call == call { poll?.step = .requesting(record.revision) }
  }

  /// The call that an input belongs to which is no call: the answer just taken, or the poll's timer.
  private func requestedBy(_ cause: Int) -> Int? {
    if ledger.latest?.revision == cause { return ledger.latest?.request?.call }
    return poll?.call
  }

  private func purpose(of sent: RequestSent, _ call: Int) -> Purpose {
    switch sent.url {
    case interactURL: .interact
    case introspectURL: .introspect
    case discoveryURL: .discovery
    default: ledger.calls[call]?.kind?.isExchange == true ? .token : .remediation
    }
  }

  private mutating func fold(_ response: ResponseReceived, _ record: FlowRecord) {
    let request = ledger.receive(response, record)
    pollIsAnswered(record)
    guard let request, request.tag.purpose == .interact, ledger.calls[request.call] != nil,
      (200...299).contains(response.status), let handle = response.json?["interaction_handle"]?.string,
      case .starting(var context, let call) = phase
    else { return }
    context.interactionHandle = handle
    phase = .begun(context, start: call)
  }

  private mutating func pollIsAnswered(_ record: FlowRecord) {
    if let request = poll?.request, request == record.cause { poll?.step = .answered }
  }

  private mutating func fold(_ timer: TimerSet, _ record: FlowRecord) {
    if let cause = record.cause, let source = ledger.calls[cause]?.source {
      poll = Poll(call: cause, source: source, step: .waiting(timer: record.revision), since: record.at)
      return
    }
    guard record.cause == ledger.latest?.revision, case (_, _, var request)? = ledger.answered else { return }
    if timer.purpose == Self.retry {
      request.tag.firstID = request.tag.firstID ?? ledger.answer?.header("x-okta-request-id")
      request.tag.waited += timer.milliseconds
      retries[record.revision] = request
    } else if poll?.call == request.call {
      poll?.step = .waiting(timer: record.revision)
      guard let json = ledger.answer?.json else { return }
      if json["error"] == "slow_down" { poll?.delay += 5000 }
      if ResponseReading(json).isResponse { poll?.answer = json }
    }
  }

  private mutating func fold(_ draw: DrawMade) {
    ledger.take(draw)
    if draw.kind == .deviceToken { deviceToken = draw.value.string }
    guard case .starting(var context, let call) = phase else { return }
    if draw.kind == .state { context.state = draw.value.string }
    if draw.kind == .pkce {
      context.verifier = draw.value["verifier"]?.string
      context.challenge = draw.value["challenge"]?.string
    }
    phase = .starting(context, call: call)
  }
}
