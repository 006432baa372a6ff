// Folds events into the state of a device flow.

import EventStore
package import FlowRecording

extension DeviceCore {
  /// Folds one event into the state.
  package mutating func fold(_ record: FlowRecord) {
    ledger.advance(to: record.at)
    switch record.event {
    case .flowStarted(let started): settings = Settings(started.settings)
    case .flowEnded(let ended):
      ledger.end(ended)
      if case .challenge(var challenge) = work {
        challenge.phase = .ended
        challenge.timer = nil
        challenge.discoveryTimer = nil
        work = .challenge(challenge)
      }
    case .callMade(let made): if !made.isControl { called(made, record) }
    case .callReturned(let returned):
      ledger.close(returned)
      changeChallenge { $0.returned(returned) }
    case .requestSent(let request):
      let (call, step) = sender
      ledger.send(request, at: record.revision, for: call, step)
      changeChallenge { $0.sent(step) }
    case .responseReceived(let response):
      let request = ledger.receive(response, record, home: nil)
      if let request { answered(request.tag, answer(response, to: request.tag)) }
    case .requestFailed(let failed):
      let request = ledger.fail(failed, record)
      if let request { answered(request.tag, .noResponse(failed.error)) }
    case .drawAsked(let draw): askedFor(draw, record.revision)
    case .drawMade(let draw): drawn(draw, record.cause)
    case .timerSet(let timer): changeChallenge { $0.set(timer, record.revision) }
    case .timerFired: changeChallenge { $0.fired(record.cause) }
    case .domain(let event):
      changeOperation { $0.fold(event) }
      changeChallenge { $0.fold(event, at: record.at) }
    case .noteAdded: break
    }
  }

  private mutating func called(_ made: CallMade, _ record: FlowRecord) {
    guard let name = DeviceCall(rawValue: made.call) else {
      ledger.calls[record.revision] = .respond
      return
    }
    ledger.calls[record.revision] = name
    switch (name.isOfChallenge, work) {
    case (true, .none): if name == .receive { work = .challenge(ChallengeWork(made.arguments, at: record)) }
    case (false, .none): work = .operation(DeviceOperation(name, made.arguments, call: record.revision))
    case (true, .challenge):
      let repeats = settings.isReference
      changeChallenge { $0.called(name, made.arguments, record.revision, repeats: repeats) }
    case (true, .operation), (false, .operation), (false, .challenge): break
    }
  }

  /// The call and the step that a request sent in this state belongs to.
  private var sender: (call: Int?, step: DeviceStep) {
    switch work {
    case .none: (nil, .organization)
    case .operation(let operation): (operation.call, operation.next ?? .organization)
    case .challenge(let challenge): (challenge.resolveCall, challenge.nextRequest)
    }
  }

  /// Converts a response to the answer to a step. If the status alone decides (§4.4, §4.5, §4.7), a body that is too
  /// large to record is ignored.
  private func answer(_ response: ResponseReceived, to step: DeviceStep) -> StepAnswer {
    let isStatusAll =
      step == .submission || step == .deletion || step == .update && operation?.name == .updateDeviceToken
    return isStatusAll && response.sizeError != nil
      ? .response(status: response.status, body: nil) : StepAnswer(response)
  }

  private mutating func answered(_ step: DeviceStep, _ answer: StepAnswer) {
    lastStep = step
    changeOperation { $0.answers[step] = answer }
    changeChallenge { $0.answers[step] = answer }
  }

  private mutating func askedFor(_ draw: DrawAsked, _ revision: Int) {
    guard let step = draw.input["step"]?.string.flatMap(DeviceStep.init) else { return }
    asked[revision] = step
    changeChallenge { $0.asked(step, draw.input["about"]) }
  }

  private mutating func drawn(_ draw: DrawMade, _ cause: Int?) {
    ledger.take(draw)
    if let cause, let step = asked.removeValue(forKey: cause) {
      answered(step, StepAnswer(draw))
      return
    }
    changeOperation { $0.drawn(draw) }
    changeChallenge { $0.drawn(draw) }
  }

  mutating func changeOperation(_ body: (inout DeviceOperation) -> Void) {
    guard case .operation(var operation) = work else { return }
    body(&operation)
    work = .operation(operation)
  }

  mutating func changeChallenge(_ body: (inout ChallengeWork) -> Void) {
    guard case .challenge(var challenge) = work else { return }
    body(&challenge)
    work = .challenge(challenge)
  }
}

extension DeviceCore.Settings {
  /// Reads the settings from the data of `flow.started`.
  init(_ json: JSON) {
    audiences = (json["audiences"]?.array ?? []).compactMap(\.string)
    origins = (json["origins"]?.array ?? []).compactMap(\.string)
    userAgent = json["userAgent"]?.string ?? ""
    isStrict = json["strict"]?.bool ?? false
    deletesSuspended = json["deleteOnSuspended"]?.bool ?? true
    plugins = (json["plugins"]?.array ?? []).compactMap(\.string)
    isReference = json["reference"]?.bool ?? false
    keyDiscoveryMilliseconds = json["keyDiscoveryMilliseconds"]?.int.map { min(max($0, 1), TimerSet.longest) }
  }
}
