import EventStore
import Testing

@testable import FlowRecording

/// What a listener's answer leaves in the log, and what leaves the machine.
@Suite struct RequestListeningTests {
  private let request = RequestSent(
    method: "POST", url: "https://acme.example/api/v1/authn", headers: [HTTPField("Accept", "application/json")],
    body: ["n": 1])

  /// The draw's value, and the request that leaves.
  private func answer(
    _ vault: inout Vault, _ change: @escaping @Sendable (inout HTTPRequest) -> Void
  ) -> (value: JSON, sent: RequestSent, real: HTTPRequest) {
    let listening = RequestListening(masker: Masker(policy: MaskedFlow().policy))
    let value = listening.answer(
      of: { request in
        var request = request
        change(&request)
        return request
      }, to: request, vault: &vault)
    let sent = listening.request(value, instead: request)
    return (value, sent, sent.revealed(by: vault))
  }

  @Test("credentials in the URL to which a listener leads are in no part of the record")
  func credentials() {
    var vault = Vault()
    let url = "https://ann:hunter2secret@proxy.example/api"
    let (value, sent, real) = answer(&vault) { $0.url = url }
    #expect(!value.text.contains("hunter2secret") && !sent.data.text.contains("hunter2secret"), "\(value.text)")
    #expect(sent.foreignOrigin == nil && real.url == url)
  }

  @Test(
    "credentials in a header that a listener adds are found where an answer quotes them without their scheme",
    arguments: [
      ("Authorization", "Bearer canary-token-1", "canary-token-1"),
      ("proxy-authorization", "Basic YW5uOmNhbmFyeS1wdy0x", "canary-pw-1"),
    ])
  func credentialsOfHeader(name: String, value: String, secret: String) {
    var vault = Vault()
    let (masked, sent, real) = answer(&vault) { $0.headers.append(HTTPField(name, value)) }
    #expect(!masked.text.contains(value) && !sent.data.text.contains(value))
    #expect(real.headers.contains(HTTPField(name, value)))
    let text = vault.mask("\(secret) is over")
    #expect(text.hasPrefix("$secret.authorization.") && !text.contains(secret), "\(text)")
  }

  @Test(
    "the cookies of a header that a listener adds are found where an answer quotes one alone, and count by themselves",
    arguments: [
      ("Cookie", "canary-sid-1 is over"), ("cookie", "canary-sid-1 is over"), ("Cookie", "canary pct is over"),
    ])
  func cookiesOfHeader(name: String, quote: String) {
    var vault = Vault()
    let value = "lang=en; sid=canary-sid-1; odd=\"canary%20pct\""
    let (masked, sent, real) = answer(&vault) { $0.headers.append(HTTPField(name, value)) }
    #expect(!masked.text.contains("canary") && !sent.data.text.contains("canary"))
    #expect(sent.headers.last == HTTPField(name, "$secret.header.1$"))
    #expect(real.headers.last == HTTPField(name, value))
    let text = vault.mask(quote)
    #expect(text.hasPrefix("$secret.sentCookie.") && !text.contains("canary"), "\(text)")
    #expect(vault.mask("in en") == "in en", "a short value is a word elsewhere")
    #expect(vault.placeholder(for: "a", kind: "cookie") == "$secret.cookie.1$")
  }

  @Test("a known secret that is part of another host is not readable as the origin")
  func secretHost() {
    var vault = Vault()
    _ = vault.placeholder(for: "tenant-secret-42", kind: "known")
    let (value, sent, real) = answer(&vault) { $0.url = "https://tenant-secret-42.proxy.example/api" }
    #expect(!value.text.contains("tenant-secret-42"), "\(value.text)")
    #expect(sent.foreignOrigin?.hasSuffix(".proxy.example") == true)
    #expect(real.url == "https://tenant-secret-42.proxy.example/api")
  }

  @Test("another origin without a secret is recorded as it is")
  func foreign() {
    var vault = Vault()
    let (_, sent, _) = answer(&vault) { $0.url = "https://proxy.example/api" }
    #expect(sent.foreignOrigin == "https://proxy.example")
  }

  @Test("a secret of a header or of the body is found in the URL before them")
  func allParts() {
    var vault = Vault()
    let (value, _, real) = answer(&vault) { request in
      request.url += "/header-secret-1/body-secret-2"
      request.headers.append(HTTPField("X-Proxy", "header-secret-1"))
      request.body = Array(#"{"n":1,"more":"body-secret-2"}"#.utf8)
    }
    #expect(!value.text.contains("-secret-"), "\(value.text)")
    #expect(real.url.hasSuffix("/header-secret-1/body-secret-2"))
  }

  @Test("a header name that is no identifier, or has a secret in it, is masked, and leaves as it is")
  func names() {
    var vault = Vault()
    _ = vault.placeholder(for: "tenant-secret-42", kind: "known")
    let names = ["X!Foo", "X~Y", "X-tenant-secret-42"]
    let (value, _, real) = answer(&vault) { request in
      for name in names { request.headers.append(HTTPField(name, "v")) }
      request.method = "tenant-secret-42"
    }
    for name in names { #expect(!value.text.contains(name), "\(value.text)") }
    #expect(!value.text.contains("tenant-secret-42"))
    #expect(real.headers.map(\.name) == ["Accept"] + names && real.method == "POST")
  }
}
