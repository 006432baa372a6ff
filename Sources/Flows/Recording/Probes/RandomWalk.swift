// Flows that a table continues at random, the same way each time: states and orders that no list of trials names.

package import EventStore

/// What a core may meet on a random walk.
package struct WalkWorld<Core: FlowCore> {
  package typealias Answer = (status: Int, body: JSON?, headers: [HTTPField])

  /// The values of each setting, the usual one first; with `nil` it is left out.
  package var settings: [(name: String, values: [JSON?])]
  /// The call with which most walks begin.
  package var opening: (name: String, arguments: JSON)
  /// The calls that an application can make in a state.
  package var calls: (Core) -> [(name: String, arguments: JSON)]
  /// The answers to a request, by its revision, the usual ones first.
  package var answers: (Core, Int, RequestSent) -> [Answer]
  /// The results of an immediate draw, the usual one first.
  package var draws: (DrawKind, JSON, Int) -> [Result<JSON, DrawFailure>]
  /// The results of a draw that waits, the usual ones first.
  package var decisions: (DrawAsked) -> [Result<JSON, DrawFailure>]
  /// The state as text.
  package var state: (Core) -> String

  package init(
    settings: [(name: String, values: [JSON?])], opening: (name: String, arguments: JSON),
    calls: @escaping (Core) -> [(name: String, arguments: JSON)],
    answers: @escaping (Core, Int, RequestSent) -> [Answer],
    draws: @escaping (DrawKind, JSON, Int) -> [Result<JSON, DrawFailure>],
    decisions: @escaping (DrawAsked) -> [Result<JSON, DrawFailure>], state: @escaping (Core) -> String
  ) {
    (self.settings, self.opening, self.calls, self.answers) = (settings, opening, calls, answers)
    (self.draws, self.decisions, self.state) = (draws, decisions, state)
  }

  /// A line for each walk: the steps, and a hash of everything that the core decided and of its last state.
  package func walks(_ count: Int, steps: Int) -> [String] {
    (0..<count).map { number in
      var walk = RandomWalk(self, number)
      for _ in 0..<steps { walk.step() }
      return walk.line
    }
  }
}

/// One walk.
private struct RandomWalk<Core: FlowCore> {
  private let world: WalkWorld<Core>
  private let number: Int
  private let chance: Chance
  private var stepper = CoreStepper<Core>(at: Timestamp(microseconds: 1_768_467_641_000_000))
  private var requests: [(revision: Int, sent: RequestSent)] = []
  private var asked: [(revision: Int, draw: DrawAsked)] = []
  private var timers: [Int] = []
  private var words: [String] = []
  private var outcomes: [String] = []

  init(_ world: WalkWorld<Core>, _ number: Int) {
    self.world = world
    self.number = number
    let chance = Chance(seed: UInt64(number))
    self.chance = chance
    let settings = world.settings.map { name, values in
      (name, chance.happens(onceIn: 3) ? chance.pick(values) ?? nil : values.first ?? nil)
    }
    take(.flowStarted(FlowStarted(kind: Core.kind, sdk: "sdk", settings: .members(settings))), nil)
    if !chance.happens(onceIn: 8) { call(world.opening.name, world.opening.arguments) }
  }

  var line: String {
    let end = "\(stepper.core.openCalls.sorted()) \(stepper.core.awaitedTimers.sorted()) \(stepper.core.isOpen)"
    let all = outcomes.joined(separator: "\n") + end + world.state(stepper.core)
    return "\(number) \(words.joined(separator: ", "))|\(StableHash.text(all))"
  }

  /// Gives the core one input out of those that could come now.
  mutating func step() {
    let pauses: [Int64] = [200_000, 1_000_000, 2_000_000, 5_000_000, 30_000_000, 400_000_000]
    stepper.at = Timestamp(microseconds: stepper.at.microseconds + (chance.pick(pauses) ?? 0))
    // An application usually has the newest object; some calls are made on one that it kept.
    if stepper.core.snapshotRevision != nil, !chance.happens(onceIn: 4) { stepper.held = stepper.core }
    switch chance.below(10) {
    case 0..<5 where !requests.isEmpty: answer()
    case 0..<6 where !asked.isEmpty: decide()
    case 0..<8 where !timers.isEmpty: fire()
    case 8 where !requests.isEmpty: lose()
    case let other: other == 9 && chance.happens(onceIn: 3) ? giveUp() : callAny()
    }
  }

  private mutating func answer() {
    let (revision, sent) = requests.remove(at: chance.below(requests.count))
    guard let given = chance.pickUsual(world.answers(stepper.core, revision, sent)) else { return }
    var body = given.body
    if let whole = body, chance.happens(onceIn: 5), let place = chance.pick(ChangedJSON.places(in: whole)) {
      body = chance.pick(ChangedJSON.allCases)?.applied(to: whole, at: place[...])
    }
    words.append("\(given.status)")
    let received = ResponseReceived(
      status: given.status, headers: given.headers, body: body.map { .json($0) } ?? .empty)
    take(.responseReceived(received), revision)
  }

  private mutating func lose() {
    let (revision, _) = requests.remove(at: chance.below(requests.count))
    let code = chance.pick(TransportError.Code.allCases) ?? .timedOut
    words.append(code.rawValue)
    take(.requestFailed(RequestFailed(TransportError(code, "why"))), revision)
  }

  private mutating func decide() {
    let (revision, draw) = asked.remove(at: chance.below(asked.count))
    guard let result = chance.pickUsual(world.decisions(draw)) else { return }
    words.append(draw.kind.rawValue)
    note(stepper.answer(draw.kind, result, asked: revision, drawing: drawing))
  }

  private mutating func fire() {
    words.append("timer")
    take(.timerFired(TimerFired()), timers.remove(at: chance.below(timers.count)))
  }

  private mutating func giveUp() {
    guard let call = chance.pick(stepper.core.openCalls.sorted()) else { return }
    words.append("give up")
    take(.callMade(CallMade(call: CallMade.giveUp, arguments: ["call": .int(call)])), nil)
  }

  private mutating func callAny() {
    guard let (name, arguments) = chance.pick(world.calls(stepper.core)) else { return }
    call(name, arguments)
  }

  private mutating func call(_ name: String, _ arguments: JSON) {
    words.append(name)
    take(.callMade(CallMade(call: name, arguments: arguments, on: stepper.held?.snapshotRevision)), nil)
  }

  private var drawing: CoreStepper<Core>.Drawing {
    { [world, chance] kind, input, number in
      chance.pickUsual(world.draws(kind, input, number)) ?? .failure(DrawFailure(.missing, "nothing draws it"))
    }
  }

  private mutating func take(_ event: FlowEvent, _ cause: Int?) {
    note(stepper.feed(event, cause: cause, drawing: drawing))
  }

  /// Keeps what the core waits for.
  private mutating func note(_ outcome: CoreStepper<Core>.Outcome) {
    outcomes += outcome.lines
    for record in outcome.outputs {
      switch record.event {
      case .requestSent(let sent): requests.append((record.revision, sent))
      case .drawAsked(let draw): asked.append((record.revision, draw))
      case .timerSet: timers.append(record.revision)
      case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .responseReceived, .requestFailed, .drawMade,
        .timerFired, .domain:
        break
      }
    }
    let core = stepper.core
    timers.removeAll { !core.awaitedTimers.contains($0) }
    asked.removeAll { !core.awaits(draw: $0.revision) }
  }
}
