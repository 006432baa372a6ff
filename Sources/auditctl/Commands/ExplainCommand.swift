import ArgumentParser
import AuditReports
import EventStore
import Foundation

/// `auditctl explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Show a server response as the SDK understands it.",
    discussion: """
      FILE holds one response body; - reads it from stdin. With --json the canonical summary is printed.

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
    let explanation =
      switch api {
      case .authn: ResponseExplanation(authn: body)
      case .idx: ResponseExplanation(idx: body)
      }
    let output = Output()
    if json.isOn {
      try output.line(explanation.summary.bytes)
    } else {
      try output.lines(explanation.lines(width: Terminal.width))
    }
    try output.flush()
  }

  private func body() throws -> [UInt8] {
    if file == "-" { return try LineInput().rest() }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) else {
      throw CommandFailure(.notFound, "there is no file \(file); check the path")
    }
    guard !isDirectory.boolValue else {
      throw CommandFailure(.notFound, "\(file) is a directory; give a file with a response body")
    }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
      throw CommandFailure(.permission, "\(file) cannot be read; check its permissions")
    }
    return Array(data)
  }
}
