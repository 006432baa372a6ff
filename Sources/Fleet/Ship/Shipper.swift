// Sends a store's bytes to an engine. It keeps nothing on disk: it learns its position from the last message and from
// the collectors.
package import EventStore

/// Ships one store. One thread at a time may use it; in its own process beside the store's writer.
package final class Shipper: CustomStringConvertible {
  /// How it ships.
  package struct Options: Sendable {
    /// How long a few bytes wait for more, in microseconds.
    package var linger: Int64
    /// The number of bytes from which a slice is sent at once.
    package var enough: Int
    /// The most bytes of a slice.
    package var longest: Int
    /// How often it asks the collectors, in microseconds.
    package var askEvery: Int64

    /// Options with the usual values.
    package init(
      linger: Int64 = 2_000_000, enough: Int = 64 << 10, longest: Int = 256 << 10, askEvery: Int64 = 30_000_000
    ) {
      self.linger = linger
      self.enough = enough
      self.longest = longest
      self.askEvery = askEvery
    }
  }

  /// A position in the log.
  private struct Position {
    /// The sequence of the store's last message.
    var sequence: UInt64
    /// Where the next byte stands.
    var place: MirrorPlace
  }

  /// The store's id.
  package let store: String
  private let source: StoreSource
  private let transport: any FleetTransport
  private let options: Options
  private var position: Position?
  /// The place in a sealed segment that is being sent once more, in addition to new bytes.
  private var side: MirrorPlace?
  /// The sealed segments that were sent once more: how often, and the sequence after the last time.
  private var sentAgain: [UInt64: (times: Int, sequence: UInt64)] = [:]
  /// True while a collector lacks the sealed form of a sealed segment.
  private var owesSealed = false
  /// The end up to which a collector had all bytes but had verified fewer, and how often they were sent again.
  private var repeated: (end: MirrorPlace, times: Int)?
  private var sentIdentity: String?
  private var waitingSince: Int64?
  private var askedAt: Int64?
  private var trouble: ShipTrouble?
  /// The last answers of the collectors, except those with checkpoints that no key of the log has signed.
  package private(set) var answers: [FleetAnswer] = []
  /// A collector whose answer is ignored for that reason.
  package private(set) var doubted: String?

  /// A shipper of the store that a source reads.
  package init(_ source: StoreSource, to transport: any FleetTransport, options: Options = Options()) throws(StoreError)
  {
    self.source = source
    self.transport = transport
    self.options = options
    store = try source.identity().identity.id
    guard FleetMessage.isStore(store) else {
      throw StoreError(.malformed, "the store's id is not 32 hexadecimal digits", file: source.directory)
    }
  }

  /// True if the engine has stored all whole elements of the log.
  package var isShipped: Bool { isAtEnd && side == nil && trouble == nil }
  private var isAtEnd = false

  /// True if each collector that answered has verified and synced them, and at least one has answered.
  package var isCollected: Bool {
    guard isShipped, !owesSealed, let position, !answers.isEmpty else { return false }
    return answers.allSatisfy { !$0.state.end.isBefore(position.place) && $0.identity == sentIdentity }
  }

  /// Its position, for people.
  package var description: String {
    let ends = answers.map {
      "\($0.collector) has read \($0.read), verified \($0.state.end), wants \($0.wanted), staged \($0.staged as Any)"
    }
    return "\(store) at \(position as Any), beside it \(side as Any), sealed owed \(owesSealed); \(ends)"
  }

  /// Performs the next step: finds its position, sends a slice, or asks. `now` is a time in microseconds that never
  /// goes back; `isLast` sends the available bytes without waiting for more.
  ///
  /// Throws what reading the store throws: `altered` or `malformed` if its bytes are damaged.
  package func step(now: Int64, isLast: Bool = false) throws(StoreError) -> ShipStep {
    do throws(Ending) {
      return try stepping(now: now, isLast: isLast)
    } catch {
      switch error {
      case .store(let problem): throw problem
      case .engine(.refused(let problem)): throw problem
      case .engine(.full): return .waiting("the engine has no room")
      case .engine(let problem):
        // The request may have succeeded: find out.
        position = nil
        return .waiting("\(problem)")
      case .trouble(let found):
        trouble = found
        // So that people who look at the collector see it, too.
        askedAt = nil
        _ = try? ask(now: now)
        return .stopped(found)
      }
    }
  }

  /// What ends a step early.
  private enum Ending: Error {
    case store(StoreError)
    case engine(FleetError)
    case trouble(ShipTrouble)
  }

  private var silence: String {
    doubted.map { "the answer of \($0) has a checkpoint that no key of this log has signed, and is not believed" }
      ?? "no collector answers"
  }

  private func stepping(now: Int64, isLast: Bool) throws(Ending) -> ShipStep {
    if let trouble {
      try ask(now: now)
      return .stopped(trouble)
    }
    let wasAtEnd = isAtEnd
    isAtEnd = false
    if position == nil {
      askedAt = nil
      try ask(now: now)
    } else if now - (askedAt ?? .min / 2) >= options.askEvery {
      try ask(now: now)
      if try hasBegunAgain() { position = nil } else { try rewind(fromEnd: wasAtEnd) }
    }
    if position == nil {
      guard let found = try locate() else { return .waiting(silence) }
      position = found
    }
    guard var position else { return .idle }
    if let bytes = try shipIdentity(position) { return .shipped(bytes: bytes) }
    while true {
      let slice = try reading(&position) { source, place throws(StoreError) in
        try source.slice(from: place, limit: self.options.longest)
      }
      if let slice {
        let next = try storing { source throws(StoreError) in try source.segment(after: position.place.segment) }
        if slice.bytes.count < options.enough, next == nil, !isLast {
          let since = waitingSince ?? now
          waitingSince = since
          if now - since < options.linger { return .idle }
        }
        waitingSince = nil
        let before = try storing { source throws(StoreError) in
          slice.place.offset == 0 ? try source.length(before: slice.place.segment) : nil
        }
        try put(FleetMessage(slice, of: store, before: before), then: slice.end)
        return .shipped(bytes: slice.bytes.count)
      }
      guard let next = try storing({ source throws(StoreError) in try source.segment(after: position.place.segment) })
      else { break }
      let form = try storing { source throws(StoreError) in try source.form(of: next) }
      position.place = MirrorPlace(segment: next, form: form ?? .written)
      self.position = position
    }
    isAtEnd = true
    return try shipAgain(position)
  }

  // MARK: Where it stands

  /// Finds the place of the next byte; nil if only a collector can know it, and none answers.
  private func locate() throws(Ending) -> Position? {
    side = nil
    try refuseAnotherLog(sequence: 0)
    let last = try engine { transport throws(FleetError) in try transport.last(of: self.store) }
    guard let last else {
      // The engine has nothing: bytes that the collectors have need not be sent again.
      let place = answers.map(Self.resumption).min { $0.isBefore($1) } ?? .start
      guard try has(place) else { return try judge(sequence: 0) }
      return Position(sequence: 0, place: place)
    }
    let message = last.message
    guard message.content == .identity || message.content.rawValue == message.place.form.rawValue,
      try isOwn(message)
    else { return try judge(sequence: last.sequence) }
    // A collector that has read everything knows the position, whether or not the last message is of a sealed segment.
    let read = answers.filter { $0.read >= last.sequence }
    if read.count == answers.count, let wanted = read.map(Self.resumption).min(by: { $0.isBefore($1) }) {
      guard try has(wanted) else { return try judge(sequence: last.sequence) }
      return Position(sequence: last.sequence, place: wanted)
    }
    return Position(sequence: last.sequence, place: try restated(message.end))
  }

  /// True if a collector has not read everything that was sent, and never will: the engine lost it, and has started
  /// counting from the start. A store that has nothing to send would not notice it otherwise.
  private func hasBegunAgain() throws(Ending) -> Bool {
    guard let position, answers.contains(where: { $0.read < position.sequence }) else { return false }
    let last = try engine { transport throws(FleetError) in try transport.last(of: self.store) }
    return last?.sequence ?? 0 < position.sequence
  }

  /// Where to continue for a collector that wants more: after its newest checkpoint. Later bytes there may be forged in
  /// this log's name, and are compared with the bytes that arrive.
  private static func resumption(_ answer: FleetAnswer) -> MirrorPlace {
    let signed = answer.state.signed ?? .start
    return signed.isBefore(answer.wanted) ? signed : answer.wanted
  }

  /// Stops if a collector has a checkpoint by this log's key that the log does not contain.
  private func refuseAnotherLog(sequence: UInt64) throws(Ending) {
    let sent = sentIdentity
    if answers.contains(where: { $0.note != nil }) { _ = try judge(sequence: sequence) }
    sentIdentity = sent
  }

  /// True if a message is of this log.
  private func isOwn(_ message: FleetMessage) throws(Ending) -> Bool {
    guard message.content != .identity else { return try has(message.place) }
    return try storing { source throws(StoreError) in
      guard let form = try source.form(of: message.place.segment) else { return false }
      // The segment was sealed or pruned since: the collectors compare the trees.
      if form != message.place.form { return form == .rewritten }
      return try source.bytes(at: message.place, count: message.bytes.count) == message.bytes
    }
  }

  /// True if the log reaches to a place.
  private func has(_ place: MirrorPlace) throws(Ending) -> Bool {
    try storing { source throws(StoreError) in
      guard let form = try source.form(of: place.segment) else { return place == .start }
      if form != place.form { return form == .rewritten }
      guard place.offset > 0 else { return true }
      return try source.bytes(at: MirrorPlace(segment: place.segment, form: form, offset: place.offset - 1), count: 1)?
        .count == 1
    }
  }

  /// The place to continue from; the segment's beginning if it has another form now.
  private func restated(_ place: MirrorPlace) throws(Ending) -> MirrorPlace {
    try storing { source throws(StoreError) in
      let form = try source.form(of: place.segment) ?? place.form
      return form == place.form ? place : MirrorPlace(segment: place.segment, form: form)
    }
  }

  /// Called if the shipped bytes are not of this log: they were forged in its name, or the log has been replaced. The
  /// newest checkpoint that a collector has verified decides, since only the holder of the key can make one.
  private func judge(sequence: UInt64) throws(Ending) -> Position? {
    guard !answers.isEmpty else { return nil }
    var place: MirrorPlace?
    for answer in answers {
      guard let note = answer.note.flatMap({ try? SignedNote(text: $0) }), let end = answer.state.signed else {
        place = .start
        continue
      }
      let isThere = try storing { source throws(StoreError) in try source.contains(note) }
      guard isThere else {
        let size = source.size()
        let isShort = size < note.size
        throw .trouble(
          ShipTrouble(
            kind: isShort ? .rolledBack : .forked,
            message: isShort
              ? "the log has \(size) records, and its key has signed \(note.size), which \(answer.collector) has"
              : "the log has another root than its key has signed over \(note.size) records, which "
                + "\(answer.collector) has"))
      }
      // A place that the log does not have was never read from it: the answer is wrong, or forged.
      let known = try has(end) ? end : .start
      if place.map({ known.isBefore($0) }) ?? true { place = known }
    }
    sentIdentity = nil
    return Position(sequence: sequence, place: try restated(place ?? .start))
  }

  /// Goes back to the place that a collector wants if it has read everything but still lacks bytes, or has another
  /// `store.json`. At the end of the log, also if it has all bytes but has verified fewer: then some of them were
  /// forged in this log's name, and announce more than will come.
  private func rewind(fromEnd: Bool) throws(Ending) {
    guard var position else { return }
    let end = position.place
    let mayRepeat = fromEnd && (repeated?.end != end || repeated?.times ?? 0 < Self.mostTimes)
    var isRepeat = false
    for answer in answers where answer.read >= position.sequence {
      if answer.identity != sentIdentity { sentIdentity = nil }
      var (wanted, place) = (answer.wanted, Self.resumption(answer))
      if let staged = answer.staged, staged.segment == end.segment, staged.form == end.form {
        (wanted, place) = (staged, staged)
      }
      let lacks = wanted.isBefore(end)
      guard lacks || mayRepeat && answer.state.end.isBefore(end) else { continue }
      try refuseAnotherLog(sequence: position.sequence)
      guard try has(place) else {
        // The log's segment ends before that: superseded bytes were moved away. `locate` finds a place.
        if isRepeat || !lacks { countRepeat(at: end) }
        self.position = nil
        return
      }
      let target = try restated(place)
      sentIdentity = nil
      guard target.isBefore(position.place) else { continue }
      position.place = target
      isRepeat = isRepeat || !lacks
    }
    if isRepeat { countRepeat(at: end) }
    self.position = position
  }

  private func countRepeat(at end: MirrorPlace) {
    repeated = (end, repeated?.end == end ? (repeated?.times ?? 0) + 1 : 1)
  }

  // MARK: Sending

  /// Sends `store.json` if the collectors have another one. Returns how many bytes were sent.
  private func shipIdentity(_ position: Position) throws(Ending) -> Int? {
    let bytes = try storing { source throws(StoreError) in try source.identity().bytes }
    let mark = FleetAnswer.mark(of: bytes)
    if sentIdentity == nil, !answers.isEmpty, answers.allSatisfy({ $0.identity == mark }) { sentIdentity = mark }
    guard sentIdentity != mark else { return nil }
    try put(FleetMessage(store: store, content: .identity, place: position.place, bytes: bytes), then: position.place)
    sentIdentity = mark
    return bytes.count
  }

  /// Sends sealed segments once more if the collectors have only their written form.
  private func shipAgain(_ position: Position) throws(Ending) -> ShipStep {
    if side == nil {
      let sealed = try storing { source throws(StoreError) in try source.sealedSegments() }
      let owed = sealed.filter { first in
        first < position.place.segment && sentAgain[first]?.times ?? 0 < Self.mostTimes
          && !answers.allSatisfy { $0.rewritten.contains(first) }
      }
      owesSealed = !owed.isEmpty
      side = owed.first { first in
        // An engine that began again counts from the start: earlier messages are processed, or lost.
        let sequence = min(sentAgain[first]?.sequence ?? 0, position.sequence)
        return answers.allSatisfy { $0.read >= sequence }
      }.map { MirrorPlace(segment: $0, form: .rewritten) }
    }
    guard let place = side else { return .idle }
    let slice: SourceSlice?
    do throws(StoreError) {
      slice = try source.slice(from: place, limit: options.longest)
    } catch {
      guard error.code == .missingSegment else { throw .store(error) }
      slice = nil
    }
    guard let slice else {
      sentAgain[place.segment] = ((sentAgain[place.segment]?.times ?? 0) + 1, position.sequence)
      // The next answers show whether it has arrived.
      askedAt = nil
      side = nil
      return .shipped(bytes: 0)
    }
    try put(FleetMessage(slice, of: store), then: position.place)
    side = slice.end
    return .shipped(bytes: slice.bytes.count)
  }

  /// How often a sealed segment is sent if collectors keep their form, and how often the bytes before an end are sent
  /// if they do not verify.
  private static let mostTimes = 8

  private func put(_ message: FleetMessage, then place: MirrorPlace) throws(Ending) {
    guard let position else { return }
    let sequence = try engine { transport throws(FleetError) in
      try transport.put(message, expecting: position.sequence)
    }
    self.position = Position(sequence: sequence, place: place)
  }

  private func ask(now: Int64) throws(Ending) {
    guard now - (askedAt ?? .min / 2) >= options.askEvery else { return }
    let end = try storing { source throws(StoreError) in try source.end() }
    let question = FleetQuestion(store: store, end: end, trouble: trouble?.kind)
    let given = try engine { transport throws(FleetError) in try transport.ask(question) }
    let isOwn = try storing { source throws(StoreError) in try source.signs() }
    // Anyone who can write where answers are stored can forge one. Only the log's key can make its checkpoints.
    answers = given.filter { answer in
      answer.note.map { (try? SignedNote(text: $0)).map(isOwn) ?? false } ?? true
    }
    doubted = given.first { !answers.contains($0) }?.collector
    askedAt = now
  }

  /// Asks at once with the next step.
  package func askSoon() { askedAt = nil }

  // MARK: Errors

  private func storing<Result>(_ body: (StoreSource) throws(StoreError) -> Result) throws(Ending) -> Result {
    do throws(StoreError) { return try body(source) } catch { throw .store(error) }
  }

  private func engine<Result>(
    _ body: (any FleetTransport) throws(FleetError) -> Result
  ) throws(Ending) -> Result {
    do throws(FleetError) { return try body(transport) } catch { throw .engine(error) }
  }

  /// Reads at the position, which moves to the beginning of a segment that was sealed meanwhile.
  private func reading<Result>(
    _ position: inout Position, _ body: (StoreSource, MirrorPlace) throws(StoreError) -> Result
  ) throws(Ending) -> Result {
    do throws(StoreError) {
      return try body(source, position.place)
    } catch {
      guard error.code == .missingSegment else { throw .store(error) }
    }
    guard let form = try storing({ source throws(StoreError) in try source.form(of: position.place.segment) }) else {
      throw .store(
        StoreError(
          .missingSegment, "the segment that is shipped next is not there", file: source.directory,
          position: position.place.segment, advice: "run auditctl verify"))
    }
    position.place = MirrorPlace(segment: position.place.segment, form: form)
    self.position = position
    return try storing { source throws(StoreError) in try body(source, position.place) }
  }
}
