// Decides what follows from an input (idx §2, §3, §10, §11): requests, timers, responses, and results for callers.

package import FlowRecording
import EventStore
import OIDC

extension IDXCore {
  package func decide(_ input: FlowRecord, on snapshot: IDXCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made) where made.call == CallMade.giveUp: ledger.givingUp(made)
    case .callMade(let made) where made.call == CallMade.release: ledger.releasing(as: ledger.outcomeOfRelease)
    case .callMade(let made): call(made, input, on: snapshot, draws)
    case .responseReceived(let response): received(response, input, draws)
    case .requestFailed(let failure): failed(failure.error, at: input.at)
    case .timerFired: fired(input)
    case .drawMade: verdict(input)
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: []
    }
  }

  // MARK: Calls

  private func call(_ made: CallMade, _ input: FlowRecord, on snapshot: IDXCore?, _ draws: Draws) -> [FlowEvent] {
    let call = input.revision
    let response = ResponseReading(snapshot?.current?.body ?? [:])
    // These calls end everything else in progress (§11.2).
    var others: [FlowEvent] { ledger.cancelling(ledger.calls.keys.filter { $0 != call }) }
    switch IDXCall(rawValue: made.call) {
    case .start: return others + starting(made, call, draws)
    case .restore: return others + restored(call, draws)
    case .reset: return others + reset(call)
    case .stopPolling: return endOfPolling + [returned(call, .done)]
    case .startPolling:
      guard let source = ledger.calls[call]?.source, let form = pollForm(of: source, on: snapshot) else {
        return [Refusal.missingRelated("there is nothing to poll").ending(call)]
      }
      return endOfPolling + [pollTimer(form)]
    case .resume: return operation(call) { () throws(Refusal) in try resumption() }
    case .proceed: return operation(call) { () throws(Refusal) in try submission(made, response) }
    case .exchangeCode, .exchangeRedirect:
      // The code has been used and the tokens have arrived; only their check remains.
      if let check, check.call == call {
        if isBusy(besides: call) { return [Refusal.busy.ending(call)] }
        do throws(Refusal) {
          if made.call == IDXCall.exchangeRedirect.rawValue { try checkRedirect(made.arguments) }
        } catch {
          return [error.ending(call)]
        }
        return endOfPolling + goOn(with: check, call: call, input, draws)
      }
      return exchange(made, call, response)
    case nil:
      return operation(call) { () throws(Refusal) in
        throw .internalMessage("this version of the SDK does not know the call '\(made.call)'")
      }
    }
  }

  private func exchange(_ made: CallMade, _ call: Int, _ response: ResponseReading) -> [FlowEvent] {
    guard IDXCall(rawValue: made.call) == .exchangeRedirect else {
      return operation(call) { () throws(Refusal) in try IDXPlan.exchange(of: response.success, in: self) }
    }
    return operation(call) { () throws(Refusal) in
      try checkRedirect(made.arguments)
      return try IDXPlan.discovery(self)
    }
  }

  /// Operations wait for each other; polling yields to them.
  private func operation(_ call: Int, _ plan: () throws(Refusal) -> RequestPlan) -> [FlowEvent] {
    guard !isBusy(besides: call) else { return [Refusal.busy.ending(call)] }
    do throws(Refusal) {
      let plan = try plan()
      return endOfPolling + [request(plan)]
    } catch {
      return [error.ending(call)]
    }
  }

  /// The input for drawing a device token.
  private var issuer: JSON { ["issuer": .string(settings.issuer)] }

  private func starting(_ made: CallMade, _ call: Int, _ draws: Draws) -> [FlowEvent] {
    let pkce = draws(.pkce)
    let started = Context(
      state: pending?.state ?? draws(.state).string, verifier: pkce["verifier"]?.string,
      challenge: pkce["challenge"]?.string)
    // The fold happens after this step, so a value drawn now is not in the state yet.
    var device = deviceToken
    if !omitsDeviceToken, deviceToken == nil { device = draws(.deviceToken, issuer).string }
    let agent = ledger.userAgent ?? draws(.userAgent).string
    do throws(Refusal) {
      return [request(try IDXPlan.interact(self, started, made.arguments), agent: agent, device: device)]
    } catch {
      return ended(call, error)
    }
  }

  /// The client's name is drawn with the first request; a restored sign-in does not have its own yet.
  private func restored(_ call: Int, _ draws: Draws) -> [FlowEvent] {
    if ledger.userAgent == nil { _ = draws(.userAgent) }
    if deviceToken == nil { _ = draws(.deviceToken, issuer) }
    return [returned(call, .done)]
  }

  private func reset(_ call: Int) -> [FlowEvent] {
    let isOpen = ledger.outcome == nil && ledger.latest != nil
    return [returned(call, .done)] + (isOpen ? [.flowEnded(FlowEnded(outcome: "cancelled"))] : [])
  }

  private func resumption() throws(Refusal) -> RequestPlan {
    guard let handle = context?.interactionHandle else { throw .invalidContext }
    return try IDXPlan.introspect(self, handle)
  }

  private func submission(_ made: CallMade, _ response: ResponseReading) throws(Refusal) -> RequestPlan {
    guard context != nil else { throw .invalidContext }
    let text = made.arguments["form"]?.string ?? ""
    guard let form = FormReference(text).flatMap(response.form) else {
      throw .unknownOption(made.arguments["name"]?.string ?? text)
    }
    return try IDXPlan.submission(of: form, FormFills(made.arguments), in: self)
  }

  /// Checks that a redirect belongs to this sign-in and carries a code (§11.1).
  private func checkRedirect(_ arguments: JSON) throws(Refusal) {
    guard let context else { throw .invalidContext }
    guard let redirect = RedirectReading(arguments["redirect"]?.string ?? ""),
      redirect.isRedirect(to: settings.redirectURI)
    else { throw .invalidUrl("the redirect is not to the redirect URI of this flow") }
    guard let state = context.state, arguments["state"]?.string == state else { throw .invalidContext }
    if arguments["interaction_code"]?.string != nil { return }
    throw Refusal.error(in: arguments, status: 302) ?? .invalidContext
  }

  // MARK: Requests

  func request(_ plan: RequestPlan) -> FlowEvent {
    request(plan, agent: ledger.userAgent, device: deviceToken)
  }

  private func request(_ plan: RequestPlan, agent: String?, device: String?) -> FlowEvent {
    let header = settings.usesExtendedUserAgent ? "X-Okta-User-Agent-Extended" : "User-Agent"
    return plan.sent(
      client: HTTPField(header, agent ?? ""), cookie: cookieHeader(for: URLParts(plan.url)?.comparableOrigin, device),
      by: links)
  }

  /// Puts the device's cookie first, unless the org has set one itself (§3.1).
  private func cookieHeader(for origin: String?, _ device: String?) -> String? {
    guard let origin else { return nil }
    var parts = [ledger.cookies.header(for: origin)].compactMap { $0 }
    if let device, !omitsDeviceToken, origin == URLParts(settings.issuer)?.comparableOrigin,
      !ledger.cookies.has("DT", for: origin)
    {
      parts.insert("DT=\(device)", at: 0)
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func returned(_ call: Int, _ outcome: CallReturned.Outcome) -> FlowEvent {
    .callReturned(CallReturned(call: call, outcome: outcome))
  }

  /// Ends a call that failed. For `start`, this also ends the flow, unless interact had succeeded.
  private func ended(_ call: Int, _ refusal: Refusal) -> [FlowEvent] {
    let isEnd = ledger.calls[call]?.kind == .start && context == nil
    return [refusal.ending(call)] + (isEnd ? [.flowEnded(FlowEnded(outcome: "failed"))] : [])
  }

  // MARK: Responses

  private func received(_ response: ResponseReceived, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    // A late response to a call that is over: it is recorded but has no effect.
    guard let (_, _, request) = ledger.answered else { return [] }
    if response.status == 429, !isAnswer(request) { return limited(response, request, input.at, draws) }
    let isSuccess = (200...299).contains(response.status)
    switch request.tag.purpose {
    case .interact: return interacted(response, request)
    case .introspect: return isSuccess ? arrived(response, request, input.at) : ended(request.call, refusal(response))
    case .remediation:
      // Errors made by the user are responses (§3.2).
      return response.status < 500 ? arrived(response, request, input.at) : ended(request.call, refusal(response))
    case .discovery:
      if let check, check.call == request.call {
        return learned(response, check, call: request.call, input, draws)
      }
      return discovered(response, request, isSuccess, draws)
    case .token: return exchanged(response, request, input, draws)
    case .keys:
      guard let check, check.fetched != nil else { return ended(request.call, refusal(response)) }
      return goOn(with: check, call: request.call, input, draws)
    }
  }

  /// How many times a request is sent again after a rate limit (§3.2).
  static let tolerated = 3
  /// The total time that one request waits for rate limits, in milliseconds, because a person is waiting.
  static let patience = 60_000

  /// Handles a rate limit: either the request waits, or the call fails with the time that the org asks for.
  private func limited(
    _ response: ResponseReceived, _ request: Request, _ time: Timestamp, _ draws: Draws
  ) -> [FlowEvent] {
    let limit = RateLimit(response, at: time)
    guard let seconds = limit.seconds(afterRetries: request.tag.retries) else {
      return ended(request.call, refusal(response))
    }
    let left = Self.patience - request.tag.waited
    guard request.tag.retries < Self.tolerated, seconds <= left / 1000 else {
      return ended(request.call, .rateLimited(seconds, response))
    }
    // Keeps clients that were limited at the same moment from all returning at the same moment.
    let jitter = limit.askedSeconds == nil ? min(max(draws(.jitter).int ?? 0, 0), 1000) : 0
    return [.timerSet(TimerSet(milliseconds: seconds * 1000 + jitter, purpose: Self.retry))]
  }

  /// Whether the request sends an answer: for those, the server returns 429 after too many wrong answers (§3.2).
  private func isAnswer(_ request: Request) -> Bool {
    request.tag.purpose == .remediation
      && URLParts(request.tag.sent.url)?.path.hasSuffix("/idp/idx/challenge/answer") == true
  }

  /// Returns the error in an answer that is not a response.
  func refusal(_ response: ResponseReceived) -> Refusal {
    guard let json = response.json, json.object != nil else {
      if let error = response.sizeError { return .connection(error) }
      if case .opaque(let reason, _, _) = response.body {
        return .invalidResponse("the body is no JSON: \(reason)", status: response.status)
      }
      return .invalidResponse("the body is no JSON object", status: response.status)
    }
    if let refusal = Refusal.error(in: json, status: response.status) { return refusal }
    if let message = ResponseReading(json).messages.first { return .server(message) }
    return (200...299).contains(response.status)
      ? .invalidResponse("the answer is no response of the Identity Engine", status: response.status)
      : .httpStatus(response.status)
  }

  private func interacted(_ response: ResponseReceived, _ request: Request) -> [FlowEvent] {
    // The fold has stored the handle, if there was one.
    guard let handle = context?.interactionHandle else { return ended(request.call, refusal(response)) }
    do throws(Refusal) {
      return [self.request(try IDXPlan.introspect(self, handle))]
    } catch {
      return ended(request.call, error)
    }
  }

  private func arrived(_ response: ResponseReceived, _ request: Request, _ time: Timestamp) -> [FlowEvent] {
    let call = request.call
    if let poll, poll.call == call, let wait = wait(of: poll, for: response, at: time) { return [wait] }
    guard let json = response.json, ResponseReading(json).isResponse else {
      return ended(call, refusal(response))
    }
    let reading = ResponseReading(json)
    var events: [FlowEvent] = [.domain(changed(reading, ledger.calls[call]))]
    events += reading.allMessages.prefix(Self.shownMessages).map { message, field in
      .domain(
        MessageShown(severity: message.severity, key: message.key, text: message.text, field: field?.name))
    }
    events.append(returned(call, .status))
    if reading.isTerminal { events.append(.flowEnded(FlowEnded(outcome: "terminal"))) }
    return events
  }

  /// How many messages of one response get their own event; the response itself has all of them. A response with many
  /// thousand tiny messages would otherwise create more events than the log accepts at once.
  private static let shownMessages = 100

  private func changed(_ reading: ResponseReading, _ call: Call?) -> RemediationChanged {
    RemediationChanged(
      offered: reading.forms.map { $0.name ?? "" }, chosen: call?.form, filled: call?.filled ?? [],
      summary: IDXStep.summary(of: reading, after: current.map { ResponseReading($0.body) }, chosen: call?.form))
  }

  private func discovered(
    _ response: ResponseReceived, _ request: Request, _ isSuccess: Bool, _ draws: Draws
  ) -> [FlowEvent] {
    guard isSuccess, let json = response.json else { return ended(request.call, refusal(response)) }
    guard isOfIssuer(json) else {
      return ended(request.call, .invalidResponse("the metadata are those of another issuer"))
    }
    if let metadata { remember(metadata, response, draws) }
    do throws(Refusal) {
      let code = ledger.calls[request.call]?.interactionCode ?? ""
      return [self.request(try IDXPlan.exchange(of: code, at: json["token_endpoint"]?.string, in: self))]
    } catch {
      return ended(request.call, error)
    }
  }

  /// Whether metadata belong to the flow's issuer, ignoring a trailing slash.
  func isOfIssuer(_ metadata: JSON) -> Bool {
    guard let issuer = metadata["issuer"]?.string else { return false }
    return (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) == settings.issuer
  }

  private func exchanged(
    _ response: ResponseReceived, _ request: Request, _ input: FlowRecord, _ draws: Draws
  ) -> [FlowEvent] {
    guard (200...299).contains(response.status), let json = response.json else {
      return ended(request.call, refusal(response))
    }
    switch TokenReading(json, scope: settings.scope) {
    case .unusable(let reason): return ended(request.call, .invalidResponse(reason, status: response.status))
    case .issued(let token):
      if let check, check.call == request.call { return goOn(with: check, call: request.call, input, draws) }
      guard !requiresIDToken else { return refused(IDTokenFailure("id_token", .missing).json, request.call) }
      return handedOut(token, request.call)
    }
  }

  private func verdict(_ input: FlowRecord) -> [FlowEvent] {
    guard let check, check.verdict != nil, check.asked == input.cause, let call = check.call, ledger.calls[call] != nil
    else { return [] }
    return judged(check, call: call)
  }

  // MARK: Failures and timers

  private func failed(_ error: TransportError, at time: Timestamp) -> [FlowEvent] {
    guard let (_, _, request) = ledger.answered else { return [] }
    if let poll, poll.call == request.call, Self.lost.contains(error.code),
      let form = pollForm(of: poll.source, on: nil)
    {
      return [pollTimer(form, delay: poll.delay, after: time.microseconds - poll.since.microseconds)]
    }
    return ended(request.call, .connection(error))
  }

  private func fired(_ input: FlowRecord) -> [FlowEvent] {
    if let due, due.revision == input.revision {
      guard ledger.calls[due.request.call] != nil else { return [] }
      return [.requestSent(due.request.tag.again)]
    }
    // A timer that was replaced or stopped: it is recorded but has no effect.
    guard let poll, let timer = poll.timer, timer == input.cause, ledger.calls[poll.call] != nil else { return [] }
    if isExpired(poll, at: input.at) { return [Refusal.transactionExpired.ending(poll.call)] }
    guard let form = pollForm(of: poll.source, on: nil) else {
      return [Refusal.missingRelated("there is nothing to poll any more").ending(poll.call)]
    }
    do throws(Refusal) {
      return [request(try IDXPlan.submission(of: form, FormFills(), in: self))]
    } catch {
      return [error.ending(poll.call)]
    }
  }
}

extension IDXCore.Sending {
  /// The same request again, marked as a retry for the org (§3.2).
  var again: RequestSent {
    var sent = sent
    if let firstID { sent.headers.append(HTTPField("X-Okta-Retry-For", firstID)) }
    sent.headers.append(HTTPField("X-Okta-Retry-Count", "\(retries + 1)"))
    return sent
  }
}
