#if Nats
  // Reading streams in order: a consumer of the engine for each, which this asks for some messages at a time. The
  // consumer is only a cursor that the engine may lose: it is made again from the sequence on the collector's own disk.
  import EventStore
  import Fleet

  /// Reads the streams of some partitions.
  final class NatsReader {
    /// The state of a stream's consumer.
    private struct Stream {
      /// The engine's name for the consumer; nil before it is made, and after anything odd.
      var consumer: String?
      /// How many messages it has delivered.
      var delivered: UInt64 = 0
      /// The newest sequence at some time, and that time: messages up to it that have not arrived a second later were
      /// lost.
      var newest: (sequence: UInt64, at: ContinuousClock.Instant)?
    }

    /// The messages that a stream still owes within a read.
    private struct Request {
      let partition: Character
      var left: Int
    }

    private let connection: NatsConnection
    /// The inbox for messages.
    private let inbox: NatsInbox
    /// The inbox for answers about streams and consumers: waiting there consumes no message.
    private let control: NatsInbox
    private let streams: NatsStreams
    private var known: [Character: Stream] = [:]

    init(_ connection: NatsConnection, inboxes: String, streams: NatsStreams) throws(FleetError) {
      self.connection = connection
      inbox = try connection.inbox(inboxes + "m")
      control = try connection.inbox(inboxes + "c")
      self.streams = streams
    }

    /// Messages of stores after a cursor. A stream that cannot be read now fails the call only if nothing else arrived.
    func read(
      from cursor: FleetCursor, of stores: Set<String>, partitions: [Character], limit: Int
    ) throws(FleetError) -> FleetBatch {
      var batch = FleetBatch(deliveries: [], cursor: cursor)
      var requests: [String: Request] = [:]
      var failure: FleetError?
      let most = max(8, min(64, limit / max(1, partitions.count)))
      for partition in partitions {
        do throws(FleetError) {
          let consumer = try self.consumer(of: partition, &batch.cursor)
          let reply = inbox.next()
          let subject = "$JS.API.CONSUMER.MSG.NEXT.\(NatsStreams.name(partition)).\(consumer)"
          let body = JSON.members([("batch", .int(most)), ("no_wait", .bool(true))]).bytes
          try connection.publish(body, to: subject, reply: reply)
          requests[reply] = Request(partition: partition, left: most)
        } catch {
          if case .refused = error { throw error }
          failure = error
        }
      }
      try gather(&requests, of: stores, into: &batch)
      for request in requests.values {
        known[request.partition] = nil
        failure = .unreachable("\(NatsStreams.name(request.partition)) does not answer")
      }
      if let failure, batch.deliveries.isEmpty { throw failure }
      return batch
    }

    /// Collects messages until no request owes any, or until two seconds pass without a message.
    private func gather(
      _ requests: inout [String: Request], of stores: Set<String>, into batch: inout FleetBatch
    ) throws(FleetError) {
      var end = ContinuousClock.now + .seconds(2)
      while !requests.isEmpty, ContinuousClock.now < end {
        guard let message = inbox.receive(within: 50) else {
          try connection.checkTrouble()
          continue
        }
        end = ContinuousClock.now + .seconds(2)
        if let request = requests[message.subject] {
          requests[message.subject] = nil
          try close(request, status: message.status, &batch.cursor)
          continue
        }
        guard let place = ConsumerPlace(message.reply),
          let (reply, request) = requests.first(where: { known[$1.partition]?.consumer == place.consumer })
        else { continue }  // from a consumer that is no longer used
        let partition = request.partition
        guard place.delivered == (known[partition]?.delivered ?? 0) + 1 else {
          // A message was lost on the way.
          known[partition] = nil
          requests[reply] = nil
          continue
        }
        known[partition]?.delivered = place.delivered
        known[partition]?.newest = nil
        batch.cursor.positions[NatsStreams.name(partition)] = place.sequence
        if let store = NatsStreams.store(of: message.subject), stores.contains(store),
          let content = FleetMessage(encoded: message.body, of: store)
        {
          batch.deliveries.append(FleetDelivery(sequence: place.sequence, message: content))
        }
        requests[reply]?.left -= 1
        if place.pending == 0 || request.left <= 1 { requests[reply] = nil }
      }
    }

    /// Ends a request that was answered by a status: there are no more messages, or the consumer is gone.
    private func close(_ request: Request, status: Int?, _ cursor: inout FleetCursor) throws(FleetError) {
      let partition = request.partition
      guard status == 404 else {
        known[partition] = nil
        return
      }
      guard let newest = known[partition]?.newest else {
        known[partition]?.newest = (try info(of: partition)?.last ?? 0, .now)
        return
      }
      guard ContinuousClock.now - newest.at >= .seconds(1) else { return }
      // Nothing arrived for a second: unread messages up to there are lost, and their host must learn it.
      let name = NatsStreams.name(partition)
      if newest.sequence > cursor.positions[name] ?? 0 { cursor.positions[name] = newest.sequence }
      known[partition]?.newest = nil
      if let now = try info(of: partition), !isSame(now, as: cursor, partition) { known[partition] = nil }
    }

    // MARK: Streams and consumers

    /// Makes the missing streams.
    func prepare(_ partitions: [Character]) throws(FleetError) {
      for partition in partitions where try info(of: partition) == nil { _ = try make(partition) }
    }

    /// The name of a stream's consumer; makes the consumer and the stream if they do not exist. If the stream of that
    /// name was replaced, the cursor starts over.
    private func consumer(of partition: Character, _ cursor: inout FleetCursor) throws(FleetError) -> String {
      if let consumer = known[partition]?.consumer { return consumer }
      let name = NatsStreams.name(partition)
      var info = try info(of: partition)
      if info == nil { info = try make(partition) }
      guard let found = info else { throw .unreachable("\(name) was not made") }
      if !isSame(found, as: cursor, partition) { cursor.positions[name] = 0 }
      cursor.positions[name + ".made"] = found.made
      let configuration = JSON.members([
        ("deliver_policy", .string("by_start_sequence")), ("opt_start_seq", .number((cursor.positions[name] ?? 0) + 1)),
        ("ack_policy", .string("none")), ("replay_policy", .string("instant")), ("num_replicas", .int(1)),
        ("mem_storage", .bool(true)), ("inactive_threshold", .int(60_000_000_000)),
      ])
      let body = JSON.members([("stream_name", .string(name)), ("config", configuration)])
      let answer = try ask("$JS.API.CONSUMER.CREATE.\(name)", body).value()
      guard let consumer = answer["name"]?.string, !consumer.isEmpty, !consumer.utf8.contains(where: { $0 <= 0x20 })
      else { throw .unreachable("\(name) has made no consumer") }
      known[partition] = Stream(consumer: consumer)
      return consumer
    }

    /// True if a cursor belongs to this stream.
    private func isSame(_ info: StreamInfo, as cursor: FleetCursor, _ partition: Character) -> Bool {
      let name = NatsStreams.name(partition)
      return (cursor.positions[name + ".made"] ?? info.made) == info.made && cursor.positions[name] ?? 0 <= info.last
    }

    /// The information about a stream; nil if it does not exist. Throws `refused` if it does not keep what hosts send.
    private func info(of partition: Character) throws(FleetError) -> StreamInfo? {
      let name = NatsStreams.name(partition)
      switch try ask("$JS.API.STREAM.INFO.\(name)", nil) {
      case .failed(let code, let text):
        guard NatsCode(rawValue: code) == .noSuchStream else { throw NatsCode(rawValue: code).error(text) }
        return nil
      case .done(let json):
        guard let last = json["state"]?["last_seq"]?.position, let made = json["created"]?.string else {
          throw .unreachable("\(name) says nothing of itself")
        }
        guard json["config"]?["subjects"]?.array?.map(\.string) == ["fr.\(partition).>"],
          json["config"]?["allow_direct"] == .bool(true)
        else {
          throw .refused(
            StoreError(
              .invalid,
              "the stream \(name) is not as a fleet needs it: its only subject is fr.\(partition).>, and "
                + "allow_direct is true", advice: "see docs/FLEET.md"))
        }
        return StreamInfo(made: UInt64(CRC32C.checksum(Array(made.utf8))), last: last)
      }
    }

    /// Makes a stream: with three copies in a cluster and one otherwise, unless configured differently.
    private func make(_ partition: Character) throws(FleetError) -> StreamInfo? {
      let subject = "$JS.API.STREAM.CREATE.\(NatsStreams.name(partition))"
      var answer = try ask(subject, streams.configuration(partition, replicas: streams.replicas ?? 3))
      if case .failed(NatsCode.noReplicas.rawValue, _) = answer, streams.replicas == nil {
        answer = try ask(subject, streams.configuration(partition, replicas: 1))
      }
      if case .failed(let code, let text) = answer, NatsCode(rawValue: code) != .nameInUse {
        let error = NatsCode(rawValue: code).error(text)
        guard error == .full else { throw error }
        throw .refused(
          StoreError(
            .noSpace,
            "the servers have no room for the stream \(NatsStreams.name(partition)) of \(streams.bytes) bytes: "
              + "\(text)", advice: "give it less with --stream-bytes, or raise max_file_store"))
      }
      return try info(of: partition)
    }

    private func ask(_ subject: String, _ body: JSON?) throws(FleetError) -> NatsAnswer {
      try NatsAnswer(connection.request(subject, body?.bytes ?? [], by: control, within: 5_000))
    }
  }

  /// The place of a consumer's message, from its reply subject:
  /// `$JS.ACK.<stream>.<consumer>.<times>.<sequence>.<delivered>. <time>.<pending>`; newer servers put two words before
  /// the stream.
  struct ConsumerPlace: Sendable, Hashable {
    /// The engine's name of the consumer.
    var consumer: String
    /// The sequence in the stream.
    var sequence: UInt64
    /// Its number among the messages of the consumer.
    var delivered: UInt64
    /// How many more messages there are now.
    var pending: UInt64

    /// Reads a reply subject; nil if it is not one of a consumer.
    init?(_ reply: String) {
      let words = reply.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 9 || words.count >= 11, words[0] == "$JS", words[1] == "ACK" else { return nil }
      let first = words.count == 9 ? 2 : 4
      guard let sequence = UInt64(words[first + 3]), sequence <= 1 << 62, let delivered = UInt64(words[first + 4]),
        delivered <= 1 << 62, let pending = UInt64(words[first + 6])
      else { return nil }
      (consumer, self.sequence, self.delivered, self.pending) = (words[first + 1], sequence, delivered, pending)
    }
  }
#endif
