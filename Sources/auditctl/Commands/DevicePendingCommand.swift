import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore
import FlowRecording

/// `auditctl device pending`
struct DevicePendingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pending", abstract: "List the challenges that wait for an answer.",
    discussion: """
      What is listed is what the org sent; it is verified when it is answered. Exits 1 if nothing waits.

      EXAMPLES
        auditctl device pending --org https://acme.example --store device
        auditctl device pending --org https://acme.example --store device \\
          --wait 60 --json
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var choice: EnrollmentChoice
  @Option(help: ArgumentHelp("Wait up to so many seconds for a challenge.", valueName: "SECONDS")) var wait = 0

  mutating func validate() throws {
    guard (0...86_400).contains(wait) else { throw ValidationError("--wait is 0 to 86400 seconds") }
  }

  func run() async throws {
    let found = try await options.run { authenticator in
      let enrollments = choice.all(of: authenticator, at: options.origin)
      guard !enrollments.isEmpty else {
        throw CommandFailure(
          .notFound, "there is no such enrollment for \(options.origin); enroll with: auditctl device enroll")
      }
      return try await PendingChallenges(authenticator: authenticator, enrollments: enrollments).wait(seconds: wait)
    }
    let output = Output()
    if options.json.isOn {
      try output.json(["challenges": .array(found.map(\.json))])
    } else {
      try output.lines(found.isEmpty ? ["Nothing waits."] : found.flatMap(\.lines))
    }
    try output.end()
    if found.isEmpty { throw ExitCode(ExitStatus.finding.rawValue) }
  }
}
