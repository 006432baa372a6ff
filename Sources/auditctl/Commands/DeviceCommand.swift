import ArgumentParser

/// `auditctl device`
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "A push authenticator at a terminal, recorded.",
    discussion: """
      Enrolls this machine as a push authenticator and answers the challenges of sign-ins. What it does is recorded like \
      a sign-in. Private keys are in files of their own, mode 0600, and never in the log.

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
