import ArgumentParser
import AuditReports
import EventStore

/// `auditctl explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Show a server response as the SDK understands it.",
    discussion: """
      FILE holds one response body; - reads it from stdin. With --json the canonical summary is printed, whose members \
      are fixed, so that programs can be compared by it; it alone has no "schema". Exits 65 if FILE is no JSON, or no \
      response of that API.

      EXAMPLES
        auditctl explain response.json
        curl -s … | auditctl explain - --json
        auditctl explain --api idx introspect.json
      """)

  /// The APIs whose responses can be explained.
  enum API: String, ExpressibleByArgument, CaseIterable { case authn, idx }

  @Argument(help: ArgumentHelp("A file with a response body, or - for stdin.", valueName: "FILE"))
  var file: String

  @Option(help: ArgumentHelp("The API that answered: authn, idx.", valueName: "API"))
  var api: API = .authn

  @OptionGroup var json: JSONFlag

  func run() throws {
    let body = try body()
    let explanation = explanation(of: body, by: api)
    let output = Output()
    if json.isOn {
      try output.line(explanation.summary.bytes)
    } else {
      try output.lines(explanation.lines(width: Terminal.tableWidth))
    }
    try output.flush()
    if let problem = explanation.problem { throw failure(problem, body) }
  }

  private func body() throws -> [UInt8] {
    if file == "-" { return try LineInput().rest(limit: Self.longestBody) }
    return try InputFile(path: file, content: "a response body").bytes(limit: Self.longestBody)
  }

  /// More than the SDK reads of an answer.
  private static let longestBody = 64 << 20

  /// What is wrong with a body that is no response, and what to do.
  private func failure(_ problem: ResponseExplanation.Problem, _ body: [UInt8]) -> CommandFailure {
    let name = file == "-" ? "standard input" : file
    switch problem {
    case .noJSON: return CommandFailure(.malformed, "\(name) is no JSON; give a response body as the server sent it")
    case .noResponse:
      let other: API = api == .authn ? .idx : .authn
      let isOther = explanation(of: body, by: other).problem == nil
      return CommandFailure(
        .malformed,
        "\(name) is no response of the \(api == .authn ? "classic API" : "Identity Engine")"
          + (isOther ? "; it is one for --api \(other.rawValue)" : "; give a response body as the server sent it"))
    }
  }

  private func explanation(of body: [UInt8], by api: API) -> ResponseExplanation {
    switch api {
    case .authn: ResponseExplanation(authn: body)
    case .idx: ResponseExplanation(idx: body)
    }
  }
}
