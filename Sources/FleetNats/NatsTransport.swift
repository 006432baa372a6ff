#if Nats
  // NATS JetStream between hosts and collectors (docs/FLEET.md §10). What is stored and acknowledged there is not
  // trusted.
  import EventStore
  package import Fleet
  import Synchronization

  /// A transport whose engine is NATS JetStream. One thread at a time uses it.
  package final class NatsTransport: FleetTransport {
    private let connection: NatsConnection
    private let streams: NatsStreams
    private let partitions: String
    private let answers = NatsAnswers()
    private let state = Mutex(State())

    /// The state of the transport. Unchecked, since the lock guards it, and no two threads use the transport at once.
    private struct State: @unchecked Sendable {
      var inboxes: [String: NatsInbox] = [:]
      var reader: NatsReader?
      var isListening = false
      /// The collectors that answered last, by store, and when the transport last waited for all possible collectors.
      var collectors: [String: (names: Set<String>, heard: ContinuousClock.Instant)] = [:]
    }

    /// All partitions: the first digits of the ids of stores.
    package static let allPartitions = "0123456789abcdef"

    /// How long an answer of the engine may take, in milliseconds.
    private static let patience: Int64 = 5_000

    /// Connects.
    ///
    /// - Parameter partitions: the first digits of the ids of the collected stores; a host needs none.
    package init(
      _ access: NatsAccess, streams: NatsStreams = NatsStreams(), partitions: String = NatsTransport.allPartitions
    ) throws(FleetError) {
      connection = try NatsConnection(access)
      self.streams = streams
      self.partitions = partitions
    }

    /// Makes the missing streams of its partitions; collectors call it before hosts send.
    package func prepare() throws(FleetError) { try reader().prepare(Array(partitions)) }

    package func put(_ message: FleetMessage, expecting: UInt64) throws(FleetError) -> UInt64 {
      let inbox = try inbox(of: message.store)
      let reply = try connection.request(
        NatsStreams.subject(of: message.store), message.encoded, expecting: expecting, by: inbox, within: Self.patience)
      guard let sequence = try NatsAnswer(reply).value()["seq"]?.position, sequence > 0 else {
        throw .unreachable("the engine acknowledges without a sequence")
      }
      return sequence
    }

    package func last(of store: String) throws(FleetError) -> FleetDelivery? {
      let inbox = try inbox(of: store)
      let stream = NatsStreams.name(store.first ?? "0")
      let reply = try connection.request(
        "$JS.API.DIRECT.GET.\(stream).\(NatsStreams.subject(of: store))", [], by: inbox, within: Self.patience)
      switch (reply.status, reply.sequence) {
      case (404, nil): return nil
      case (_, let sequence?) where sequence > 0 && sequence <= 1 << 62:
        // An unreadable message is still the last one: it does not match what its host has.
        let message =
          FleetMessage(encoded: reply.body, of: store)
          ?? FleetMessage(store: store, content: .written, place: .start, bytes: [0])
        return FleetDelivery(sequence: sequence, message: message)
      default: throw .unreachable("the engine does not say what the last message is")
      }
    }

    package func read(from cursor: FleetCursor, of stores: Set<String>, limit: Int) throws(FleetError) -> FleetBatch {
      let wanted = partitions.filter { digit in stores.contains { $0.first == digit } }
      return try reader().read(from: cursor, of: stores, partitions: Array(wanted), limit: limit)
    }

    package func ask(_ question: FleetQuestion) throws(FleetError) -> [FleetAnswer] {
      let store = question.store
      let inbox = try inbox(of: store)
      let reply = inbox.next()
      try connection.publish(question.json.bytes, to: NatsAnswers.subject(of: store), reply: reply)
      let known = state.withLock { $0.collectors[store] }
      let expected = known?.names ?? []
      var found: [String: FleetAnswer] = [:]
      let (now, most) = (ContinuousClock.now, Duration.milliseconds(1_000))
      // A host that asks repeatedly need not wait for all collectors each time.
      let isAgain = known.map { !$0.names.isEmpty && now - $0.heard < .seconds(5) } ?? false
      let least = Duration.milliseconds(isAgain ? 0 : 100)
      while true {
        let passed = ContinuousClock.now - now
        let isWhole = !found.isEmpty && expected.isSubset(of: found.keys)
        guard passed < most, passed < least || !isWhole, found.count < 64 else { break }
        guard let message = inbox.receive(within: 20) else {
          try connection.checkTrouble()
          continue
        }
        guard message.subject == reply else { continue }
        if message.isUnanswered { break }
        guard let answer = FleetAnswer(json: message.json), answer.store == store else { continue }
        found[answer.collector] = answer
      }
      let heard = isAgain && expected.isSubset(of: found.keys) ? known?.heard ?? now : now
      state.withLock { $0.collectors[store] = (Set(found.keys), heard) }
      return found.values.sorted { $0.collector < $1.collector }
    }

    package func answer(_ answers: [FleetAnswer]) throws(FleetError) {
      try listen()
      try self.answers.set(answers, over: connection)
    }

    package func questions(for collector: String) throws(FleetError) -> [FleetQuestion] {
      try listen()
      return answers.takeQuestions()
    }

    package func read(of store: String, by cursor: FleetCursor) -> UInt64 {
      cursor.positions[NatsStreams.name(store.first ?? "0")] ?? 0
    }

    // MARK: Inboxes

    /// The inbox for answers about a store. No other host's user may read it.
    private func inbox(of store: String) throws(FleetError) -> NatsInbox {
      if let inbox = state.withLock({ $0.inboxes[store] }) { return inbox }
      let inbox = try connection.inbox(NatsAnswers.inbox(of: store) + "." + Self.token())
      state.withLock { $0.inboxes[store] = inbox }
      return inbox
    }

    private func reader() throws(FleetError) -> NatsReader {
      if let reader = state.withLock({ $0.reader }) { return reader }
      let reader = try NatsReader(connection, inboxes: "fr.inbox.collect." + Self.token(), streams: streams)
      state.withLock { $0.reader = reader }
      return reader
    }

    private func listen() throws(FleetError) {
      guard !state.withLock({ $0.isListening }) else { return }
      let answers = answers
      try connection.listen(to: NatsAnswers.subject(of: "*")) { [weak connection] message in
        if let connection { answers.take(message, over: connection) }
      }
      state.withLock { $0.isListening = true }
    }

    private static func token() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
  }
#endif
