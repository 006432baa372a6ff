// What a step does to a flow: mask the input, number and fold it, let the core decide, number and fold what follows,
// and hand it all to the journal. Runs while the flow's state is locked, or on a copy of it if a listener may run.

import EventStore

extension Flow {
  /// Takes the step of an input. What it performs follows in `finish`.
  func step(_ input: Input, _ state: inout State) -> Step {
    var step = Step()
    process(input, &state, &step)
    append(&step, &state)
    return step
  }

  private func process(_ input: Input, _ state: inout State, _ step: inout Step) {
    let now = environment.clock.now()
    switch input {
    case .call(var made, let snapshot, let token, let sink):
      if let failure = state.failure {
        step.failure = failure
        step.failedSinks = [sink]
        return
      }
      // A call without a status begins something new.
      if made.on == nil { state.usage = FlowUsage() }
      made.arguments = masker.mask(made.arguments, as: masker.policy.arguments, into: &state.vault)
      state.sinks[state.nextRevision] = sink
      state.revisions[token] = state.nextRevision
      take(.callMade(made), cause: nil, at: now, snapshot: snapshot, &state, &step)
    case .giveUp(let token):
      guard let call = state.revisions[token], state.core.openCalls.contains(call) else { return }
      let made = CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])
      take(.callMade(made), cause: nil, at: now, snapshot: nil, &state, &step)
    case .release:
      guard !isReplay, state.failure == nil, !state.core.openCalls.isEmpty else { return }
      let made = CallMade(call: CallMade.release, arguments: [:])
      take(.callMade(made), cause: nil, at: now, snapshot: nil, &state, &step)
    case .response(let response, let request):
      let masked = masker.mask(response, into: &state.vault)
      take(.responseReceived(masked), cause: request, at: now, snapshot: nil, &state, &step)
    case .failure(let error, let request):
      // An application's own transport may quote what it was sending.
      URLMasking.collect(inside: error.detail, vault: &state.vault)
      let safe = TransportError(error.code, state.vault.mask(error.detail))
      take(.requestFailed(RequestFailed(safe)), cause: request, at: now, snapshot: nil, &state, &step)
    case .timer(let timer):
      // Never dropped, even if no call waits for it any more: the core decides what it means.
      state.timers[timer] = nil
      take(.timerFired(TimerFired()), cause: timer, at: now, snapshot: nil, &state, &step)
    case .note(let text):
      URLMasking.collect(inside: text, vault: &state.vault)
      let masked = state.vault.mask(text)
      take(.noteAdded(NoteAdded(text: masked)), cause: nil, at: now, snapshot: nil, &state, &step)
    case .draw(let result, let asked):
      // The first answer counts.
      guard let kind = state.asks.removeValue(forKey: asked) else { return }
      state.answering[asked] = nil
      let masked = masker.mask(result, as: Core.draws[kind]?.schema, into: &state.vault)
      let draw = DrawMade(kind: kind, ordinal: state.drawCount, result: masked)
      state.drawCount += 1
      take(.drawMade(draw), cause: asked, at: now, snapshot: nil, &state, &step)
    case .recorded(let record, let snapshot):
      if case .drawMade = record.event { state.drawCount += 1 }
      take(record.event, cause: record.cause, at: record.at, snapshot: snapshot, &state, &step)
    }
  }

  /// Folds an input, lets the core decide, folds what follows.
  func take(
    _ event: FlowEvent, cause: Int?, at time: Timestamp, snapshot: Core?, _ state: inout State, _ step: inout Step
  ) {
    guard state.failure == nil else { return }
    let input = add(event, cause: cause, at: time, &state, &step)
    // `decide` draws while the state is in use: the draws are collected here and folded in the order in which they were
    // taken.
    let drawn = Collected(ordinal: state.drawCount, revision: state.nextRevision, vault: state.vault)
    let outputs = state.core.decide(
      input, on: snapshot,
      draws: Draws { [draws, masker, isReplay] kind, input in
        var result = draws.draw(
          kind, input: drawn.vault.reveal(input), ordinal: drawn.ordinal, revision: drawn.revision)
        // A recorded value is already masked.
        if !isReplay { result = masker.mask(result, as: Core.draws[kind]?.schema, into: &drawn.vault) }
        drawn.events.append(DrawMade(kind: kind, ordinal: drawn.ordinal, result: result))
        drawn.ordinal += 1
        drawn.revision += 1
        return result
      })
    for draw in drawn.events { _ = add(.drawMade(draw), cause: input.revision, at: time, &state, &step) }
    state.drawCount = drawn.ordinal
    state.vault = drawn.vault
    for output in outputs {
      let output = listened(output, cause: input.revision, at: time, &state, &step)
      _ = add(output, cause: input.revision, at: time, &state, &step)
    }
  }

  /// The request as changed by the application's listener, whose answer is recorded as a draw; other events are
  /// unchanged.
  private func listened(
    _ event: FlowEvent, cause: Int, at time: Timestamp, _ state: inout State, _ step: inout Step
  ) -> FlowEvent {
    guard state.hasListener, case .requestSent(let request) = event else { return event }
    let listening = RequestListening(masker: masker)
    let value =
      if let listener = environment.requestListener, !isReplay {
        listening.answer(of: listener, to: request, vault: &state.vault)
      } else {
        (try? draws.draw(
          .requestListener, input: .null, ordinal: state.drawCount, revision: state.nextRevision
        ).get()) ?? .null
      }
    let draw = DrawMade(kind: .requestListener, ordinal: state.drawCount, result: .success(value))
    state.drawCount += 1
    _ = add(.drawMade(draw), cause: cause, at: time, &state, &step)
    return .requestSent(listening.request(value, instead: request))
  }

  /// Numbers an event, encodes it if it will be written, and folds it.
  private func add(
    _ event: FlowEvent, cause: Int?, at time: Timestamp, _ state: inout State, _ step: inout Step
  ) -> FlowRecord {
    let record = FlowRecord(revision: state.nextRevision, at: time, cause: cause, event: event)
    step.records.append(record)
    state.nextRevision += 1
    if recordJournal != nil {
      state.nextRevision += EventCoding.partCount(of: event)
    } else if journal != nil {
      let encoded = EventCoding.encode(event)
      state.nextRevision += encoded.parts.count
      step.entries.append(JournalEntry(record: record, encoded: encoded))
    }
    if case .flowStarted(let started) = event { state.hasListener = started.settings["listener"]?.bool == true }
    if event.needsBarrier { step.needsBarrier = true }
    state.core.fold(record)
    return record
  }

  private func append(_ step: inout Step, _ state: inout State) {
    if !isReplay, environment.limits.recordedBytes < .max {
      // The same without a log.
      let isEncoded = journal != nil && recordJournal == nil
      state.usage.record(
        isEncoded ? EventCoding.size(of: step.entries.map(\.encoded)) : EventCoding.size(of: step.records))
    }
    if let recordJournal {
      if !step.records.isEmpty { recordJournal.append(step.records) }
      return
    }
    guard let journal, !step.entries.isEmpty else { return }
    do throws(AuditError) {
      try journal.append(step.entries)
    } catch {
      state.failure = error
      step.failure = error
    }
  }
}

/// Draws collected while `decide` runs.
private final class Collected {
  var ordinal: Int
  var revision: Int
  var vault: Vault
  var events: [DrawMade] = []

  init(ordinal: Int, revision: Int, vault: Vault) {
    self.ordinal = ordinal
    self.revision = revision
    self.vault = vault
  }
}
