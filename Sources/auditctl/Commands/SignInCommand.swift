import ArgumentParser
import AuditReports
import Authn
import EventStore
import FlowRecording
import Foundation
import IDX

/// `auditctl sign-in`
struct SignInCommand: AsyncParsableCommand {
  /// The APIs that a sign-in can go through.
  enum API: String, ExpressibleByArgument, CaseIterable {
    /// The classic authentication API.
    case authn
    /// The Identity Engine.
    case idx
  }

  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Sign in at a terminal, recorded.",
    discussion: """
      The password is asked for without echo, or comes as the next line of stdin, from a file, or from a descriptor; \
      never from an argument. Codes are asked for in the same way. Exits 1 where the org refuses the sign-in.

      EXAMPLES
        auditctl sign-in --org https://acme.example --username ann --store audit
        auditctl sign-in --org http://127.0.0.1:8080 --username bob@acme.example \\
          --store audit --factor push --password-fd 3 3< password.txt
        auditctl sign-in --org http://127.0.0.1:8080 --username ann@acme.example --store audit --api idx
      """)

  @Option(help: ArgumentHelp("The org's URL.", valueName: "URL")) var org: String
  @Option(help: ArgumentHelp("The login.", valueName: "U")) var username: String
  @OptionGroup var store: StoreOption
  @Option(help: ArgumentHelp("The API to sign in through.", valueName: "authn|idx")) var api: API = .authn
  @Option(help: ArgumentHelp("Take the password from the first line of a file.", valueName: "FILE"))
  var passwordFile: String?
  @Option(help: ArgumentHelp("Take the password from the first line of an open descriptor.", valueName: "N"))
  var passwordFd: Int32?
  @Option(help: ArgumentHelp("The second factor, by type (push, sms) or by its number.", valueName: "F"))
  var factor: String?
  @Option(help: ArgumentHelp("Seconds between two looks at a push.", valueName: "S")) var pollInterval: Double = 5
  @Option(help: ArgumentHelp("With idx: the client id.", valueName: "ID"))
  var clientID = "0oa1sampleapp0000001"
  @Option(help: ArgumentHelp("With idx: the redirect URI, as it is registered.", valueName: "URI"))
  var redirectURI = "com.example.app:/callback"
  @Option(help: ArgumentHelp("With idx: the scopes, separated by spaces.", valueName: "SCOPES"))
  var scopes = "openid profile"
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard let url = URL(string: org), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host()?.isEmpty == false
    else { throw ValidationError("'\(org)' is no URL of an org; write https://acme.example") }
    guard passwordFile == nil || passwordFd == nil else {
      throw ValidationError("--password-file and --password-fd are two places for one password; give one")
    }
    guard (1...3_600).contains(pollInterval) else { throw ValidationError("--poll-interval is 1 to 3600 seconds") }
  }

  func run() async throws {
    guard let url = URL(string: org) else { return }
    // Opened first, so that what is wrong with the store is told before a password is asked for.
    let recorder = LogRecorder(directory: store.directory)
    _ = try Creation.of { () throws(StoreError) in try recorder.open() }
    let end: End
    do {
      end =
        switch api {
        case .authn: try await signIn(to: url, recorder)
        case .idx: try await signInByIdentityEngine(at: url, recorder)
        }
    } catch {
      try recorder.close()
      throw error
    }
    try await FlowEnding.wait(for: [end.flow], in: recorder.open(), milliseconds: 250)
    try recorder.close()
    try tell(end)
    if let error = end.error { throw error }
    if !end.signedIn { throw ExitCode(ExitStatus.finding.rawValue) }
  }

  /// How a sign-in ended.
  private struct End {
    var flow: String
    var status: String
    var error: (any Error)?

    /// Whether the user is in.
    var signedIn: Bool { error == nil && (status == AuthStatus.success.raw || status == "success") }
  }

  private func signInByIdentityEngine(at url: URL, _ recorder: LogRecorder) async throws -> End {
    let password = try password()
    guard let redirect = URL(string: redirectURI) else {
      throw CommandFailure(.usage, "'\(redirectURI)' is no redirect URI")
    }
    // An org's URL alone means its default authorization server.
    let issuer = url.path.isEmpty || url.path == "/" ? url.appendingPathComponent("oauth2/default") : url
    let flow = InteractionCodeFlow(
      issuer: issuer, clientId: clientID, scopes: scopes, redirectUri: redirect,
      environment: FlowEnvironment(recorder: recorder))
    var end = End(flow: flow.flowID, status: "none", error: nil)
    do {
      let dialog = IdentityEngineDialog(username: username, password: password, choice: factor)
      if let refusal = try await dialog.lead(flow, heard: { end.status = $0 }) {
        end.error = CommandFailure(.finding, refusal)
      }
    } catch {
      end.error = error
    }
    return end
  }

  private func signIn(to url: URL, _ recorder: LogRecorder) async throws -> End {
    let password = try password()
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: url, responseHandler: OktaAuthStatusResponseHandler(pollInterval: pollInterval),
      environment: FlowEnvironment(recorder: recorder))
    var end = End(flow: start.flowID, status: "none", error: nil)
    do {
      let first = try await start.authenticate(username: username, password: password)
      let status = try await SignInDialog(factor: factor).lead(from: first) { end.status = $0.statusType.raw }
      if let challenge = status as? OktaAuthStatusFactorChallenge, let result = challenge.factorResult {
        end.error = CommandFailure(.finding, "the push ended as \(result.raw)")
      } else if status.statusType != .success {
        end.error = CommandFailure(.finding, "the sign-in ended in \(status.statusType.raw)")
      }
    } catch {
      end.error = error
    }
    return end
  }

  private func password() throws -> String {
    if let passwordFile { return try SecretInput.file(passwordFile) }
    if let passwordFd { return try SecretInput.descriptor(passwordFd) }
    return try SecretInput.ask("Password for \(username.printable): ")
  }

  private func tell(_ end: End) throws {
    let output = Output()
    if json.isOn {
      let document: JSON = [
        "flow": .string(end.flow), "user": .string(username), "status": .string(end.status),
        "signedIn": .bool(end.signedIn),
      ]
      try output.json(document)
    } else {
      let store = Invocation.quoted(store.directory)
      try output.lines([
        "\(end.status.printable)  \(end.flow)",
        "  auditctl show \(FlowReference.identifier(of: end.flow)) --store \(store)",
        "  auditctl replay \(FlowReference.identifier(of: end.flow)) --store \(store)",
      ])
    }
    try output.flush()
  }
}
