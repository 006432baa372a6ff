import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore
import FlowRecording

/// `auditctl device respond`
struct DeviceRespondCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "respond", abstract: "Approve or deny a challenge.",
    discussion: """
      TRANSACTION is the id that pending lists, or its beginning; it may be left out if one challenge waits. Without \
      --approve or --deny you are asked, at a terminal. Exits 0 once the org took the answer, 1 if nothing waits or the \
      org refused it.

      EXAMPLES
        auditctl device respond --org https://acme.example --store device \\
          --approve --wait 60
        auditctl device respond ft-hqOpH --org https://acme.example --store device \\
          --deny
      """)

  @Argument(help: ArgumentHelp("The transaction.", valueName: "TRANSACTION")) var transaction: String?
  @OptionGroup var options: DeviceOptions
  @OptionGroup var choice: EnrollmentChoice
  @Flag(help: "Approve it.") var approve = false
  @Flag(help: "Deny it.") var deny = false
  @Option(help: ArgumentHelp("Wait up to so many seconds for a challenge.", valueName: "SECONDS")) var wait = 0

  mutating func validate() throws {
    guard !(approve && deny) else { throw ValidationError("--approve and --deny contradict each other") }
    guard approve || deny || Terminal.canAsk else { throw ValidationError("give --approve or --deny") }
    guard (0...86_400).contains(wait) else { throw ValidationError("--wait is 0 to 86400 seconds") }
  }

  func run() async throws {
    let (pending, answer) = try await options.run { authenticator in
      let enrollments = choice.all(of: authenticator, at: options.origin)
      guard !enrollments.isEmpty else {
        throw CommandFailure(
          .notFound, "there is no such enrollment for \(options.origin); enroll with: auditctl device enroll")
      }
      let list = try await PendingChallenges(authenticator: authenticator, enrollments: enrollments).wait(seconds: wait)
      let pending = try one(of: list)
      let answer = try self.answer(pending)
      try await pending.challenge.resolve { step in
        switch step {
        case let consent as RemediationStepUserConsent: consent.provide(answer)
        case let verification as RemediationStepUserVerification:
          verification.provide(
            UserVerificationParameters(localizedReason: "Approve \(pending.challenge.transactionId)"))
        case let message as RemediationStepMessage: Messages.say(message.message.printable)
        default: step.defaultProcess()
        }
      }
      return (pending, answer)
    }
    let output = Output()
    if options.json.isOn {
      guard case .object(var object) = pending.json else { return }
      object["answer"] = .string(answer.rawValue)
      try output.json(.object(object))
    } else {
      try output.line("\(pending.challenge.transactionId) is \(answer.rawValue).".printable)
    }
    try output.flush()
  }

  /// The selected challenge.
  private func one(of list: [PendingChallenges.Pending]) throws -> PendingChallenges.Pending {
    let fitting = list.filter { pending in transaction.map { pending.challenge.transactionId.hasPrefix($0) } ?? true }
    guard fitting.count < 2 else {
      throw CommandFailure(
        .usage,
        "\(fitting.count) challenges wait; name one: \(fitting.map(\.challenge.transactionId).joined(separator: ", "))")
    }
    guard let one = fitting.first else {
      throw CommandFailure(.finding, "no such challenge waits; list them with: auditctl device pending")
    }
    return one
  }

  /// The person's answer.
  private func answer(_ pending: PendingChallenges.Pending) throws -> UserConsentResponse {
    if approve { return .approved }
    if deny { return .denied }
    for line in pending.lines { Messages.say(line) }
    let word = try SecretInput.ask("Approve? (yes/no) ", isEchoed: true)
    return ["y", "yes"].contains(word.lowercased()) ? .approved : .denied
  }
}
