import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore

/// `auditctl device enroll`
struct DeviceEnrollCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: "Enroll this machine for the person whose access token is given.",
    discussion: """
      The access token is asked for without echo, or comes as the next line of stdin, from a file, or from a descriptor. \
      It needs the scope okta.myAccount.appAuthenticator.manage.

      EXAMPLES
        auditctl device enroll --org https://acme.example --store device \\
          --token-file token.txt
        auditctl device enroll --org https://acme.example --store device \\
          --token-file token.txt \\
          --user-verification
        auditctl device enroll --org https://acme.example --store device \\
          --passphrase-fd 3 \\
          --token-file token.txt 3< passphrase.txt
      """)

  @OptionGroup var options: DeviceOptions
  @OptionGroup var token: TokenOption
  @Option(help: ArgumentHelp("The OAuth client id.", valueName: "ID")) var clientID = "0oa1sampleapp0000001"
  @Option(
    help: ArgumentHelp(
      "Where the org sends notifications, from the first line of a file; without it challenges are pulled.",
      valueName: "FILE"))
  var pushTokenFile: String?
  @Flag(help: "Make a key that signs only after the PIN; set one before with: auditctl device pin.")
  var userVerification = false
  @Flag(help: "Take challenges of OAuth clients (CIBA) too.") var ciba = false

  func run() async throws {
    guard let url = options.url else { return }
    if userVerification, !(try options.pin().isSet) {
      throw CommandFailure(.usage, "there is no PIN yet; set one with: auditctl device pin")
    }
    let pushToken = try pushTokenFile.map { try SecretInput.file($0) }
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
