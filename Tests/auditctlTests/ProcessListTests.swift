// What `ps` shows while someone signs in: command lines are there for every user of the machine to read.

import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@Suite struct ProcessListTests {
  private static let login = "ann@acme.example"
  private static let password = "Canary-Zx81-Quagga"

  /// The tokens that an org gives out.
  private final class GivenOut: Sendable {
    private let values = Locked<[String: String]>([:])

    /// The tokens, and the names of the members that they were in.
    var all: Set<String> { values.withLock { Set($0.keys) } }
    var names: Set<String> { values.withLock { Set($0.values) } }

    func collect(_ body: OrgJSON) {
      let text = String(decoding: body.encoded, as: UTF8.self)
      let member =
        /"(sessionToken|stateToken|stateHandle|interaction_handle|access_token|refresh_token|id_token)":"([^"]+)"/
      for match in text.matches(of: member) { values.withLock { $0[String(match.output.2)] = String(match.output.1) } }
    }
  }

  /// The members of a query or a form.
  private static func members(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
    return Dictionary(pairs) { $1 }
  }

  /// An org that looks at the list of processes before each answer: then the program waits, and holds what it has.
  private func start(
    _ list: ProcessList, _ given: GivenOut, oidc: OrgOIDC = OrgOIDC(), policy: OrgPolicy = .standard
  ) async throws -> SimulatedOrg {
    try await SimulatedOrg.start(
      OrgConfiguration(
        users: [OrgUser(login: Self.login, password: Self.password)], clock: .system,
        decorate: { path, body in
          given.collect(body)
          list.look(path)
          return body
        }, clients: [TokenCommandTests.client, .sample], policy: policy, oidc: oidc))
  }

  @Test(
    "a sign-in in the browser shows no secret, and with pushed requests neither state nor nonce",
    arguments: [true, false])
  func browser(isPushed: Bool) async throws {
    let folder = try Folder()
    let (list, given) = (ProcessList(home: folder.path), GivenOut())
    let oidc = OrgOIDC(allowsAnyLoopbackPort: true, habits: isPushed ? [] : [.bareDiscovery])
    let org = try await start(list, given, oidc: oidc)
    let browser = try NotingBrowser(in: folder)
    let signIn = Task {
      defer { browser.end() }
      return try await Program.runAside(
        [
          "sign-in", "--api", "oidc", "--org", org.url.absoluteString + "/oauth2/default", "--client-id", "terminal",
          "--redirect-uri", "http://127.0.0.1/callback", "--scopes", "openid profile offline_access", "--store",
          folder("audit"),
        ], environment: ["BROWSER": browser.path], in: folder)
    }
    let page = await browser.page()
    list.look("page")
    if !page.isEmpty { try await Person(Self.login, password: Self.password).visit(page) }
    let run = try await signIn.value
    await org.stop()
    #expect(run.code == 0 && run.output.contains("signedIn  oidc/"), "\(run)")
    list.add("browser", try browser.listed())

    let asked = Self.members(page.split(separator: "?").last.map(String.init) ?? "")
    let forms = org.requests.filter { $0.method == "POST" }.map { Self.members($0.text) }
    let sent = (forms + [asked]).reduce(into: [:]) { $0.merge($1) { $1 } }
    var secrets = given.all.union([Self.password])
    for name in ["code_verifier", "code"] { secrets.insert(try #require(sent[name])) }
    #expect(given.names == ["access_token", "refresh_token", "id_token"])
    #expect(secrets.allSatisfy { $0.utf8.count > 8 })

    // Someone looked: before the browser was opened, while it was, and while tokens were on their way.
    for moment in list.moments {
      #expect(moment.value.contains("sign-in\n--api\noidc"), "\(moment.key)")
    }
    let moments = list.moments.keys.joined(separator: " ")
    for moment in ["openid-configuration", "page", "browser", "/token", "/keys"] { #expect(moments.contains(moment)) }
    #expect(moments.contains("/par") == isPushed)
    for moment in ["page", "browser"] { #expect(list.moments[moment]?.contains("\(browser.path)\n\(page)\n") == true) }
    // The environment of the processes was looked at too.
    #expect(list.moments["browser"]?.contains("BROWSER=\(browser.path)\n") == true)
    for secret in secrets { #expect(!list.text.contains(secret), "\(secret)") }
    // docs/SECURITY.md §5, 16: without pushed requests the page's address has both.
    for name in ["state", "nonce"] {
      let value = try #require(sent[name])
      #expect(value.utf8.count > 8 && list.text.contains(value) == !isPushed && (asked[name] == value) == !isPushed)
    }
  }

  @Test("a sign-in with a password from standard input shows neither it nor a token", arguments: ["authn", "idx"])
  func password(api: String) async throws {
    let folder = try Folder()
    let (list, given) = (ProcessList(home: folder.path), GivenOut())
    let org = try await start(list, given, policy: try #require(OrgPolicy.named("password")))
    let run = try await Program.runAside(
      [
        "sign-in", "--api", api, "--org", org.url.absoluteString, "--username", Self.login, "--store", folder("audit"),
      ], input: Self.password + "\n", in: folder)
    await org.stop()
    #expect(run.code == 0, "\(run)")
    let names: Set =
      api == "authn" ? ["sessionToken"] : ["stateHandle", "interaction_handle", "access_token", "id_token"]
    #expect(given.names.isSuperset(of: names), "\(given.names)")
    #expect(!list.moments.isEmpty && list.moments.values.allSatisfy { $0.contains("sign-in\n--api\n\(api)") })
    for secret in given.all.union([Self.password]) { #expect(!list.text.contains(secret), "\(secret)") }
  }

  @Test("no option of a command takes a secret")
  func options() throws {
    let folder = try Folder()
    for command in ["sign-in", "token revoke", "device enroll", "device respond", "device pin"] {
      let help = try Program.run(command.split(separator: " ").map(String.init) + ["--help"], in: folder)
      #expect(help.code == 0, "\(help)")
      for match in help.output.matches(of: /--[a-z-]*(?:secret|password|passphrase|token|pin|code)[a-z-]*/) {
        #expect(match.output.hasSuffix("-file") || match.output.hasSuffix("-fd"), "\(command): \(match.output)")
      }
    }
  }
}
