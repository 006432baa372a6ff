// What lists and reports show of one flow, collected record by record without keeping the records.

package import EventStore
package import FlowRecording

/// The facts of one flow.
package struct FlowFacts: Sendable, Equatable {
  /// The flow's stream: `authn/01JD…`.
  package let stream: String
  /// The store that contains it, if several are read.
  package var store: String?
  /// What kind of flow it is: `authn`.
  package internal(set) var kind: String
  /// Whether it begins as flows do; other streams of a log belong to applications.
  package internal(set) var isFlow = false
  /// The login as it was typed, or else as the org knows it: an org must not determine who is reported to have signed
  /// in.
  package var user: String? { signIn.typed ?? signIn.login }
  /// True if this login, in any case, was typed or is what the org calls the user.
  package func isOf(user: String) -> Bool {
    [signIn.typed, signIn.login].contains { $0?.lowercased() == user.lowercased() }
  }
  /// The time of its first record.
  package let started: Timestamp
  /// The time of its latest record.
  package internal(set) var latest: Timestamp
  /// The latest status, in the vocabulary of the flow's kind.
  package var status: String? { signIn.status }
  /// The same, or `none` if the flow has not reached a status; nil for a stream of an application.
  package var statusWord: String? { status ?? (isFlow ? "none" : nil) }
  /// The number of its events.
  package internal(set) var events = 0
  /// How it ended, as recorded; nil while it is open.
  package internal(set) var ended: String?
  /// Each time that it succeeded: an application may reuse a flow.
  package internal(set) var successes: [FlowSuccess] = []
  /// When the current activity began; nil after an end, until a call starts the flow again.
  var began: Timestamp?
  /// The factors that were tried, in order: `password`, `push`.
  package var factors: [String] { signIn.factors }
  /// Errors by their codes: calls that ended with one, and messages of the org.
  package var errors: [String: Int] { callErrors.merging(signIn.shown, uniquingKeysWith: +) }
  /// How many calls ended with an error, by its code.
  package internal(set) var callErrors: [String: Int] = [:]
  /// The requests that were answered or failed, in the order of completion.
  package internal(set) var exchanges: [Exchange] = []
  /// The number of requests that were sent.
  package internal(set) var requests = 0
  /// The number of requests without an answer.
  package var failures: Int { exchanges.reduce(0) { $0 + ($1.failure == nil ? 0 : 1) } }
  /// How many answers were 429.
  package var rateLimited: Int { exchanges.reduce(0) { $0 + ($1.status == 429 ? 1 : 0) } }
  /// The number of times the flow waited before retrying a request.
  package internal(set) var retries = 0
  /// Product and version of the SDK that recorded it.
  package internal(set) var sdk: String?
  /// The org: the URL that the flow was set up with.
  package internal(set) var org: String?
  /// The user agent of the requests.
  package internal(set) var userAgent: String?
  /// What the application reports about the flow.
  package internal(set) var context = FlowContext()
  /// The token events.
  package internal(set) var tokens: [TokenFact] = []
  /// The ids of these tokens; the flow's id for those that have none.
  package var tokenIDs: Set<String> { Set(tokens.map { $0.id(in: stream) }) }
  /// The sign-in as its kind describes it.
  package internal(set) var signIn = SignInFacts()
  /// The requests that await their answers.
  var waiting: [Waiting] = []

  /// The facts of a flow about which only its first record's place is known.
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

  /// `success`, `failed`, `abandoned`…, or `open` until it ends. A flow abandoned after a failure has failed, whatever
  /// its kind.
  package var outcome: String { ended.map(signIn.outcome) ?? "open" }

  /// Why it did not succeed, in the vocabulary of all kinds; nil if it succeeded or is still open.
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

  /// The address of the person, from the context or from the call; nil if the log does not contain it.
  var address: String? {
    // An application may pass an empty text for an address that it does not know.
    context.client.address ?? signIn.memory["address"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where the person came from, as far as the log shows: address, device, or host of the application.
  package var place: String? { address ?? context.device ?? context.instance }

  /// The address, device and program of the person, in words; nil if the log does not contain them.
  package var originWords: String? {
    let client = context.client
    let system = [client.model, client.os].compactMap { $0 }.joined(separator: ", ")
    let parts = [
      address.map { "from \($0)" }, context.device.map { "device \($0)" },
      system.isEmpty ? nil : system, clientWord.map { "by \($0)" }, context.instance.map { "instance \($0)" },
      context.correlation.map { "correlation \($0)" }, context.trace.map { "trace \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Milliseconds from the first record to the latest.
  package var durationMilliseconds: Int { Int(max(0, latest.microseconds - started.microseconds) / 1_000) }

  /// The part of the stream's name that distinguishes flows.
  package var identifier: String { FlowReference.identifier(of: stream) }

  /// One line of `auditctl flows --json`; with several stores, it names the store of the flow.
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
  /// When the flow began, or was started again after an end.
  package var began: Timestamp
  /// When it succeeded.
  package var ended: Timestamp
}

/// A request with its result.
package struct Exchange: Sendable, Equatable {
  /// Method and path, without ids: `POST /api/v1/authn/factors/:id/verify`.
  package var endpoint: String
  /// The HTTP status; 0 if no answer came.
  package var status: Int
  /// The transport's code, if no answer came.
  package var failure: String?
  /// From the request to the answer, as the flow saw it; nil if the request is not in the log.
  package var milliseconds: Int?
  /// How long its parts took; nil if the transport does not report it.
  package var transfer: Transfer?

  /// The parts of an exchange, each in microseconds.
  package struct Transfer: Sendable, Equatable {
    /// Until the connection was established and secured; 0 if it was already open.
    package var connect: Int
    /// From then until the first byte of the answer: the network round trip, and the org.
    package var wait: Int
    /// From then until the whole answer had arrived.
    package var receive: Int
    /// The rest of the time that the flow waited: the share of this machine.
    package var own: Int

    package init(connect: Int, wait: Int, receive: Int, own: Int) {
      (self.connect, self.wait, self.receive, self.own) = (connect, wait, receive, own)
    }

    /// Splits the timing that a transport reports.
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

/// A request that awaits its answer.
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
  /// The position of its record in the log: the order in which events happened, even if the clock was put back.
  package var position: UInt64
  /// The tokens' id, if they have one.
  package var id: String?
  /// The known details, without the placeholders of tokens.
  package var details: JSON

  /// The tokens' id; the flow's id if they have none.
  func id(in stream: String) -> String { id ?? FlowReference.identifier(of: stream) }
}
