import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore

/// `auditctl device delete`
struct DeviceDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Remove an enrollment from the org and from this machine.",
    discussion: """
      The access token comes as for enroll. With --local the org is not asked: it goes on challenging a machine that \
      cannot answer, and the person may be locked out.

      EXAMPLES
        auditctl device delete --org https://acme.example --store device \\
          --token-file token.txt
        auditctl device delete --org https://acme.example --store device --local \\
          --enrollment pfd7rzcmvlhmE0Y1w0g4
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var choice: EnrollmentChoice
  @OptionGroup var token: TokenOption
  @Flag(help: "Remove it from this machine alone, without asking the org.") var local = false

  func run() async throws {
    let id = try await options.run { authenticator -> String in
      let enrollment = try choice.one(of: authenticator, at: options.origin)
      if local {
        try enrollment.deleteFromDevice()
      } else {
        try await authenticator.delete(enrollment: enrollment, authenticationToken: token.token())
      }
      return enrollment.enrollmentId
    }
    let output = Output()
    if options.json.isOn {
      try output.json(["deleted": .string(id), "local": .bool(local)])
    } else {
      try output.line("\(id) is removed\(local ? " from this machine" : "").".printable)
    }
    try output.flush()
  }
}
