import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Foundation

/// `auditctl sign-in`
struct SignInCommand: AsyncParsableCommand {
  /// The APIs that a sign-in can go through.
  enum API: String, ExpressibleByArgument, CaseIterable {
    /// The classic authentication API.
    case authn
    /// The Identity Engine.
    case idx
    /// The pages of an authorization server, in a browser.
    case oidc
  }

  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Sign in at a terminal, recorded.",
    discussion: """
      The password is asked for without echo, or comes as the next line of stdin, from a file, or from a descriptor; \
      never from an argument. Codes and answers are asked for in the same way.

      With oidc the person signs in with a browser, at the pages of the authorization server whose issuer --org names, \
      and the browser comes back to the redirect URI on this machine. With --headless the page to open is printed on a \
      line of its own (with --json, on stderr).

      Exits 1 if the org refuses the sign-in, or asks again and stdin has no further answer; 65 if there is no answer \
      to begin with. Ctrl-C, SIGTERM and SIGHUP cancel the sign-in: its end is recorded, the store is closed, and the \
      exit code is 130.

      EXAMPLES
        auditctl sign-in --org https://acme.example --username ann --store audit
        auditctl sign-in --org http://127.0.0.1:8080 --username bob@acme.example \\
          --store audit --factor push --password-fd 3 3< password.txt
        auditctl sign-in --org http://127.0.0.1:8080 --username ann@acme.example \\
          --store audit --api idx --factor sms
        auditctl sign-in --org https://acme.example/oauth2/default --store audit \\
          --api oidc --client-id 0oa1client --headless \\
          --redirect-uri http://127.0.0.1:8400/callback
      """)

  @Option(help: ArgumentHelp("The org's URL; with oidc, the issuer.", valueName: "URL")) var org: String
  @Option(help: ArgumentHelp("The login; with oidc the person types it in the browser.", valueName: "U"))
  var username: String?
  @OptionGroup var store: StoreOption
  @Option(
    help: ArgumentHelp(
      "The API to sign in through: the classic one, the Identity Engine, or an authorization server's pages.",
      valueName: "authn|idx|oidc"))
  var api: API = .authn
  @Option(help: ArgumentHelp("Take the password from the first line of a file.", valueName: "FILE"))
  var passwordFile: String?
  @Option(help: ArgumentHelp("Take the password from the first line of an open descriptor.", valueName: "N"))
  var passwordFd: Int32?
  @Option(
    help: ArgumentHelp(
      "The second factor: its type (push, sms, call, email, totp, question), the name that the org shows, or its number in the list.",
      valueName: "F"))
  var factor: String?
  @Option(help: ArgumentHelp("With authn: seconds between two looks at a push.", valueName: "S"))
  var pollInterval: Double = 5
  @Option(help: ArgumentHelp("With idx and oidc: the client id.", valueName: "ID"))
  var clientID = "0oa1sampleapp0000001"
  @Option(
    help: ArgumentHelp(
      "With idx and oidc: the redirect URI, as it is registered; with oidc it leads to this machine.",
      valueName: "URI"))
  var redirectURI = "com.example.app:/callback"
  @Flag(help: "With oidc: print the page to open instead of starting a browser.") var headless = false
  @Option(help: ArgumentHelp("With idx and oidc: the scopes, separated by spaces.", valueName: "SCOPES"))
  var scopes = "openid profile"
  @Option(
    name: .customLong("allow-origin"), parsing: .singleValue,
    help: ArgumentHelp(
      "Another origin that the org's links may lead to, and that may have what is entered. May be repeated. If given, links to others are refused.",
      valueName: "URL"))
  var allowOrigin: [String] = []
  @Flag(help: "Send the password in clear text: for an http URL of another machine.") var allowHttp = false
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    if api == .oidc {
      try BrowserSignIn.check(issuer: org)
      return try BrowserSignIn.check(redirectURI: redirectURI)
    }
    guard username != nil else { throw ValidationError("Missing expected argument '--username <U>'") }
    guard !headless else { throw ValidationError("--headless is for --api oidc, which alone needs a browser") }
    guard let url = URL(string: org), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host()?.isEmpty == false
    else { throw ValidationError("'\(org)' is no URL of an org; write https://acme.example") }
    for text in [org] + allowOrigin {
      guard let parts = URLParts(text), text.utf8.allSatisfy({ $0 > 0x20 }) else {
        throw ValidationError("'\(text)' is no origin; write https://login.acme.example")
      }
      guard parts.scheme == "https" || parts.isLoopback || allowHttp else {
        throw ValidationError(
          "\(parts.origin) would get the password in clear text; use https, or give --allow-http")
      }
    }
    guard passwordFile == nil || passwordFd == nil else {
      throw ValidationError("--password-file and --password-fd are two places for one password; give one")
    }
    if username?.isEmpty == true { throw ValidationError("--username is empty; give a login") }
    guard (1...3_600).contains(pollInterval) else { throw ValidationError("--poll-interval is 1 to 3600 seconds") }
  }

  func run() async throws {
    guard let url = URL(string: org) else { return }
    CrashSilence.begin()
    // Opened first, so that an error of the store is reported before a password is asked for.
    let recorder = LogRecorder(directory: store.directory)
    _ = try Creation.of(recorder.directory) { () throws(StoreError) in try recorder.open() }
    let end: SignIn.End
    do {
      end = try await signIn(to: url, recorder)
    } catch {
      try recorder.close()
      throw error
    }
    try recorder.close()
    try tell(end)
    if let error = end.error { throw SignInRefusal.failure(error, at: org, of: Self.self) }
    if !end.signedIn { throw ExitCode(ExitStatus.finding.rawValue) }
  }

  /// Signs in, and waits until the flow's end is recorded: also if a signal ends it.
  private func signIn(to url: URL, _ recorder: LogRecorder) async throws -> SignIn.End {
    let noting = NotingRecorder(recorder)
    let browser = BrowserSignIn(
      issuer: org, clientID: clientID, redirectURI: redirectURI, scopes: scopes, show: headless ? shown : nil)
    let signIn = SignIn(
      url: url, username: username ?? "", factor: factor, pollInterval: pollInterval, clientID: clientID,
      redirectURI: redirectURI, scopes: scopes, isIdentityEngine: api == .idx, password: source,
      allowedOrigins: allowOrigin.isEmpty ? nil : allowOrigin)
    let transport = EndableTransport(allowsClearText: allowHttp)
    let environment = FlowEnvironment(recorder: noting, transport: transport)
    let usesBrowser = api == .oidc
    // Before anything waits for input: a wait started before the signal handlers would not end on a signal.
    let begun = Locked<Task<SignIn.End, any Error>?>(nil)
    Interruption.atFirst { begun.withLock { $0 }?.cancel() }
    let work = Task {
      if usesBrowser { return try await browser.run(environment, noting) }
      return try await signIn.run(environment)
    }
    begun.withLock { $0 = work }
    if Interruption.hasCome { work.cancel() }
    let result = await work.result
    guard Interruption.hasCome else {
      let end = try result.get()
      try await FlowEnding.wait(for: [end.flow], in: recorder.open(), milliseconds: 250)
      return end
    }
    // Nothing waits for the flow any more, so it is released, which ends it.
    transport.cancelAll()
    guard case .success(let end) = result else {
      throw CommandFailure(.interrupted, "interrupted before the sign-in began; nothing is recorded of it")
    }
    let hasEnded = try await FlowEnding.wait(for: [end.flow], in: recorder.open(), milliseconds: 2_000)
    if end.signedIn { return end }
    throw CommandFailure(
      .interrupted, "interrupted; \(end.flow) is recorded \(hasEnded ? "with its end" : "up to here, as still open")")
  }

  /// Prints the page to open, at once.
  private var shown: @Sendable (String) -> Void {
    let isMessage = json.isOn
    return { page in
      guard !isMessage else { return Messages.say(page) }
      let output = Output()
      try? output.line(page)
      try? output.flush()
    }
  }

  private var source: SignIn.PasswordSource {
    if let passwordFile { return .file(passwordFile) }
    return passwordFd.map { .descriptor($0) } ?? .input
  }

  /// The status that the flow has reached, as `auditctl flows` says it; nil if it has not reached any. How the sign-in
  /// ended is said also if the store cannot be read.
  private func status(of flow: String) -> String? {
    guard let records = try? LogReader(directory: store.directory).records(of: flow) else { return nil }
    var facts = LogFacts()
    for record in records { facts.add(record) }
    return facts.flows.first?.status
  }

  private func tell(_ end: SignIn.End) throws {
    let output = Output()
    let status = status(of: end.flow)
    if json.isOn {
      let document: JSON = [
        "flow": .string(end.flow), "user": (end.user ?? username).map(JSON.string) ?? .null,
        "status": status.map(JSON.string) ?? .null,
        "signedIn": .bool(end.signedIn),
      ]
      try output.json(document)
    } else {
      let store = Invocation.quoted(store.directory)
      try output.lines([
        "\((status ?? "none").printable)  \(end.flow)",
        "  auditctl show \(FlowReference.identifier(of: end.flow)) --store \(store)",
        "  auditctl replay \(FlowReference.identifier(of: end.flow)) --store \(store)",
      ])
    }
    try output.flush()
  }
}
