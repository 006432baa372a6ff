#if Nats
  // The sixteen streams, and the engine's answers in JSON. Requests are written by hand: libraries support fewer fields
  // than servers.
  import EventStore
  import Fleet

  /// How missing streams are made.
  package struct NatsStreams: Sendable {
    /// How many copies the servers keep; nil is three in a cluster and one without.
    package var replicas: Int?
    /// The most bytes of a stream; the servers reserve them when it is made.
    package var bytes: Int

    /// The default for the most bytes of a stream: 1 GiB.
    package static let usualBytes = 1 << 30

    /// Streams of that size.
    package init(replicas: Int? = nil, bytes: Int = NatsStreams.usualBytes) {
      self.replicas = replicas
      self.bytes = bytes
    }

    /// The name of the stream with the stores whose id begins with that digit.
    static func name(_ partition: Character) -> String { "FR_\(partition)" }

    /// The subject of a store's messages.
    static func subject(of store: String) -> String { "fr.\(store.prefix(1)).\(store).log" }

    /// The store whose message has that subject; nil for none.
    static func store(of subject: String) -> String? {
      let words = subject.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count == 4, words[0] == "fr", words[3] == "log", FleetMessage.isStore(String(words[2])),
        words[2].hasPrefix(words[1]), words[1].utf8.count == 1
      else { return nil }
      return String(words[2])
    }

    /// The request that makes a stream.
    func configuration(_ partition: Character, replicas: Int) -> JSON {
      .members([
        ("name", .string(Self.name(partition))), ("subjects", .array([.string("fr.\(partition).>")])),
        ("retention", .string("limits")), ("storage", .string("file")), ("num_replicas", .int(replicas)),
        ("discard", .string("new")), ("max_age", .int(90 * 86_400 * 1_000_000_000)), ("max_bytes", .int(bytes)),
        ("max_msgs", .int(-1)), ("max_consumers", .int(-1)), ("max_msg_size", .int(1 << 20)),
        ("allow_direct", .bool(true)), ("deny_delete", .bool(true)), ("deny_purge", .bool(true)),
      ])
    }
  }

  /// The information about a stream.
  struct StreamInfo: Sendable, Hashable {
    /// The CRC-32C of its creation time as the server writes it: another value means another stream.
    var made: UInt64
    /// The sequence of its newest message, even if that was removed.
    var last: UInt64
  }

  /// The engine's answer to a request about its streams.
  enum NatsAnswer {
    /// Success, with the requested content.
    case done(JSON)
    /// An error, by the engine's number.
    case failed(code: Int, text: String)

    /// Reads an answer. Throws `unreachable` if the message is not an answer.
    init(_ message: NatsMessage) throws(FleetError) {
      guard let json = message.json else { throw .unreachable("the engine answers what is no JSON") }
      if let error = json["error"] {
        self = .failed(code: error["err_code"]?.int ?? 0, text: error["description"]?.string ?? "")
      } else {
        self = .done(json)
      }
    }

    /// The answer, or what the error means.
    func value() throws(FleetError) -> JSON {
      switch self {
      case .done(let json): return json
      case .failed(let code, let text): throw NatsCode(rawValue: code).error(text)
      }
    }
  }

  /// The engine's numbers for errors, of `err_code` in its answers.
  struct NatsCode: RawRepresentable, Hashable, Sendable {
    var rawValue: Int

    static let noSuchStream = NatsCode(rawValue: 10_059)
    static let nameInUse = NatsCode(rawValue: 10_058)
    static let noReplicas = NatsCode(rawValue: 10_074)
    /// Another message is the last one: two numbers, since newer servers report which condition failed.
    static let wrongSequence: Set<NatsCode> = [NatsCode(rawValue: 10_071), NatsCode(rawValue: 10_164)]
    /// No memory or disk, for the stream, the account or the server; or the stream has its most bytes.
    static let noRoom: Set<NatsCode> = [
      NatsCode(rawValue: 10_023), NatsCode(rawValue: 10_028), NatsCode(rawValue: 10_047), NatsCode(rawValue: 10_077),
      NatsCode(rawValue: 10_122),
    ]
    /// The message is larger than the stream takes; the stream is sealed or is a mirror.
    static let hopeless: Set<NatsCode> = [
      NatsCode(rawValue: 10_054), NatsCode(rawValue: 10_109), NatsCode(rawValue: 10_055),
    ]

    /// The error for it.
    func error(_ text: String) -> FleetError {
      if Self.wrongSequence.contains(self) { return .wrongSequence }
      if Self.noRoom.contains(self) { return .full }
      if Self.hopeless.contains(self) {
        return .refused(StoreError(.invalid, "the engine refuses: \(text) (\(rawValue))"))
      }
      return .unreachable("\(text) (\(rawValue))")
    }
  }
#endif
