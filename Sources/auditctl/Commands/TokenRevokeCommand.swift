import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Foundation
import OIDC

/// `auditctl token revoke`
struct TokenRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a token at its server, recorded.",
    discussion: """
      The token is asked for without echo, or comes as the next line of stdin, from a file, or from a descriptor; never \
      from an argument. A token that the server does not know counts as ended (RFC 7009). Exits 1 if the server refuses.

      EXAMPLES
        auditctl token revoke --org https://acme.example/oauth2/default \\
          --client-id 0oa1client --store audit < token.txt
        auditctl token revoke --org https://acme.example \\
          --client-id 0oa1client --store audit --token-file token.txt
      """)

  @Option(help: ArgumentHelp("The issuer: the authorization server's URL.", valueName: "ISSUER")) var org: String
  @Option(help: ArgumentHelp("The client id.", valueName: "ID")) var clientID: String
  @OptionGroup var store: StoreOption
  @Option(help: ArgumentHelp("Take the token from the first line of a file.", valueName: "FILE"))
  var tokenFile: String?
  @Option(help: ArgumentHelp("Take the token from the first line of an open descriptor.", valueName: "N"))
  var tokenFd: Int32?
  @OptionGroup var json: JSONFlag

  func validate() throws {
    try BrowserSignIn.check(issuer: org)
    guard tokenFile == nil || tokenFd == nil else {
      throw ValidationError("--token-file and --token-fd are two places for one token; give one")
    }
  }

  func run() async throws {
    CrashSilence.begin()
    let recorder = LogRecorder(directory: store.directory)
    _ = try Creation.of(store.directory) { () throws(StoreError) in try recorder.open() }
    let noting = NotingRecorder(recorder)
    do {
      let token = try read()
      let tokens = StoredTokens(
        id: "", issuer: org, clientID: clientID, tokenType: "Bearer", accessToken: nil, issued: 0)
      let manager = OktaAuthStateManager(
        authState: OktaAuthState(tokens), environment: FlowEnvironment(recorder: noting))
      try await manager.revoke(token)
    } catch {
      try await FlowEnding.wait(for: noting.streams, in: recorder.open(), milliseconds: 250)
      try recorder.close()
      throw failure(error, flow: noting.streams.last)
    }
    try await FlowEnding.wait(for: noting.streams, in: recorder.open(), milliseconds: 250)
    try recorder.close()
    let output = Output()
    let flow = noting.streams.last ?? ""
    if json.isOn {
      try output.json(["flow": .string(flow), "revoked": true])
    } else {
      try output.line("revoked  \(flow)")
    }
    try output.flush()
  }

  /// The error of the server or network, with its place and what to do next; other errors already contain that.
  private func failure(_ error: any Error, flow: String?) -> any Error {
    guard let refusal = error as? OktaError else { return error }
    let status = ExitStatus(rawValue: ErrorReport(refusal, of: Self.self).exitCode) ?? .inputOutput
    var reason = refusal.localizedDescription
    while reason.hasSuffix(".") { reason.removeLast() }
    let answer = flow.map { "; auditctl show \($0) --store \(store.directory) has what came back" } ?? ""
    let advice =
      status == .inputOutput
      ? "it may still be good: check the address and the network, and revoke it again"
      : "it may still be good: check --org and --client-id\(answer)"
    return CommandFailure(status, "the token was not ended at \(org): \(reason); \(advice)")
  }

  private func read() throws -> String {
    if let tokenFile { return try SecretInput.file(tokenFile) }
    return try tokenFd.map { try SecretInput.descriptor($0) } ?? SecretInput.ask("Token: ")
  }
}
