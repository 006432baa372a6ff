import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowRecording
import Replay

/// `auditctl explain`
struct ExplainCommand: AsyncParsableCommand, PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Show a server response, or a push, as the SDK understands it.",
    discussion: """
      FILE holds one response body, or a recording, each answer of which is explained; - reads it from stdin. Which API \
      answered is seen by what the body has, unless --api says it. With --json the canonical summary is printed, a line \
      an answer, whose members are fixed, so that programs can be compared by it; it has no "schema". Exits 65 if \
      FILE is no JSON, a response of the API that --api does not name, or, without --api, of neither.

      With --api device FILE is the payload of a push, or a challenge JWT: it is shown who signed it and how, what is \
      asked, and what each check of the authenticator says, as far as it can be decided without the device. --keys has \
      the org's keys (a JWKS), --org its URL. Nothing secret is printed. Exits 1 if --keys is given and none of its keys \
      signed the challenge.

      EXAMPLES
        auditctl explain response.json
        curl -s … | auditctl explain - --json
        auditctl explain --api idx introspect.json
        auditctl explain --api device push.json --keys keys.json
      """)

  /// The APIs whose responses can be explained.
  enum API: String, ExpressibleByArgument, CaseIterable { case authn, idx, device }

  @Argument(help: ArgumentHelp("A file with a response body or a push, or - for stdin.", valueName: "FILE"))
  var file: String

  @Option(help: ArgumentHelp("The API that answered: authn, idx, device.", valueName: "API"))
  var api: API?

  @Option(
    help: ArgumentHelp("With --api device, a file with the org's keys, as the org serves them.", valueName: "FILE"))
  var keys: String?
  @Option(help: ArgumentHelp("With --api device, the org's URL.", valueName: "URL"))
  var org: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --api device, the time of the judgement, not now: \(TimeExpression.forms).", valueName: "T"))
  var at: String?

  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard api == .device || keys == nil && org == nil && at == nil else {
      throw ValidationError("--keys, --org and --at go with --api device")
    }
    if let org, URLParts(org) == nil { throw ValidationError("--org is no URL of an org; write https://acme.example") }
    if let at, TimeExpression(at, now: .now()) == nil {
      throw ValidationError("'\(at)' is no time; write one of \(TimeExpression.forms)")
    }
  }

  func run() async throws {
    let body = try body()
    if api == .device { return try await explainChallenge(body) }
    let output = Output()
    if let recording = try recording(body) {
      try explain(recording, to: output)
      return try output.flush()
    }
    let answering = api ?? (ResponseExplanation.isOfIdentityEngine(body) ? .idx : .authn)
    let explanation = explanation(of: body, by: answering)
    try print(explanation, to: output)
    try output.flush()
    if let problem = explanation.problem(ofNamed: api != nil) { throw failure(problem, body, answering) }
  }

  private func print(_ explanation: ResponseExplanation, to output: Output) throws {
    if json.isOn {
      try output.line(explanation.summary.bytes)
    } else {
      try output.lines(explanation.lines(width: Terminal.tableWidth))
    }
  }

  /// The recording in the bytes; nil if they are a response body.
  ///
  /// - Throws: what is wrong with a recording that is compressed, or that begins as a record does: no body looks like
  ///   one.
  private func recording(_ bytes: [UInt8]) throws -> Recording? {
    let bytes = InputFile.withoutLeadingBlanks(LineEndings.plain(bytes))
    guard SliceFile.mayBeRecords(bytes) else { return nil }
    do {
      return try Recording(name: name, bytes: bytes)
    } catch {
      if bytes.first == UInt8(ascii: "{") {
        guard bytes.starts(with: #"{"n":"#.utf8) else { return nil }
        // A body is one document.
        if case .some = try? JSON(parsing: bytes) { return nil }
      }
      throw error
    }
  }

  /// Explains each answer that a recording has of an API that can be explained.
  private func explain(_ recording: Recording, to output: Output) throws {
    var count = 0
    for flow in recording.flows {
      guard case .flowStarted(let start)? = flow.records.first?.event, let own = API(rawValue: start.kind),
        own != .device
      else { continue }
      if let api, api != own {
        throw CommandFailure(
          .malformed, "\(flow.stream.printable) of \(name.printable) is answered by --api \(own.rawValue)")
      }
      for record in flow.records {
        guard case .responseReceived(let response) = record.event, case .json(let json) = response.body else {
          continue
        }
        if !self.json.isOn {
          try output.line("\(flow.stream.printable), revision \(record.revision): HTTP \(response.status)")
        }
        try print(explanation(of: json.bytes, by: own), to: output)
        count += 1
      }
    }
    guard count > 0 else {
      try recording.refuseUnknownKinds()
      throw CommandFailure(
        .finding,
        "\(name.printable) has no answer of the classic API or of the Identity Engine, which alone are explained; "
          + "auditctl show prints its events")
    }
  }

  private func explainChallenge(_ body: [UInt8]) async throws {
    let now = Timestamp.now()
    let judgement = await ChallengeJudgement(
      body,
      .init(
        keys: try orgKeys(), orgURL: org.flatMap { URLParts($0)?.origin },
        at: at.flatMap { TimeExpression($0, now: now)?.first } ?? now))
    let explanation = ChallengeExplanation(judgement)
    let output = Output()
    if json.isOn {
      try output.json(explanation.json)
    } else {
      try output.lines(explanation.lines(width: Terminal.tableWidth))
    }
    try output.end()
    guard explanation.isChallenge else {
      throw CommandFailure(
        .malformed, "\(name) is no push payload and no challenge JWT; give the notification as it came")
    }
    if keys != nil, judgement.isSigned != true { throw ExitCode(ExitStatus.finding.rawValue) }
  }

  private func orgKeys() throws -> [JSON]? {
    guard let keys else { return nil }
    let bytes = try InputFile(path: keys, content: "the org's keys").bytes(limit: Self.longestBody)
    guard let list = (try? JSON(parsing: bytes))?["keys"]?.array else {
      throw CommandFailure(.malformed, "\(keys) is no JWKS; give the answer of the org's keys endpoint")
    }
    return list
  }

  private var name: String { file == "-" ? "standard input" : file }

  private func body() throws -> [UInt8] {
    let body =
      try file == "-"
      ? LineInput().rest(limit: Self.longestBody)
      : InputFile(path: file, content: "a response body").bytes(limit: Self.longestBody)
    guard !RecordedBody.hasTooManyValues(body) else {
      throw CommandFailure(
        .malformed, "\(name) has more values than the SDK takes up of a response; it would be recorded as opaque")
    }
    return body
  }

  /// More than the SDK accepts.
  private static let longestBody = 64 << 20

  /// What is wrong with a body that is no response, and what to do.
  private func failure(_ problem: ResponseExplanation.Problem, _ body: [UInt8], _ asked: API) -> CommandFailure {
    if !body.isEmpty, let found = InputFile.content(of: body) {
      return CommandFailure(.malformed, "\(name) is no response: \(found)")
    }
    switch problem {
    case .noJSON: return CommandFailure(.malformed, "\(name) is no JSON; give a response body as the server sent it")
    case .noResponse:
      let other: API = asked == .authn ? .idx : .authn
      guard explanation(of: body, by: other).problem(ofNamed: false) == nil else {
        return CommandFailure(.malformed, "\(name) is no response; give a response body as the server sent it")
      }
      return CommandFailure(
        .malformed,
        "\(name) is no response of the \(asked == .authn ? "classic API" : "Identity Engine"); it is one for --api "
          + other.rawValue)
    }
  }

  private func explanation(of body: [UInt8], by api: API) -> ResponseExplanation {
    switch api {
    case .authn: ResponseExplanation(authn: body)
    case .idx, .device: ResponseExplanation(idx: body)
    }
  }
}
