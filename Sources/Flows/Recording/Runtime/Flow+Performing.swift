// What a step does outside of a flow, once it is written: requests leave, timers start, draws are asked, sinks are
// called. Runs without the lock of the flow's state.

import EventStore

extension Flow {
  /// Performs a step. If it could not be written, every open call fails instead.
  func finish(_ step: Step, _ core: Core, failure: AuditError?) {
    guard let failure else {
      if !state.withLock({ $0.hasEnded }) { perform(step, core) }
      return
    }
    for sink in end(failure) + step.failedSinks { sink.returned(.failure(failure), core) }
  }

  /// Ends the flow because its log cannot be written. Returns the sinks that await an outcome.
  private func end(_ error: AuditError) -> [CallSink<Core>] {
    let waiting = state.withLock { state -> [CallSink<Core>] in
      state.failure = error
      state.hasEnded = true
      let waiting = state.sinks.sorted { $0.key < $1.key }.map(\.value)
      state.sinks = [:]
      return waiting
    }
    stopTimers(notIn: [])
    // Nothing waits for their answers any more: a listener for a redirect would keep its port.
    stopDraws(notIn: nil)
    return waiting
  }

  private func perform(_ step: Step, _ core: Core) {
    for record in step.records {
      switch record.event {
      case .requestSent(let request): send(request, revision: record.revision)
      case .timerSet(let timer):
        let sinks = state.withLock { $0.sinks }
        for (call, sink) in sinks.sorted(by: { $0.key < $1.key }) where call <= record.revision { sink.waits() }
        if let call = core.call(retriedBy: record.revision) { sinks[call]?.retries(timer.duration) }
        start(timer, revision: record.revision)
      case .drawAsked(let asked): ask(asked, revision: record.revision, core)
      case .domain(let event):
        event.audience.flatMap { call in state.withLock { $0.sinks[call] } }?.heard(event, core)
      case .callReturned(let returned):
        let sink = state.withLock { state in
          if let token = state.revisions.first(where: { $0.value == returned.call })?.key {
            state.revisions[token] = nil
          }
          return state.sinks.removeValue(forKey: returned.call)
        }
        sink?.returned(.success(returned.outcome), core)
      case .flowStarted, .flowEnded, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerFired:
        break
      }
    }
    stopTimers(notIn: core.awaitedTimers)
    stopDraws(notIn: core)
  }

  /// Asks the seam named by the draw's declaration, or else the sink of the call given by `call` in the input.
  private func ask(_ asked: DrawAsked, revision: Int, _ core: Core) {
    let (sink, vault) = state.withLock { state in
      state.asks[revision] = asked.kind
      return (asked.input["call"]?.int.flatMap { state.sinks[$0] }, state.vault)
    }
    if let answers {
      answers.ask(revision) { [self] in submit(.draw($0, asked: revision)) }
    } else if let answer = Core.draws[asked.kind]?.answer {
      let input = vault.reveal(asked.input)
      state.withLock { state in
        // Started under the lock, so that its answer cannot arrive before it is stored.
        state.answering[revision] = Task(executorPreference: DrawExecutor.shared) { [self] in
          submit(.draw(await answer(input, environment), asked: revision))
        }
      }
    } else {
      sink?.asked(asked, core) { [self] result in submit(.draw(result, asked: revision)) }
    }
  }

  private func send(_ request: RequestSent, revision: Int) {
    let (vault, refusal) = state.withLock { ($0.vault, $0.usage.send(within: environment.limits)) }
    if let refusal { return submit(.failure(refusal, request: revision)) }
    let real = request.revealed(by: vault)
    environment.transport.send(real) { [self] result in
      switch result {
      case .success(let response): submit(.response(response, request: revision))
      case .failure(let error): submit(.failure(error, request: revision))
      }
    }
  }

  private func start(_ timer: TimerSet, revision: Int) {
    let task = environment.timers.schedule(milliseconds: timer.duration) { [weak self] in
      self?.submit(.timer(revision))
    }
    state.withLock { $0.timers[revision] = task }
  }

  /// Cancels the draws that the core no longer waits for; all of them if there is no core.
  private func stopDraws(notIn core: Core?) {
    let stale = state.withLock { state -> [Task<Void, Never>] in
      if state.answering.isEmpty { return [] }
      let stale = state.answering.filter { core?.awaits(draw: $0.key) != true }
      for key in stale.keys { state.answering[key] = nil }
      return Array(stale.values)
    }
    for task in stale { task.cancel() }
  }

  private func stopTimers(notIn awaited: Set<Int>) {
    let stale = state.withLock { state -> [Int: any TimerTask] in
      if state.timers.isEmpty { return [:] }
      let stale = state.timers.filter { !awaited.contains($0.key) }
      for key in stale.keys { state.timers[key] = nil }
      return stale
    }
    for timer in stale.values { timer.cancel() }
  }
}
