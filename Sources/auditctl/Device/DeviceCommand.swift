import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore

/// `auditctl device`
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "A push authenticator at a terminal, recorded.",
    discussion: """
      Enrolls this machine as a push authenticator and answers the challenges of sign-ins. What it does is recorded like \
      a sign-in. Private keys stand in files of their own, mode 0600, and never in the log.

      EXAMPLES
        auditctl simulate --token ann@acme.example
        auditctl device enroll --org http://127.0.0.1:8080 --store device < token.txt
        auditctl device respond --org http://127.0.0.1:8080 --store device --approve
        auditctl correlate --store audit --store device
      """,
    subcommands: [
      DevicePINCommand.self, DeviceEnrollCommand.self, DeviceListCommand.self, DevicePendingCommand.self,
      DeviceRespondCommand.self,
      DeviceDeleteCommand.self,
    ])
}

/// `auditctl device enroll`
struct DeviceEnrollCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: "Enroll this machine for the person whose access token is given.",
    discussion: """
      The access token is asked for without echo, or comes as the next line of stdin, from a file, or from a descriptor. \
      It needs the scope okta.myAccount.appAuthenticator.manage.

      EXAMPLES
        auditctl device enroll --org https://acme.example --store device --token-file token.txt
        auditctl device enroll --org https://acme.example --store device --token-file token.txt \\
          --user-verification
        auditctl device enroll --org https://acme.example --store device --passphrase-fd 3 \\
          --token-file token.txt 3< passphrase.txt
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var token: TokenOption
  @Option(help: ArgumentHelp("The OAuth client id.", valueName: "ID")) var clientID = "0oa1sampleapp0000001"
  @Option(
    help: ArgumentHelp("Where the org sends notifications; without one challenges are pulled.", valueName: "TEXT"))
  var pushToken: String?
  @Flag(help: "Make a key that signs only after the PIN; set one before with: auditctl device pin.")
  var userVerification = false
  @Flag(help: "Take challenges of OAuth clients (CIBA) too.") var ciba = false

  func run() async throws {
    guard let url = options.url else { return }
    if userVerification, !(try options.pin().isSet) {
      throw CommandFailure(.usage, "there is no PIN yet; set one with: auditctl device pin")
    }
    let token = try token.token()
    let line = try await options.run { authenticator -> (JSON, String) in
      var parameters = EnrollmentParameters(deviceToken: pushToken.map { .tokenString($0) } ?? .empty)
      if userVerification { parameters.enableUserVerification(enable: true) }
      parameters.enableCIBATransactions(enable: ciba)
      let enrollment = try await authenticator.enroll(
        authenticationToken: token,
        authenticatorConfig: DeviceAuthenticatorConfig(orgURL: url, oidcClientId: clientID),
        enrollmentParameters: parameters)
      return (EnrollmentText.json(enrollment), EnrollmentText.line(enrollment))
    }
    let output = Output()
    if options.json.isOn { try output.json(line.0) } else { try output.line(line.1) }
    try output.flush()
  }
}

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

/// `auditctl device delete`
struct DeviceDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Remove an enrollment from the org and from this machine.",
    discussion: """
      The access token comes as for enroll. With --local the org is not asked: it goes on challenging a machine that \
      cannot answer, and the person may be locked out.

      EXAMPLES
        auditctl device delete --org https://acme.example --store device --token-file token.txt
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
