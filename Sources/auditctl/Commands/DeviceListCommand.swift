import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore

/// `auditctl device list`
struct DeviceListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the enrollments of this machine at an org.",
    discussion: """
      Asks no one: an org keeps no list that could be fetched.

      EXAMPLES
        auditctl device list --org https://acme.example --store device
        auditctl device list --org https://acme.example --store device --json |
          jq '.enrollments[].user'
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var choice: EnrollmentChoice

  func run() async throws {
    let found = try await options.run { authenticator in
      choice.all(of: authenticator, at: options.origin).map { (EnrollmentText.json($0), EnrollmentText.line($0)) }
    }
    let output = Output()
    if options.json.isOn {
      try output.json(["enrollments": .array(found.map(\.0))])
    } else {
      try output.lines(found.isEmpty ? ["No enrollment at \(options.origin)."] : found.map(\.1))
    }
    try output.flush()
  }
}
