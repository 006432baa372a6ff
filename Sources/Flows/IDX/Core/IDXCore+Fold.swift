// How events make the state.

package import FlowRecording
import EventStore

extension IDXCore {
  /// Calls that speak of other calls, or of the flow, and have no answer of their own.
  static let controls: Set<String> = ["giveUp", "release"]
  /// What a timer is for: the next poll, or a request again after a rate limit.
  static let polling = "poll"
  static let retry = "retry"

  package mutating func fold(_ record: FlowRecord) {
    cookies.drop(endedAt: record.at)
    switch record.event {
    case .flowStarted(let started): fold(settings: started.settings)
    case .flowEnded(let ended): outcome = ended.outcome
    case .callMade(let made): fold(made, record)
    case .callReturned(let returned): fold(returned)
    case .requestSent(let request): fold(request, record)
    case .responseReceived(let response): fold(response, record)
    case .requestFailed(let failure): take(replyTo: record, .failure(failure.error))
    case .timerSet(let timer): fold(timer, record)
    case .timerFired:
      if let cause = record.cause, let request = retries.removeValue(forKey: cause) {
        due = Due(revision: record.revision, request: request)
      }
    case .drawMade(let draw): fold(draw)
    case .remediationChanged:
      current = Snapshot(revision: record.revision, body: answer?.json ?? [:])
      polled = nil
    case .tokenIssued(let issued): token = issued
    case .noteAdded, .drawAsked, .statusChanged, .factorUpdated, .messageShown, .unknown: break
    }
  }

  private mutating func fold(settings json: JSON) {
    settings = Settings(
      issuer: json["issuer"]?.string ?? "", clientID: json["clientId"]?.string ?? "",
      scope: json["scope"]?.string ?? "", redirectURI: json["redirectUri"]?.string ?? "",
      clientSecret: json["clientSecret"]?.string, parameters: json["parameters"]?.object?.members ?? [],
      origins: json["origins"]?.array?.compactMap(\.string),
      usesExtendedUserAgent: json["userAgentHeader"]?.bool ?? false)
    deviceToken = json["deviceToken"]?.string
  }

  private mutating func fold(_ made: CallMade, _ record: FlowRecord) {
    guard !Self.controls.contains(made.call) else { return }
    calls[record.revision] = Call(
      name: made.call, form: made.arguments["name"]?.string,
      filled: (made.arguments["fields"]?.array ?? []).compactMap { $0["value"] == .null ? nil : $0["name"]?.string },
      interactionCode: made.arguments["interaction_code"]?.string,
      source: made.call == "startPolling" ? Poll.Source(made.arguments) : nil)
    switch made.call {
    case "start":
      forget()
      // The cookie of an old transaction must not go into a new one (§1).
      if let origin = URLParts(settings.issuer)?.origin { cookies.remove("idx", of: origin) }
      starting = record.revision
      pending = Context(state: made.arguments["state"]?.string)
      omitsDeviceToken = made.arguments["omitDeviceToken"]?.bool ?? false
    case "restore":
      forget()
      context = Context(
        interactionHandle: made.arguments["interaction_handle"]?.string, state: made.arguments["state"]?.string,
        verifier: made.arguments["code_verifier"]?.string, challenge: made.arguments["code_challenge"]?.string)
    case "reset": forget()
    default: break
    }
  }

  /// Drops what belongs to one sign-in; what was answered stays, for objects that the application holds.
  private mutating func forget() {
    context = nil
    pending = nil
    starting = nil
    poll = nil
    polled = nil
    retries = [:]
    due = nil
  }

  private mutating func fold(_ returned: CallReturned) {
    let call = calls.removeValue(forKey: returned.call)
    if poll?.call == returned.call {
      poll = nil
      polled = nil
    }
    retries = retries.filter { $0.value.call != returned.call }
    switch returned.outcome {
    case .status, .done:
      lastError = nil
      // Tokens end the sign-in (§11.2).
      if call.map({ Self.exchanges.contains($0.name) }) == true { forget() }
    case .failed(let code, _):
      lastError = code
      // What interact has brought stays, so that the sign-in can be resumed.
      if starting == returned.call { pending = nil }
    // A start that was given up leaves nothing; one that another start took over leaves what is the other's.
    case .cancelled: if starting == returned.call { forget() }
    }
    if starting == returned.call { starting = nil }
  }

  /// Calls that bring tokens.
  static let exchanges: Set<String> = ["exchangeCode", "exchangeRedirect"]

  private mutating func fold(_ sent: RequestSent, _ record: FlowRecord) {
    outcome = nil
    guard let cause = record.cause else { return }
    if let due, due.revision == cause {
      var request = due.request
      request.retries += 1
      self.due = nil
      requests[record.revision] = request
      if poll?.call == request.call { poll?.request = record.revision }
      return
    }
    let call = calls[cause] != nil ? cause : requestedBy(cause)
    guard let call else { return }
    requests[record.revision] = Request(call: call, purpose: purpose(of: sent, call), sent: sent)
    if poll?.call == call {
      poll?.request = record.revision
      poll?.timer = nil
    }
  }

  /// The call that an input belongs to which is no call: the answer just taken, or the poll's timer.
  private func requestedBy(_ cause: Int) -> Int? {
    if latest?.revision == cause { return latest?.request?.call }
    return poll?.call
  }

  private func purpose(of sent: RequestSent, _ call: Int) -> Purpose {
    switch sent.url {
    case interactURL: .interact
    case introspectURL: .introspect
    case discoveryURL: .discovery
    default: Self.exchanges.contains(calls[call]?.name ?? "") ? .token : .remediation
    }
  }

  private mutating func fold(_ response: ResponseReceived, _ record: FlowRecord) {
    let request = take(replyTo: record, .answer(response))
    if let date = response.header("date").flatMap(HTTPDate.seconds) {
      skew = Int64(date) * 1_000_000 - record.at.microseconds
    }
    guard let request else { return }
    if let origin = URLParts(request.sent.url)?.origin { cookies.take(response, from: origin, at: record.at) }
    if request.purpose == .interact, calls[request.call] != nil, (200...299).contains(response.status),
      let handle = response.json?["interaction_handle"]?.string, var started = pending
    {
      started.interactionHandle = handle
      context = started
      pending = nil
    }
  }

  @discardableResult
  private mutating func take(replyTo record: FlowRecord, _ content: Reply.Content) -> Request? {
    let request = record.cause.flatMap { requests.removeValue(forKey: $0) }
    latest = Reply(revision: record.revision, request: request, content: content)
    if let cause = record.cause, poll?.request == cause { poll?.request = nil }
    return request
  }

  private mutating func fold(_ timer: TimerSet, _ record: FlowRecord) {
    if let cause = record.cause, let source = calls[cause]?.source {
      poll = Poll(call: cause, source: source, timer: record.revision, since: record.at)
      return
    }
    guard record.cause == latest?.revision, var request = latest?.request, calls[request.call] != nil else { return }
    if timer.purpose == Self.retry {
      request.firstID = request.firstID ?? answer?.header("x-okta-request-id")
      request.waited += timer.milliseconds
      retries[record.revision] = request
    } else if poll?.call == request.call {
      poll?.timer = record.revision
      guard let json = answer?.json else { return }
      if json["error"] == "slow_down" { poll?.delay += 5000 }
      if ResponseReading(json).isResponse { polled = json }
    }
  }

  private mutating func fold(_ draw: DrawMade) {
    switch draw.kind {
    case .userAgent: userAgent = draw.value.string
    case .deviceToken: deviceToken = draw.value.string
    case .state: pending?.state = draw.value.string
    case .pkce:
      pending?.verifier = draw.value["verifier"]?.string
      pending?.challenge = draw.value["challenge"]?.string
    default: break
    }
  }
}
