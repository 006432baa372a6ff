// How events make the state of a flow for tokens.

package import FlowRecording
import EventStore

extension OIDCCore {
  /// Applies an event to the state.
  package mutating func fold(_ record: FlowRecord) {
    ledger.advance(to: record.at)
    if record.event.isInput { lastStep = nil }
    switch record.event {
    case .flowStarted(let started): settings = OIDCSettings(started.settings)
    case .flowEnded(let ended): ledger.end(ended)
    case .callMade(let made): if !made.isControl { called(made, record) }
    case .callReturned(let returned): ledger.close(returned)
    case .requestSent(let request):
      let step = operation?.next(settings) ?? .discovery
      ledger.send(request, at: record.revision, for: operation?.call, step)
    case .responseReceived(let response):
      if let request = ledger.receive(response, record, home: home) {
        // The status of a revocation is sufficient (RFC 7009 §2.2).
        let isRevocation = request.tag == .revoke || request.tag == .revokeRefresh
        answered(request.tag, StepAnswer(response, readsBody: !isRevocation), record)
        if let age = CacheControl.maxAge(response.header("cache-control")) {
          operation?.maxAge[request.tag] = age
        }
      }
    case .requestFailed(let failed):
      if let request = ledger.fail(failed, record) { answered(request.tag, .noResponse(failed.error), record) }
    case .drawAsked(let draw):
      asked[record.revision] = draw.input["step"]?.string.flatMap(OIDCStep.init)
    case .drawMade(let draw): drawn(draw, record)
    case .timerSet(let timer):
      operation?.timer = record.revision
      if timer.purpose == OIDCRetry.purpose, let step = ledger.latest?.request?.tag {
        operation?.putOff(
          step, milliseconds: timer.duration, requestID: ledger.answer?.header("x-okta-request-id"))
      }
    case .timerFired: fired(record)
    case .domain(let event): operation?.fold(event, at: record.at)
    case .noteAdded: break
    }
  }

  /// A URL of the server whose clock is used: the token endpoint, which dates what it issues, or the issuer until that
  /// is known.
  private var home: String { operation?.endpoint("token_endpoint") ?? settings.issuer }

  private mutating func called(_ made: CallMade, _ record: FlowRecord) {
    let name = OIDCCall(rawValue: made.call)
    // A call unknown to this version is kept, so that it can be refused.
    ledger.calls[record.revision] = name ?? .cancel
    guard let name else { return }
    if name == .resume, awaitsRedirect, let redirect = made.arguments["redirect"] {
      answered(.resumed, .drawn(redirect), record)
      operation?.timer = nil
      return
    }
    if !name.isToOperation, !isUnderWay {
      operation = OIDCOperation(name, made.arguments, call: record.revision)
      if name == .adopt { operation?.issuedAt = record.at }
      asked = [:]
    }
  }

  private mutating func answered(_ step: OIDCStep, _ answer: StepAnswer, _ record: FlowRecord) {
    lastStep = nil
    guard isUnderWay, operation?.answers[step] == nil else { return }
    operation?.answered(step, answer, at: record.at)
    lastStep = step
  }

  private mutating func drawn(_ draw: DrawMade, _ record: FlowRecord) {
    ledger.take(draw)
    lastStep = nil
    guard let cause = record.cause, let step = asked.removeValue(forKey: cause) else {
      operation?.drawn(draw)
      return
    }
    // The application has passed the redirect itself.
    if step == .browse, operation?.answers[.resumed] != nil { return }
    answered(step, StepAnswer(draw), record)
  }

  private mutating func fired(_ record: FlowRecord) {
    guard let timer = operation?.timer, timer == record.cause else { return }
    operation?.timer = nil
    guard isUnderWay else { return }
    if let retry = operation?.retry, operation?.next(settings) == retry.step {
      lastStep = retry.step
      return
    }
    // The token endpoint is asked again, or there was no redirect.
    if operation?.name == .signInOnDevice { operation?.answers[.token] = nil }
    lastStep = operation?.name == .signInOnDevice ? .token : .resumed
  }
}
