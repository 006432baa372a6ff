// What lists and reports say of one flow, gathered record by record, without keeping the records.

package import EventStore
package import FlowRecording

/// The facts of one flow.
package struct FlowFacts: Sendable, Equatable {
  /// The flow's stream: `authn/01JD…`.
  package let stream: String
  /// The store that it is in, if several are read.
  package var store: String?
  /// What kind of flow it is: `authn`.
  package internal(set) var kind: String
  /// Whether it begins as flows do; other streams of a log belong to applications.
  package internal(set) var isFlow = false
  /// The login, as it was typed, or else as the org knows it: an org does not choose who is said to have signed in.
  package var user: String? { signIn.typed ?? signIn.login }
  /// True if this login, in any case, was typed or is what the org calls the user.
  package func isOf(user: String) -> Bool {
    [signIn.typed, signIn.login].contains { $0?.lowercased() == user.lowercased() }
  }
  /// The time of its first record.
  package let started: Timestamp
  /// The time of its latest record.
  package internal(set) var latest: Timestamp
  /// The latest status, in the word of the flow's kind.
  package var status: String? { signIn.status }
  /// The same, `none` for a flow that has come to none; nil for a stream of an application.
  package var statusWord: String? { status ?? (isFlow ? "none" : nil) }
  /// How many events it has.
  package internal(set) var events = 0
  /// How it ended, as it stands in the log; nil while it is open.
  package internal(set) var ended: String?
  /// Each time that it succeeded: an application may keep a flow and begin again with it.
  package internal(set) var successes: [FlowSuccess] = []
  /// When what goes on began; nil after an end, until a call begins again.
  var began: Timestamp?
  /// The factors that were tried, in order: `password`, `push`.
  package var factors: [String] { signIn.factors }
  /// Errors by their codes: calls that ended with one, and messages of the org.
  package var errors: [String: Int] { callErrors.merging(signIn.shown, uniquingKeysWith: +) }
  /// How many calls ended with an error, by its code.
  package internal(set) var callErrors: [String: Int] = [:]
  /// The requests that were answered, or failed, in the order in which that happened.
  package internal(set) var exchanges: [Exchange] = []
  /// How many requests it sent.
  package internal(set) var requests = 0
  /// How many requests brought no answer.
  package var failures: Int { exchanges.reduce(0) { $0 + ($1.failure == nil ? 0 : 1) } }
  /// How many answers were 429.
  package var rateLimited: Int { exchanges.reduce(0) { $0 + ($1.status == 429 ? 1 : 0) } }
  /// How often the flow waited to try a request again.
  package internal(set) var retries = 0
  /// Product and version of the SDK that recorded it.
  package internal(set) var sdk: String?
  /// The org: the URL that the flow was set up with.
  package internal(set) var org: String?
  /// What requests say of the client.
  package internal(set) var userAgent: String?
  /// What the application says of the flow.
  package internal(set) var context = FlowContext()
  /// What became of tokens.
  package internal(set) var tokens: [TokenFact] = []
  /// The ids of these tokens; that of the flow for those that have none.
  package var tokenIDs: Set<String> { Set(tokens.map { $0.id(in: stream) }) }
  /// The sign-in as its kind describes it.
  package internal(set) var signIn = SignInFacts()
  /// The requests that wait for their answers.
  var waiting: [Waiting] = []

  /// The facts of a flow of which nothing is known but its first record's place.
  init(stream: String, started: Timestamp) {
    self.stream = stream
    self.started = started
    latest = started
    began = started
    kind = stream.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(stream[..<$0]) } ?? ""
  }

  /// The facts of a flow that begins with this record.
  package init(startingWith record: StoredRecord, kinds: KindRegistry) {
    self.init(stream: record.stream, started: record.at)
    add(record, kinds)
  }

  /// `success`, `failed`, `abandoned`…, or `open` while nothing has ended it. A flow that was let go of after a failure
  /// has failed, whatever its kind.
  package var outcome: String { ended.map(signIn.outcome) ?? "open" }

  /// Why it did not succeed, in the vocabulary of all kinds; nil if it did, or goes on.
  package var reason: FailureReason? {
    guard let ended, !["success", "approved"].contains(ended) else { return nil }
    if let standing = signIn.standing { return standing }
    switch ended {
    case "terminal": return nil
    case "lockedOut": return .locked
    case "failed": return .client
    case _: return .abandoned
    }
  }

  /// Where the person came from, as well as the log knows: address, device, or host of the application.
  package var place: String? {
    context.client.address ?? signIn.memory["address"] ?? context.device ?? context.instance
  }

  /// From where, on which device and by which program the person came, in words; nil if the log does not say.
  package var originWords: String? {
    let client = context.client
    let system = [client.model, client.os].compactMap { $0 }.joined(separator: ", ")
    let parts = [
      (client.address ?? signIn.memory["address"]).map { "from \($0)" }, context.device.map { "device \($0)" },
      system.isEmpty ? nil : system, clientWord.map { "by \($0)" }, context.instance.map { "instance \($0)" },
      context.correlation.map { "correlation \($0)" }, context.trace.map { "trace \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Milliseconds from the first record to the latest.
  package var durationMilliseconds: Int { Int(max(0, latest.microseconds - started.microseconds) / 1_000) }

  /// The part of the stream's name that distinguishes flows.
  package var identifier: String { FlowReference.identifier(of: stream) }

  /// One line of `auditctl flows --json`; with several stores it names the flow's.
  package var json: JSON {
    guard let store, case .object(var object) = columns else { return columns }
    object["store"] = .string(store)
    return .object(object)
  }

  private var columns: JSON {
    [
      "flow": .string(stream), "kind": .string(kind), "user": user.map(JSON.string) ?? .null,
      "started": .string(started.description), "durationMs": .int(durationMilliseconds),
      "status": status.map(JSON.string) ?? .null, "events": .int(events), "outcome": .string(outcome),
    ]
  }
}

/// One success of a flow.
package struct FlowSuccess: Sendable, Equatable {
  /// When the flow began, or was begun again after an end.
  package var began: Timestamp
  /// When it succeeded.
  package var ended: Timestamp
}

/// A request with what came of it.
package struct Exchange: Sendable, Equatable {
  /// Method and path, ids left out: `POST /api/v1/authn/factors/:id/verify`.
  package var endpoint: String
  /// The HTTP status; 0 if no answer came.
  package var status: Int
  /// The transport's code, if no answer came.
  package var failure: String?
  /// From the request to the answer, as the flow saw it; nil if the request is not in the log.
  package var milliseconds: Int?
  /// How long its parts took; nil if the transport did not say it.
  package var transfer: Transfer?

  /// The parts of an exchange, each in microseconds.
  package struct Transfer: Sendable, Equatable {
    /// Until the connection stood and was secured; 0 if it was open already.
    package var connect: Int
    /// From then until the first byte of the answer: the network there and back, and the org.
    package var wait: Int
    /// From then until all had come.
    package var receive: Int
    /// What the flow waited besides: this machine's own share.
    package var own: Int

    /// Makes the value.
    package init(connect: Int, wait: Int, receive: Int, own: Int) {
      (self.connect, self.wait, self.receive, self.own) = (connect, wait, receive, own)
    }

    /// Splits what a transport says.
    ///
    /// - Parameter whole: from the record of the request to that of the answer, in microseconds.
    init(_ timing: HTTPTiming, of whole: Int) {
      let total = max(0, timing.total)
      connect = min(total, max(0, timing.secured ?? timing.connect ?? 0))
      let first = min(total, max(connect, timing.firstByte ?? total))
      (wait, receive, own) = (first - connect, total - first, max(0, whole - total))
    }
  }
}

/// A request that waits for its answer.
struct Waiting: Sendable, Equatable {
  var position: UInt64
  var at: Timestamp
  var endpoint: String
}

/// An event of the tokens of a flow.
package struct TokenFact: Sendable, Equatable {
  /// When.
  package var at: Timestamp
  /// What happened: `issued`.
  package var name: String
  /// The revision of the event.
  package var revision: Int
  /// The tokens' id, if they have one.
  package var id: String?
  /// The known details, without the placeholders of tokens.
  package var details: JSON

  /// The tokens' id; that of the flow if they have none.
  func id(in stream: String) -> String { id ?? FlowReference.identifier(of: stream) }
}
