// Folds events into the state.

package import FlowRecording
import EventStore
import OIDC

extension IDXCore {
  /// The purposes of timers: the next poll, or sending a request again after a rate limit.
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
      if let cause = record.cause { earlier.remove(cause) }
      pollIsAnswered(record)
    case .timerSet(let timer): fold(timer, record)
    case .timerFired:
      if let cause = record.cause, let request = retries.removeValue(forKey: cause) {
        due = Due(revision: record.revision, request: request)
      }
    case .drawAsked(let draw): if draw.kind == .oidcValidate { check?.asked = record.revision }
    case .drawMade(let draw): fold(draw, record)
    case .domain(let event): fold(event, record)
    case .noteAdded: break
    }
  }

  private mutating func fold(_ event: DomainEvent, _ record: FlowRecord) {
    switch IDXEvent(event) {
    case .remediationChanged:
      current = Snapshot(revision: record.revision, body: ledger.answer?.json ?? [:])
      poll?.answer = nil
    case .tokenIssued(let issued): token = issued
    case .messageShown, .tokenRefused, nil: break
    }
  }

  private mutating func fold(settings json: JSON) {
    settings = Settings(
      issuer: json["issuer"]?.string ?? "", clientID: json["clientId"]?.string ?? "",
      scope: json["scope"]?.string ?? "", redirectURI: json["redirectUri"]?.string ?? "",
      clientSecret: json["clientSecret"]?.string, parameters: json["parameters"]?.object?.members ?? [],
      usesExtendedUserAgent: json["userAgentHeader"]?.bool ?? false, idToken: json["idToken"].map(IDTokenTerms.init))
    links = LinkRule(home: settings.issuer, origins: json["origins"]?.array?.compactMap(\.string))
    deviceToken = json["deviceToken"]?.string
  }

  private mutating func fold(_ made: CallMade, _ record: FlowRecord) {
    guard !made.isControl else { return }
    let kind = IDXCall(rawValue: made.call)
    ledger.calls[record.revision] = Call(
      name: made.call, form: made.arguments["name"]?.string,
      filled: (made.arguments["fields"]?.array ?? []).compactMap { $0["value"] == .null ? nil : $0["name"]?.string },
      interactionCode: made.arguments["interaction_code"]?.string, exchanged: IDTokenCheckUp.Exchanged(made),
      source: kind == .startPolling ? Poll.Source(made.arguments) : nil)
    // The code has been used; the next exchange of it continues from what is already known.
    if let check, check.call == nil, check.exchanged == IDTokenCheckUp.Exchanged(made) {
      self.check?.call = record.revision
    }
    switch kind {
    case .start:
      forgetTransaction()
      let context = Context(
        state: made.arguments["state"]?.string, nonce: interactOption("nonce", made.arguments)?.string,
        maxAge: Self.seconds(interactOption("max_age", made.arguments)))
      phase = .starting(context, call: record.revision)
      omitsDeviceToken = made.arguments["omitDeviceToken"]?.bool ?? false
    case .restore:
      forgetTransaction()
      let context = Context(
        interactionHandle: made.arguments["interaction_handle"]?.string, state: made.arguments["state"]?.string,
        verifier: made.arguments["code_verifier"]?.string, challenge: made.arguments["code_challenge"]?.string,
        nonce: made.arguments["nonce"]?.string, maxAge: Self.seconds(made.arguments["max_age"]))
      phase = .begun(context, start: nil)
    case .reset: forget()
    case .resume, .proceed, .startPolling, .stopPolling, .exchangeCode, .exchangeRedirect, nil: break
    }
  }

  /// The value of an interact option: the arguments of `start` take precedence over the configuration.
  private func interactOption(_ name: String, _ arguments: JSON) -> JSON? {
    arguments[name] ?? arguments["parameters"]?[name] ?? settings.parameters.first { $0.key == name }?.value
  }

  /// A number of seconds, which an application may pass as text.
  private static func seconds(_ json: JSON?) -> Int? { json?.int ?? json?.string.flatMap { Int($0) } }

  /// Removes everything that belongs to one sign-in, except responses, which objects of the application may still use.
  private mutating func forget(isGivenUp: Bool = false) {
    phase = .resting
    poll = nil
    retries = [:]
    due = nil
    check = nil
    self.isGivenUp = isGivenUp
  }

  /// Also removes the org's state: the cookie of an old transaction must not be sent in a new one (§1).
  private mutating func forgetTransaction() {
    forget()
    if let origin = URLParts(settings.issuer)?.comparableOrigin { ledger.cookies.remove("idx", of: origin) }
    earlier.formUnion(ledger.requests.keys)
  }

  private mutating func fold(_ returned: CallReturned) {
    let call = ledger.close(returned)
    if poll?.call == returned.call { poll = nil }
    retries = retries.filter { $0.value.call != returned.call }
    if check?.call == returned.call { check?.rest() }
    switch returned.outcome {
    case .status, .done:
      // Receiving tokens ends the sign-in (§11.2).
      if call?.kind?.isExchange == true { forget() }
    // The code has been used, and its tokens cannot be returned.
    case .failed(let code, _): if code == Refusal.idTokenRefused { forget() }
    // A cancelled `start` leaves no state. If another `start` replaced it, the state belongs to the other one.
    case .cancelled: if start == returned.call { forget(isGivenUp: true) }
    }
    guard start == returned.call else { return }
    // The result of interact is kept so that the sign-in can be resumed.
    phase = context.map { .begun($0, start: nil) } ?? .resting
  }

  /// The revision of the `start` that has not returned yet.
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

  /// The call behind an input that is not a call: the response just received, or the poll's timer.
  private func requestedBy(_ cause: Int) -> Int? {
    if ledger.latest?.revision == cause { return ledger.latest?.request?.call }
    return poll?.call
  }

  private func purpose(of sent: RequestSent, _ call: Int) -> Purpose {
    if let check, check.call == call {
      return metadata == nil && check.known?["document"] == nil ? .discovery : .keys
    }
    switch sent.url {
    case interactURL: return .interact
    case introspectURL: return .introspect
    case discoveryURL: return .discovery
    default: return ledger.calls[call]?.kind?.isExchange == true ? .token : .remediation
    }
  }

  private mutating func fold(_ response: ResponseReceived, _ record: FlowRecord) {
    let isEarlier = record.cause.map { earlier.remove($0) != nil } ?? false
    let request = ledger.receive(response, record, home: settings.issuer, ignoring: isEarlier ? "idx" : nil)
    pollIsAnswered(record)
    if settings.idToken != nil, let request, ledger.calls[request.call] != nil { learn(response, request) }
    guard let request, request.tag.purpose == .interact, ledger.calls[request.call] != nil,
      (200...299).contains(response.status), let handle = response.json?["interaction_handle"]?.string,
      case .starting(var context, let call) = phase
    else { return }
    context.interactionHandle = handle
    phase = .begun(context, start: call)
  }

  /// Stores the parts of a response that the ID token check needs.
  private mutating func learn(_ response: ResponseReceived, _ request: Request) {
    guard (200...299).contains(response.status), let json = response.json else { return }
    switch request.tag.purpose {
    case .discovery: if isOfIssuer(json) { metadata = json }
    case .token:
      guard case .issued = TokenReading(json, scope: settings.scope), IDTokenCheckUp.idToken(in: json) != nil,
        let exchanged = ledger.calls[request.call]?.exchanged
      else { return }
      check = IDTokenCheckUp(json, of: exchanged, call: request.call)
    case .keys:
      guard json["keys"]?.array != nil else { return }
      check?.fetched = json
      check?.maxAge = CacheControl.maxAge(response.header("cache-control"))
    case .interact, .introspect, .remediation: break
    }
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
      request.tag.waited += timer.duration
      retries[record.revision] = request
    } else if poll?.call == request.call {
      poll?.step = .waiting(timer: record.revision)
      guard let json = ledger.answer?.json else { return }
      if json["error"] == "slow_down" { poll?.delay += 5000 }
      if ResponseReading(json).isResponse { poll?.answer = json }
    }
  }

  private mutating func fold(_ draw: DrawMade, _ record: FlowRecord) {
    ledger.take(draw)
    check?.take(draw, cause: record.cause)
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

extension IDXCore.IDTokenTerms {
  /// Reads the terms from the data of `flow.started`.
  init(_ json: JSON) {
    algorithms = json["algorithms"]?.array?.compactMap(\.string) ?? []
    skew = min(max(json["skew"]?.int ?? 300, 0), 86_400)
  }
}
