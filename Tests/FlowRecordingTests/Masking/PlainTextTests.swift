import EventStore
import Testing

@testable import FlowRecording

/// What is no secret whatever is typed as one: the caller's login, what the application configures, the protocol's words.
@Suite struct PlainTextTests {
  private static let arguments: WireSchema = .object(["username": .login, "password": .secret("password")])

  private func flow(login: String, password: String) -> MaskedFlow {
    var flow = MaskedFlow()
    flow.policy.paths = ["api", "v1", "authn"]
    _ = flow.mask("https://acme.example/tenants/one", as: .setting(.url))
    let typed: JSON = ["username": .string(login), "password": .string(password)]
    let masked = flow.mask(typed, as: Self.arguments)
    #expect(masked["username"]?.string == login)
    #expect(masked["password"] == "$secret.password.1$")
    #expect(flow.vault.reveal(masked) == typed)
    return flow
  }

  @Test(
    "a login stays readable where it stands, also if it or a part of it is the password",
    arguments: [
      ("ann@acme.example", "ann"), ("ann@acme.example", "ann@acme.example"), ("ann@acme.example", "ANN@ACME.EXAMPLE"),
      ("ann", "ann"), ("annabelle", "annabelle"), ("ann+x@acme.example", "acme"),
      ("Ann@acme.example", "ann@acme.example"),
    ])
  func login(login: String, password: String) {
    var flow = flow(login: login, password: password)
    for text in [login, "User \(login) is locked.", "\(login) \(login)"] {
      #expect(flow.mask(.string(text), as: .personal).string == text)
      #expect(flow.mask(text: text) == text)
    }
    #expect(
      flow.mask(url: "https://acme.example/u/\(login.replacing("@", with: "%40"))")
        == "https://acme.example/u/\(login.replacing("@", with: "%40"))")
  }

  @Test("a secret that goes beyond the login, or stands beside it, is replaced")
  func beyond() {
    var beside = flow(login: "ann@acme.example", password: "ann")
    #expect(
      beside.mask(text: "ann typed ann@acme.example") == "$secret.password.1$ typed ann@acme.example")
    var longer = flow(login: "ann@acme.example", password: "ann@acme.example!")
    #expect(longer.mask(text: "not ann@acme.example!") == "not $secret.password.1$")
    #expect(longer.mask(text: base64("ann@acme.example!")) == "$secret.password.1.b64$")
  }

  @Test("the latest login counts: a password that was typed as login once is looked for again")
  func latest() {
    var flow = flow(login: "hunter2hunter2", password: "x")
    let typed: JSON = ["username": "ann", "password": "hunter2hunter2"]
    let masked = flow.mask(typed, as: Self.arguments)
    #expect(!masked.text.contains("hunter2"))
    #expect(flow.mask(text: "no hunter2hunter2 here").contains("hunter2") == false)
    #expect(flow.vault.reveal(masked) == typed)
  }

  @Test(
    "the org's URL and the protocol's paths stay as they are",
    arguments: [
      "acme.example", "https://acme.example/tenants/one", "https://acme.example/", "tenants", "tenants/one", "api",
      "v1", "api/v1",
      "/api/v1/authn",
      "authn",
    ])
  func addresses(password: String) {
    var flow = flow(login: "ann", password: password)
    for url in ["https://acme.example/api/v1/authn", "https://acme.example/tenants/one/api/v1/authn"] {
      #expect(flow.mask(url: url) == url, "\(password)")
    }
  }

  @Test(
    "an undeclared address at the org's host is replaced where it stands, and the org's links stay",
    arguments: ["", "/", "/api/v1/authn", "/api/v1/authn/verify"])
  func undeclaredAddress(path: String) {
    var flow = flow(login: "ann", password: "x")
    let link: JSON = "https://acme.example/api/v1/authn/verify"
    let json: JSON = ["odd": .string("https://acme.example" + path), "link": link]
    let masked = flow.mask(json, as: .object(["link": .url]))
    #expect(masked["link"] == link)
    #expect(masked.object?.members.first?.value == "$secret.undeclared.1$")
    #expect(flow.vault.reveal(masked) == json)
  }

  @Test(
    "an undeclared address at another host, or one with something secret in it, is replaced elsewhere too",
    arguments: ["https://evil.example/a", "https://acme.example/a?type=b", "https://acme.example/a;b"])
  func otherAddress(address: String) {
    var flow = flow(login: "ann", password: "x")
    let masked = flow.mask(["odd": .string(address), "link": .string(address)], as: .object(["link": .url]))
    #expect(masked["link"] == "$secret.undeclared.1$")
  }

  @Test("another segment of a path that is a secret is replaced, beside the protocol's own")
  func otherSegments() {
    var flow = flow(login: "ann", password: "qwe123")
    let url = "https://acme.example/api/v1/qwe123"
    #expect(flow.mask(url: url) == "https://acme.example/api/v1/$secret.password.1$")
    #expect(flow.vault.reveal("https://acme.example/api/v1/$secret.password.1$") == url)
  }

  @Test("a setting with credentials in it is a secret as before")
  func credentials() {
    var flow = MaskedFlow()
    #expect(flow.mask("https://ann:tok-1234@acme.example/a", as: .setting(.url)) == "$secret.url.1$")
    #expect(flow.mask(text: "at https://ann:tok-1234@acme.example/a") == "at $secret.url.1$")
  }

  @Test("a login in the form of a placeholder is masked as a whole")
  func forged() {
    var flow = MaskedFlow()
    let masked = flow.mask("$secret.password.1$", as: .login)
    #expect(masked == "$secret.literal.1$")
    #expect(flow.vault.reveal(masked) == "$secret.password.1$")
  }

  @Test("media types stay, others are searched")
  func mediaTypes() {
    var flow = MaskedFlow(knowing: "json", "hunter2")
    #expect(flow.mask("application/json; charset=UTF-8", as: .mediaType) == "application/json; charset=UTF-8")
    #expect(flow.mask("application/json; x=hunter2", as: .mediaType) != "application/json; x=hunter2")
  }
}
