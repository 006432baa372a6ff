// Runs a recorded flow again as a live one, with made-up secrets where the recording has placeholders.

import EventStore
import FlowRecording

/// Makes the recorded calls, supplies the recorded responses, draws and timers, and checks what is sent.
final class RuntimeDriver<Core: FlowCore>: ReplayDriver {
  private let records: [FlowRecord]
  /// The indices of the records, by revision.
  private let places: [Int: Int]
  private let stream: String
  private let draws: SurrogateDraws
  private let surrogates: Surrogates
  private let world: RecordedWorld
  /// The limits: as many requests as the recorded calls led to, and no more.
  private let limits: FlowLimits
  private let makeApplication: ApplicationMaker<Core>
  /// The application, if the kind has one that can make such a flow; otherwise calls go directly to the flow.
  private var application: (any PlayedApplication<Core>)?
  /// The calls that the application made.
  private var played: Set<Int> = []
  private let playedForms: PlayedForms
  private let tasks = PlayedTasks()
  /// The calls that the objects did not offer in the last step, by revision.
  private var refusals: [(revision: Int, sentence: String)] = []
  private var live: Flow<Core>?
  /// The state before the application released the flow.
  private var last = Core()
  private var isListened = false
  private let returned = Locked<[Int: CallReturned.Outcome]>([:])
  private var made: [FlowRecord] = []

  /// A driver of a flow.
  ///
  /// - Parameters:
  ///   - surrogates: the replacements of the flow's placeholders; determined from the flow by default.
  ///   - read: makes the event that a reader of the log reads from a written one.
  ///   - application: makes the application of the flow.
  init(
    _ flow: RecordedFlow, _ surrogates: Surrogates? = nil, reading read: @escaping EventReader,
    application: @escaping ApplicationMaker<Core>
  ) {
    makeApplication = application
    stream = flow.stream
    let givenUp = flow.records.compactMap { record -> Int? in
      guard case .callMade(let made) = record.event, made.call == CallMade.giveUp else { return nil }
      return made.arguments["call"]?.int
    }
    playedForms = PlayedForms(flow.stableName, givenUp: Set(givenUp), letGo: Self.callsLetGo(of: flow))
    records = flow.records
    places = Dictionary(flow.records.enumerated().map { ($0.element.revision, $0.offset) }) { first, _ in first }
    let surrogates =
      surrogates
      ?? Surrogates(
        for: flow.records, PlaceholderNames(of: flow.records), misfits: MisfitCheck<Core>(flow.records).values)
    self.surrogates = surrogates
    draws = SurrogateDraws(flow.records, surrogates)
    limits = FlowLimits(requests: Self.mostRequests(of: flow), recordedBytes: .max)
    world = RecordedWorld(at: flow.records.first?.at ?? Timestamp(microseconds: 0), reading: read)
  }

  /// The most requests that a call without a status, with everything after it, led to: such a call restarts the count.
  private static func mostRequests(of flow: RecordedFlow) -> Int {
    var (count, most) = (0, 0)
    for record in flow.records {
      switch record.event {
      case .callMade(let made) where made.on == nil && ![CallMade.giveUp, CallMade.release].contains(made.call):
        count = 0
      case .requestSent: count += 1
      case .requestFailed(let failed) where failed.error.code == .limitReached: return .max
      case .callMade, .requestFailed, .flowStarted, .flowEnded, .noteAdded, .callReturned, .responseReceived, .timerSet,
        .timerFired, .drawAsked, .drawMade, .domain:
        break
      }
      most = max(most, count)
    }
    return most
  }

  /// The calls that were waiting when the application released the flow.
  private static func callsLetGo(of flow: RecordedFlow) -> Set<Int> {
    var (open, letGo): (Set<Int>, Set<Int>) = ([], [])
    for record in flow.records {
      if case .callReturned(let returned) = record.event { open.remove(returned.call) }
      guard case .callMade(let made) = record.event else { continue }
      if made.call == CallMade.release {
        letGo.formUnion(open)
      } else if made.call != CallMade.giveUp {
        open.insert(record.revision)
      }
    }
    return letGo
  }

  /// A task that waits forever would keep the flow alive.
  deinit {
    guard tasks.isWaiting else { return }
    tasks.cancelAll()
    settle()
  }

  var core: Core { live?.core ?? last }
  var snapshotRevision: Int? { live.map { $0.snapshotRevision } ?? last.snapshotRevision }
  var forms: PlayedForms? { playedForms }
  /// Operations that wait in the seams belong to the flow's earlier state.
  var canGoOn: Bool { false }

  func adopt(_ core: Core, nextRevision: Int, draws: Int) {}

  func take() -> [FlowRecord] {
    made = world.take()
    return made
  }

  /// The recorded event with a revision.
  private func recorded(_ revision: Int) -> FlowRecord? { places[revision].map { records[$0] } }

  // MARK: Inputs

  func feed(_ record: FlowRecord, on snapshot: Core?) {
    world.turn(to: record.at)
    take(record, on: snapshot)
    settle()
  }

  /// The application is called back before it does anything else.
  private func settle() { tasks.runReady() }

  private func take(_ record: FlowRecord, on snapshot: Core?) {
    if case .flowStarted(let start) = record.event {
      if live == nil { begin(start) }
      return
    }
    if case .callMade(let made) = record.event, made.call == CallMade.release { return release(at: record.revision) }
    guard let live else { return }
    switch record.event {
    case .callMade(let made): call(made, at: record.revision, on: snapshot, live)
    case .responseReceived(let response): respond(response, record, live)
    case .requestFailed(let failed):
      world.complete(
        record.cause, .failure(TransportError(failed.error.code, surrogates.reveal(failed.error.detail))))
    case .timerFired: world.fire(record.cause)
    case .drawMade(let draw): answer(draw, to: record.cause)
    case .noteAdded(let note): live.note(surrogates.reveal(note.text))
    case .flowStarted, .flowEnded, .requestSent, .timerSet, .drawAsked, .callReturned, .domain: break
    }
  }

  private func begin(_ recorded: FlowStarted) {
    var start = recorded
    start.settings = surrogates.reveal(start.settings)
    isListened = start.settings["listener"]?.bool == true
    var environment = FlowEnvironment(
      recorder: world, transport: world, clock: world, timers: world, device: nil, limits: limits)
    // The application passes the context again, unless a later version has more in it.
    if let given = start.context.map({ surrogates.reveal($0) }), FlowContext(given).json == given {
      environment.context = FlowContext(given)
      start.context = nil
    }
    var rerun = FlowRerun(stream: stream, start: start, draws: draws, answers: world, forms: playedForms)
    rerun.tasks = tasks
    rerun.calls = calls
    rerun.secrets = PlayedSecrets { [surrogates] in
      surrogates.reveal($0)
    } value: { [surrogates] in
      surrogates.reveal($0)
    }
    environment.rerun = rerun
    if case .object(var settings) = start.settings {
      settings["listener"] = nil
      start.settings = .object(settings)
    }
    do throws(PlayedRefusal) {
      application = try makeApplication(start, environment)
    } catch {
      refusals.append((0, error.sentence))
    }
    live = application?.flow ?? Flow(environment: environment, settings: start.settings, resumes: start.resumes)
  }

  private var calls: [CallMade] {
    let calls = places.values.compactMap { place -> (revision: Int, made: CallMade)? in
      if case .callMade(let made) = records[place].event { (records[place].revision, made) } else { nil }
    }
    return calls.sorted { $0.revision < $1.revision }.map(\.made)
  }

  private func call(_ recorded: CallMade, at revision: Int, on snapshot: Core?, _ live: Flow<Core>) {
    guard recorded.call != CallMade.giveUp else {
      if let call = recorded.arguments["call"]?.int, !tasks.cancel(call) { live.giveUp(call: call) }
      return
    }
    playedForms.note(recorded.arguments, at: revision)
    var made = recorded
    made.arguments = surrogates.reveal(made.arguments)
    switch application?.call(made, at: revision, on: snapshot) {
    case .played:
      played.insert(revision)
      return
    case .refused(let sentence): refusals.append((revision, sentence))
    case .noForm, nil: break
    }
    let returned = returned
    let sink = CallSink<Core>(returned: { result, _ in
      if case .success(let outcome) = result { returned.withLock { $0[revision] = outcome } }
    })
    live.call(made.call, arguments: made.arguments, on: snapshot, sink: sink)
  }

  private func answer(_ draw: DrawMade, to cause: Int?) {
    let result = draws.reveal(draw)
    if let application, let cause, case .drawAsked(var asked)? = recorded(cause)?.event {
      asked.input = surrogates.reveal(asked.input)
      application.answers(asked, with: result)
    }
    world.answer(cause, result)
  }

  /// Releases the flow as an application does: explicitly if calls are waiting, otherwise by dropping it.
  private func release(at revision: Int) {
    last = core
    guard last.openCalls.isEmpty else {
      guard application?.letGo() == true else {
        live?.release()
        return
      }
      application = nil
      settle()
      if !world.hasRecords {
        refusals.append((revision, "the flow does not hear that the application let go of it"))
        live?.release()
      }
      return
    }
    world.forgetAll()
    (application, live) = (nil, nil)
  }

  private func respond(_ response: ResponseReceived, _ record: FlowRecord, _ live: Flow<Core>) {
    let body: [UInt8]
    switch response.body {
    case .empty: body = []
    case .json(let json): body = surrogates.reveal(json).bytes
    case .opaque:
      // Its bytes are not in the recording.
      world.forget(record.cause)
      return live.feed(record, on: nil)
    }
    let headers = response.headers.map { HTTPField(surrogates.reveal($0.name), surrogates.reveal($0.value)) }
    let head = ResponseBytes.read(response.status, headers)
    world.complete(
      record.cause,
      .success(HTTPResponse(status: head.status, headers: head.headers, body: body, timing: response.timing)))
  }

  // MARK: What shows in no record

  func findings() -> [StepDifference] {
    var found = refusals.map { revision, sentence in
      StepDifference(
        kind: .missing, revision: revision, expected: recorded(revision), actual: nil, complaint: sentence)
    }
    refusals = []
    let (sent, unsent) = world.takeRequests()
    for request in sent {
      guard let record = request.record else { continue }
      if !request.wasWritten {
        found.append(StepDifference(kind: .moved, revision: record.revision, expected: record, actual: record))
      } else if let refusal = refusal(of: request.request, record.revision) {
        found.append(
          StepDifference(
            kind: .missing, revision: record.revision, expected: record, actual: nil, complaint: refusal))
      } else if !isListened, let difference = RequestBytes.difference(request.request, record, surrogates) {
        found.append(difference)
      }
    }
    for record in unsent {
      found.append(StepDifference(kind: .missing, revision: record.revision, expected: record, actual: nil))
    }
    if let difference = news() { found.append(difference) }
    found += timerFindings()
    for record in made {
      guard case .callReturned(let end) = record.event, places[end.call] != nil else { continue }
      if let difference = difference(end, record) { found.append(difference) }
    }
    return found
  }

  /// Why the transport would not have sent a request that was answered.
  private func refusal(of request: HTTPRequest, _ revision: Int) -> String? {
    guard request.refusal(pinned: false, allowsClearText: true) != nil else { return nil }
    let isAnswered = records.contains { record in
      if case .responseReceived = record.event { record.cause == revision } else { false }
    }
    return isAnswered ? "the transport does not send such a request" : nil
  }

  /// How the application's result differs from an event of the last step.
  private func news() -> StepDifference? {
    guard let application, let last = made.last else { return nil }
    let events = made.compactMap { record -> (revision: Int, event: DomainEvent)? in
      if case .domain(let event) = record.event { (record.revision, event) } else { nil }
    }
    guard let (revision, complaint) = application.complaint(aboutNews: events, in: core) else { return nil }
    let record = made.first { $0.revision == revision } ?? last
    return StepDifference(
      kind: .missing, revision: record.revision, expected: record, actual: nil, complaint: complaint)
  }

  private func timerFindings() -> [StepDifference] {
    var complaints = world.takeWrongTimers().mapValues { "the timer runs for \($0) ms" }
    if let live {
      for timer in world.runningTimers where !live.awaits(timer: timer) {
        complaints[timer] = "the timer goes on, and nothing waits for it"
      }
    }
    return complaints.sorted { $0.key < $1.key }.map { timer, complaint in
      StepDifference(kind: .missing, revision: timer, expected: recorded(timer), actual: nil, complaint: complaint)
    }
  }

  /// Releases a flow that has ended, which produces no records.
  func finish() -> [StepDifference] {
    guard live?.core.isOpen == false else { return [] }
    last = core
    (application, live) = (nil, nil)
    settle()
    return world.take().map { record in
      StepDifference(kind: .extra, revision: record.revision, expected: nil, actual: record)
    }
  }

  /// How the caller's result differs from its record.
  private func difference(_ end: CallReturned, _ record: FlowRecord) -> StepDifference? {
    var complaint: String?
    if played.remove(end.call) != nil {
      guard let application else { return nil }
      complaint = application.complaint(about: end.outcome, of: end.call, in: core)
    } else if returned.withLock({ $0.removeValue(forKey: end.call) }) != end.outcome {
      complaint = "the caller got nothing of it"
    }
    return complaint.map {
      StepDifference(kind: .missing, revision: record.revision, expected: record, actual: nil, complaint: $0)
    }
  }
}

/// Returns the recorded draws with surrogates in them.
struct SurrogateDraws: DrawSource {
  private let draws: RecordedDraws
  private let surrogates: Surrogates

  init(_ records: [FlowRecord], _ surrogates: Surrogates) {
    draws = RecordedDraws(records)
    self.surrogates = surrogates
  }

  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> Result<JSON, DrawFailure> {
    let result = draws.draw(kind, input: input, ordinal: ordinal, revision: revision)
    // A listener's result for a request is masked where it is made.
    return kind == .requestListener ? result : reveal(result)
  }

  /// The result of a draw with surrogates in it.
  func reveal(_ draw: DrawMade) -> Result<JSON, DrawFailure> { reveal(draw.result) }

  private func reveal(_ result: Result<JSON, DrawFailure>) -> Result<JSON, DrawFailure> {
    switch result {
    case .success(let value): .success(surrogates.reveal(value))
    case .failure(let failure): .failure(DrawFailure(failure.reason, failure.detail.map(surrogates.reveal)))
    }
  }
}
