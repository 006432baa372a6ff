// Sign-ins in a browser, and what the log says of their tokens.

import EventStore
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@Suite struct TokenCommandTests {
  static let password = "Canary-Zx81-Quagga"
  static let client = OrgClient(
    id: "terminal", redirectURIs: ["http://127.0.0.1/callback"],
    postLogoutRedirectURIs: ["http://127.0.0.1/callback"])

  private func start() async throws -> SimulatedOrg {
    try await SimulatedOrg.start(
      OrgConfiguration(
        users: [OrgUser(login: "ann@acme.example", password: Self.password)], clock: .system, clients: [Self.client],
        oidc: OrgOIDC(allowsAnyLoopbackPort: true, pushedLifetime: 3600)))
  }

  /// A program whose pages a person opens as they are printed.
  private func run(_ program: String, _ arguments: [String], in folder: Folder) async throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary).deletingLastPathComponent()
      .appendingPathComponent(program)
    process.arguments = arguments
    process.environment = Program.environment(home: folder.path)
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let person = Person("ann@acme.example", password: Self.password)
    let (lines, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      var rest = Data()
      while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
        rest += piece
        while let end = rest.firstIndex(of: 10) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      continuation.finish()
    }
    var text = ""
    for await line in lines {
      text += line + "\n"
      if line.hasPrefix("http") { try await person.visit(line) }
    }
    process.waitUntilExit()
    return Run(code: process.terminationStatus, output: text, errors: "")
  }

  private func signIn(_ org: SimulatedOrg, _ more: [String] = [], in folder: Folder) async throws -> Run {
    try await run(
      "auditctl",
      [
        "sign-in", "--api", "oidc", "--org", org.url.absoluteString + "/oauth2/default", "--client-id", "terminal",
        "--redirect-uri", "http://127.0.0.1/callback", "--scopes", "openid profile offline_access", "--headless",
        "--store", folder("audit"),
      ] + more, in: folder)
  }

  @Test func `a sign-in in a browser is recorded, listed, shown and replayed without its tokens`() async throws {
    let org = try await start()
    let folder = try Folder()
    let signedIn = try await signIn(org, in: folder)
    #expect(signedIn.code == 0, "\(signedIn.output)")
    #expect(signedIn.output.contains("signedIn  oidc/"), "\(signedIn.output)")
    let json = try await signIn(org, ["--json"], in: folder)
    let document = try JSON(parsing: Array(try #require(json.lines.last).utf8))
    #expect(document["signedIn"]?.bool == true && document["user"]?.string == "ann@acme.example", "\(json.output)")
    await org.stop()

    let list = try Program.run(["token", "list", "--store", folder("audit"), "--json"], in: folder)
    let tokens = try JSON(parsing: Array(list.output.utf8))["tokens"]?.array ?? []
    #expect(tokens.count == 2, "\(list.output)")
    let id = try #require(tokens.first?["id"]?.string)
    #expect(tokens.first?["status"]?.string == "active")
    let shown = try Program.run(["token", "show", id, "--store", folder("audit")], in: folder)
    #expect(shown.code == 0 && shown.output.contains("issued"), "\(shown)")
    #expect(try Program.run(["token", "show", "zz", "--store", folder("audit")], in: folder).code == 66)
    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    for secret in [Self.password, "eyJ"] {
      #expect(!(cat.output + list.output + shown.output).contains(secret))
    }
    let replay = try Program.run(["replay", "--store", folder("audit")], in: folder)
    #expect(replay.code == 0, "\(replay.output)")
  }

  @Test func `tokens that ran out long ago are expired or renewable in the list, as in the report`() throws {
    let folder = try Folder()
    func issued(_ id: String, _ tokens: String) -> String {
      #"{"stream":"oidc/\#(id)","type":"token.issued","at":"2020-01-01T00:00:00Z","#
        + #""data":{"id":"\#(id)","expiresIn":3600,"tokens":{\#(tokens)}}}"#
    }
    let input = [issued("one", #""access_token":"x""#), issued("two", #""access_token":"x","refresh_token":"y""#)]
    let appended = try Program.run(
      ["append", "--store", folder("audit")], input: input.joined(separator: "\n"), in: folder)
    #expect(appended.code == 0, "\(appended)")
    let json = try Program.run(["token", "list", "--store", folder("audit"), "--json"], in: folder)
    let tokens = try JSON(parsing: Array(json.output.utf8))["tokens"]?.array ?? []
    let words = Dictionary(tokens.map { ($0["id"]?.string ?? "", $0["status"]?.string ?? "") }) { $1 }
    #expect(words == ["one": "expired", "two": "renewable"], "\(json)")
    let list = try Program.run(["token", "list", "--store", folder("audit")], in: folder)
    #expect(list.output.contains(" expired ") && list.output.contains(" renewable "), "\(list)")
    let shown = try Program.run(["token", "show", "one", "--store", folder("audit")], in: folder)
    #expect(shown.output.hasPrefix("one  expired\n"), "\(shown)")
  }

  @Test func `a sign-in that the person does not get is refused with 1`() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(
        users: [OrgUser(login: "ann@acme.example", password: Self.password)], clock: .system, clients: [Self.client],
        oidc: OrgOIDC(allowsAnyLoopbackPort: true, unassigned: ["ann@acme.example"], pushedLifetime: 3600)))
    let folder = try Folder()
    let refused = try await signIn(org, in: folder)
    #expect(refused.code == 1 && refused.output.contains("access_denied"), "\(refused.output)")
    await org.stop()
  }

  @Test func `a token is revoked, and the log says so without it`() async throws {
    let org = try await start()
    let folder = try Folder()
    let token = try #require(org.accessToken(for: "ann@acme.example", client: "terminal"))
    let revoked = try await Program.runAside(
      ["token", "revoke", "--org", org.url.absoluteString, "--client-id", "terminal", "--store", folder("audit")],
      input: token + "\n", in: folder)
    #expect(revoked.code == 0 && revoked.output.hasPrefix("revoked  oidc/"), "\(revoked)")
    #expect(!org.isActive(token))
    let wrong = try await Program.runAside(
      ["token", "revoke", "--org", org.url.absoluteString, "--client-id", "nobody", "--store", folder("audit")],
      input: token + "\n", in: folder)
    #expect(wrong.code == 1, "\(wrong)")
    for words in [org.url.absoluteString, "may still be good", "--client-id", "auditctl show oidc/"] {
      #expect(wrong.errors.contains(words), "\(wrong)")
    }
    await org.stop()
    let away = try await Program.runAside(
      ["token", "revoke", "--org", "http://127.0.0.1:1", "--client-id", "terminal", "--store", folder("away")],
      input: token + "\n", in: folder)
    #expect(away.code == 74 && away.errors.contains("at http://127.0.0.1:1: "), "\(away)")
    #expect(away.errors.contains("revoke it again") && !away.errors.contains(token), "\(away)")
    let list = try Program.run(["token", "list", "--store", folder("audit")], in: folder)
    #expect(list.output.contains("revoked"), "\(list)")
    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    #expect(!(cat.output + revoked.output + wrong.errors).contains(token))
  }

  @Test(arguments: [
    ["--org", "ftp://acme.example"], ["--org", "http://acme.example"],
    ["--org", "https://acme.example", "--redirect-uri", "com.example.app:/callback"],
    ["--org", "https://acme.example", "--redirect-uri", "http://acme.example/callback"],
  ])
  func `what cannot work, or would show secrets, is refused before anything is sent`(arguments: [String]) throws {
    let folder = try Folder()
    let run = try Program.run(["sign-in", "--api", "oidc", "--store", folder("audit")] + arguments, in: folder)
    #expect(run.code == 64, "\(run)")
  }

  @Test func `the sample lives through the life of tokens`() async throws {
    let org = try await start()
    let folder = try Folder()
    let run = try await run(
      "token-sample",
      [org.url.absoluteString + "/oauth2/default", folder("audit"), "terminal", "http://127.0.0.1/callback"],
      in: folder)
    #expect(run.code == 0, "\(run.output)")
    for line in ["user: known", "access token: active true", "renewal: a new token", "revocation: done", "signed out"] {
      #expect(run.lines.contains(line), "\(run.output)")
    }
    await org.stop()
    let replay = try Program.run(["replay", "--store", folder("audit")], in: folder)
    #expect(replay.code == 0, "\(replay.output)")
  }
}
