import Foundation
import Testing

/// Links and redirects that lead elsewhere.
@Suite struct LinkTests {
  /// A server that should be sent nothing in confidence.
  private static func trap() throws -> HostileServer {
    try HostileServer(isApart: true) { line in
      while line.request() != nil { line.write(HostileOrg.answer(#"{"status":"SUCCESS"}"#)) }
    }
  }

  @Test("redirects are not followed", arguments: [301, 302, 303, 307, 308], API.allCases)
  func redirects(status: Int, api: API) async throws {
    let trap = try Self.trap()
    defer { trap.stop() }
    for (number, step) in api.steps.enumerated() where Effort.isLong || status % api.steps.count == number {
      let attack = Attack(name: "\(status) at \(step)", api: api) { moment in
        guard moment.step == step else { return .honest }
        return .answer(
          moment.honest, status: "\(status) Elsewhere",
          headers: [
            "Location: \(trap.url)/api/v1/authn", "Refresh: 0; url=\(trap.url)/", "Link: <\(trap.url)/>; rel=preload",
          ])
      }
      try await attack.run()
    }
    #expect(trap.received.isEmpty, "the trap received \(trap.received)")
  }

  /// The honest pages, but what was entered is to go to another address.
  private static func leading(to target: @escaping @Sendable (String) -> String) -> [(
    String, API, @Sendable (Moment) -> Act
  )] {
    [
      (
        "a code", .authn,
        { moment in
          guard moment.step == .select else { return .honest }
          let body = HostileOrg.waiting(moment.url, factor: "token:software:totp")
          return .answer(body.replacing(moment.url + "/api/v1/authn/factors/f1/verify/poll", with: target(moment.url)))
        }
      ),
      (
        "a new password", .authn,
        { moment in
          .answer(
            #"{"status":"PASSWORD_EXPIRED","stateToken":"\#(Canary.stateToken)","_links":{"next":\#(HostileOrg.link(target(moment.url)))}}"#
          )
        }
      ),
      (
        "a user name", .idx,
        { moment in
          guard moment.step == .introspect else { return .honest }
          return .answer(moment.honest.replacing(moment.url + "/idp/idx/identify", with: target(moment.url)))
        }
      ),
      (
        "a password", .idx,
        { moment in
          guard moment.step == .identify else { return .honest }
          return .answer(moment.honest.replacing(moment.url + "/idp/idx/challenge/answer", with: target(moment.url)))
        }
      ),
      (
        "the exchange for tokens", .idx,
        { moment in
          moment.step == .answer ? .answer(HostileOrg.success(moment.url, at: target(moment.url))) : .honest
        }
      ),
    ]
  }

  @Test("what was entered, and what tokens are given for, goes to the org alone; the error names the other origin")
  func entries() async throws {
    let trap = try Self.trap()
    defer { trap.stop() }
    let url = trap.url
    for (name, api, act) in Self.leading(to: { _ in url + "/take" }) {
      // On a busy machine, an honest answer may take its time.
      let after = try await Attack(name: name, api: api, act: act, settings: ["timeout=40000"]).run()
      let output = after.output
      #expect(output.contains("allowedOrigins") || output.contains("invalidUrl"), "\(name): \(output)")
      #expect(after.outcomes == ["failed"], "\(name): \(output)")
    }
    #expect(trap.received.isEmpty, "the trap received \(trap.received)")
  }

  static let oddLinks = [
    "http://169.254.169.254/latest/meta-data/", "http://[::ffff:169.254.169.254]/", "https://169.254.169.254/",
    "file:///etc/passwd", "gopher://127.0.0.1:6379/_FLUSHALL", "ftp://127.0.0.1/", "javascript:alert(1)",
    "//127.0.0.1:1/", "/idp/idx/identify", "", " ", "http://", "http:///path", "http://127.0.0.1:99999/",
    "http://127.0.0.1:-1/", #"http://127.0.0.1:1/\r\nX-Injected: 1"#, #"http://127.0.0.1\u0000.evil.example/"#,
    "http://evil.example#@127.0.0.1/", #"http://127.0.0.1\\@evil.example/"#, "http://user:pw@127.0.0.1:1/",
    "http://%31%32%37.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://ａ.example/", "HTTP://EVIL.EXAMPLE/",
    "http://127.0.0.1:1/" + String(repeating: "x", count: 1_000_000), "$secret.password.1$",
    "http://$secret.password.1$/", "http://127.0.0.1:1/?a=$secret.password.1$",
  ]

  @Test("links that are none, or lead where no org is", arguments: oddLinks.indices)
  func odd(index: Int) async throws {
    let keys: @Sendable (Moment) -> Act = { moment in
      guard moment.step == .metadata else { return .honest }
      return .answer(moment.honest.replacing(moment.url + "/oauth2/default/v1/keys", with: Self.oddLinks[index]))
    }
    let attacks = Self.leading(to: { _ in Self.oddLinks[index] }) + [("the server's keys", .idx, keys)]
    for (number, (name, api, act)) in attacks.enumerated() where Effort.isLong || index % attacks.count == number {
      try await Attack(name: "\(name) to \(Self.oddLinks[index].prefix(60))", api: api, act: act).run()
    }
  }

  @Test("a link that carries the state token alone is followed and noted, and takes nothing else along")
  func stateToken() async throws {
    let trap = try Self.trap()
    defer { trap.stop() }
    let url = trap.url
    let attack = Attack(name: "a poll elsewhere", api: .authn) { moment in
      guard moment.step == .select else { return .honest }
      return .answer(
        HostileOrg.waiting(moment.url).replacing(
          moment.url + "/api/v1/authn/factors/f1/verify/poll", with: url + "/poll"),
        headers: ["Set-Cookie: JSESSIONID=\(Canary.cookie)"])
    }
    try await attack.run()
    let request = try #require(trap.requests.first)
    #expect(request.body == #"{"stateToken":"\#(Canary.stateToken)"}"#)
    #expect(!request.text.contains(Canary.password) && !request.text.contains(Canary.cookie))
  }
}
