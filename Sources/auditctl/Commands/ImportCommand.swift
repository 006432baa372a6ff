import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Foundation
import Replay

/// `auditctl import`
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a recording of a sign-in that a browser captured.",
    discussion: """
      An HTTP archive (HAR 1.2) is what a browser's network panel saves. Its requests to /api/v1/authn, /idp/idx, \
      /idp/authenticators and the endpoints of /oauth2, or those that the metadata in it name, become a recording: a \
      skeleton with the requests and answers, who signs in as the requests to /api/v1/authn and /idp/idx/identify say \
      it, and the statuses that the SDK reads of the answers; secrets are replaced as in any recording. There is a \
      flow for each org and each kind of sign-in; the tokens of one by /idp/idx belong to its flow. show and flows \
      display it, simulate --from plays it. What the SDK would do is not in it, so a replay diverges.

      EXAMPLES
        auditctl import --har captured.har -o captured.ndjson.lz4
        auditctl show captured.ndjson.lz4
        auditctl simulate --from captured.ndjson.lz4
      """)

  @Option(help: ArgumentHelp("The HTTP archive.", valueName: "FILE")) var har: String
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The recording to write. Overwrites an existing file.", valueName: "FILE")
  )
  var output: String
  @OptionGroup var json: JSONFlag

  func run() throws {
    let places = [har, output].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    guard places[0] != places[1] else {
      throw CommandFailure(.usage, "\(output.printable) is the archive itself; give another file for the recording")
    }
    let bytes = try InputFile(path: har, content: "an HTTP archive").bytes(limit: LogSource.longestRecording)
    let result: HARImport.Result
    do throws(HARError) {
      result = try HARImport.recording(name: har, bytes: bytes)
    } catch {
      throw CommandFailure(.malformed, error.description)
    }
    let records = try result.recording.records()
    try Creation.recording(records, of: Recording.source, at: output)
    let out = Output()
    if json.isOn {
      try out.json([
        "archive": .string(har), "output": .string(output), "flows": .int(result.recording.flows.count),
        "orgs": .array(result.orgs.map(JSON.string)), "requests": .int(result.requests),
        "skipped": .int(result.skipped), "events": .int(records.count),
      ])
    } else {
      try out.line(
        "\(output.printable): \(Quantity.count(result.recording.flows.count, "flow")) of "
          + "\(Quantity.count(result.requests, "request")), \(result.skipped) left out")
      if result.orgs.count > 1 {
        try out.line("The requests went to \(result.orgs.count) orgs, and each has flows of its own:")
        for org in result.orgs { try out.line("  \(org.printable)") }
      }
    }
    try out.flush()
  }
}
