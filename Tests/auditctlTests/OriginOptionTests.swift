// Where a sign-in at a terminal may lead: --allow-origin and --allow-http.

import Foundation
import SimulatedOrg
import Testing

@Suite struct OriginOptionTests {
  private static let answer = "Canary-teddy-5c1"

  /// An org whose links lead to the same server under another name: another origin.
  private func orgOfTwoNames() async throws -> SimulatedOrg {
    let user = OrgUser(
      login: "ann@acme.example", password: SignInTests.password,
      factors: [.question(key: "disliked_food", answer: Self.answer)])
    return try await SimulatedOrg.start(
      OrgConfiguration(
        users: [user], clock: .system, decorate: { _, body in Self.isMetadata(body) ? body : Self.renamed(body) },
        policy: OrgPolicy.named("two-factors") ?? .standard))
  }

  /// Metadata of an issuer are those of the name that was asked, or are refused.
  private static func isMetadata(_ body: OrgJSON) -> Bool {
    guard case .object(let members) = body else { return false }
    return members.contains { $0.name == "issuer" }
  }

  private static func renamed(_ body: OrgJSON) -> OrgJSON {
    switch body {
    case .object(let members): .object(members.map { .init($0.name, renamed($0.value)) })
    case .array(let elements): .array(elements.map { renamed($0) })
    case .string(let text): .string(text.replacing("http://127.0.0.1:", with: "http://localhost:"))
    default: body
    }
  }

  private func signIn(
    at url: String, api: String = "authn", _ more: [String] = [], in folder: Folder
  ) async throws -> Run {
    try await Program.runAside(
      ["sign-in", "--org", url, "--username", "ann@acme.example", "--store", folder("audit"), "--api", api] + more,
      input: "\(SignInTests.password)\n\(Self.answer)\n", in: folder)
  }

  /// What came to the org under a name.
  private func bodies(at org: SimulatedOrg, as host: String) -> [String] {
    org.requests.filter { $0.header("Host")?.hasPrefix(host + ":") == true }
      .map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test("what is typed goes to another origin only if that was allowed", arguments: ["authn", "idx"])
  func typed(api: String) async throws {
    let org = try await orgOfTwoNames()
    let other = org.url.absoluteString.replacing("127.0.0.1", with: "localhost")
    let folder = try Folder()
    let refused = try await signIn(at: org.url.absoluteString, api: api, in: folder)
    #expect(refused.code != 0 && refused.errors.contains(other), "\(refused)")
    let secrets = [Self.answer] + (api == "idx" ? [SignInTests.password] : [])
    for body in bodies(at: org, as: "localhost") {
      for secret in secrets { #expect(!body.contains(secret), "\(api): \(body)") }
    }
    let allowed = try await signIn(
      at: org.url.absoluteString, api: api, ["--allow-origin", "https://login.acme.example", "--allow-origin", other],
      in: folder)
    #expect(allowed.code == 0, "\(allowed)")
    #expect(bodies(at: org, as: "localhost").contains { $0.contains(Self.answer) })
    await org.stop()
  }

  @Test(
    "with a list of origins no link leads elsewhere, not even one that carries a handle", arguments: ["authn", "idx"])
  func listed(api: String) async throws {
    let org = try await orgOfTwoNames()
    let folder = try Folder()
    let run = try await signIn(
      at: org.url.absoluteString, api: api, ["--allow-origin", "https://login.acme.example"], in: folder)
    #expect(run.code != 0 && run.errors.contains("localhost"), "\(run)")
    #expect(bodies(at: org, as: "localhost").isEmpty)
    await org.stop()
  }

  @Test("an http URL of another machine gets a password only with --allow-http")
  func clearText() async throws {
    let user = OrgUser(login: "ann@acme.example", password: SignInTests.password)
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [user], clock: .system))
    // Of the forms that are no loopback, the one that leads to this machine all the same.
    let url = org.url.absoluteString.replacing("127.0.0.1", with: "0.0.0.0")
    let folder = try Folder()
    let refused = try await signIn(at: url, in: folder)
    #expect(refused.code == 64 && refused.errors.contains("\(url) would get the password in clear text"), "\(refused)")
    #expect(org.requests.isEmpty && !FileManager.default.fileExists(atPath: folder("audit")))
    let allowed = try await signIn(at: url, ["--allow-http"], in: folder)
    #expect(allowed.code == 0, "\(allowed)")
    #expect(bodies(at: org, as: "0.0.0.0").contains { $0.contains(SignInTests.password) })
    await org.stop()
  }

  @Test("an allowed origin must be one, and at https or here, unless --allow-http is given")
  func nonsense() async throws {
    let folder = try Folder()
    for origin in ["http://login.acme.example", "login.acme.example", "ftp://login.acme.example", "", "https://a b"] {
      let run = try await signIn(at: "http://127.0.0.1:1", ["--allow-origin", origin], in: folder)
      #expect(run.code == 64, "\(origin): \(run)")
    }
    let run = try await signIn(
      at: "http://127.0.0.1:1", ["--allow-origin", "http://login.acme.example", "--allow-http"], in: folder)
    #expect(run.code == 74, "\(run)")
  }
}
