import EventStore
import Testing

@testable import FlowRecording

/// The allow-list: what stays readable at which place.
@Suite struct MaskedPlacesTests {
  private static let schema: WireSchema = .object([
    "status": .word(["SUCCESS", "MFA_CHALLENGE"]), "token": .secret("token"), "label": .text, "id": .identifier,
    "count": .number, "flag": .boolean, "at": .date, "code": .errorCode, "link": .url, "who": .personal,
    "list": .array(.text), "inner": .object(["label": .text]), "byId": .map(.object(["flag": .boolean])),
  ])

  private static let object: JSON = ["x-secret-x": "y-secret-y"]
  private static let array: JSON = [["y-secret-y"]]

  /// Values that do not fit what their member declares.
  private static let misfits: [(String, JSON)] =
    ["status", "label", "id", "count", "flag", "at", "code", "link", "who", "list", "token"].map { ($0, object) }
    + ["status", "label", "id", "count", "link", "who", "byId", "inner", "token"].map { ($0, array) }
    + ["status", "label", "id", "flag", "at", "code", "link", "token"].map { ($0, .int(12_345_678)) }
    + [
      ("status", "two words here"), ("id", "not an id!"), ("count", "12345678x"), ("flag", "maybe-12"),
      ("at", "tomorrow-12-12-12"), ("at", "2026-11-21T08:35:00.12345678901234567"), ("at", "0000-00-00T12345678901234"),
      ("at", "Sat, 12345678 Nov 2026 08:35:00 GMT"), ("code", "not-a code"), ("link", "/relative-12"),
      ("inner", "text-secret"), ("byId", "text-secret"),
    ]

  private func mask(_ json: JSON) -> JSON {
    var flow = MaskedFlow()
    let masked = flow.mask(json, as: Self.schema)
    #expect(flow.vault.reveal(masked).bytes == json.bytes)
    return masked
  }

  @Test("what is declared public and fits stays as it is")
  func publicStays() {
    let json: JSON = [
      "status": "SUCCESS", "label": "Anything at all", "id": "00u1", "count": 3, "flag": "true",
      "at": "2026-11-21T08:35:00.123Z", "code": "E0000004", "link": "https://acme.example/a/b", "who": "Ann",
      "list": ["a", "b"], "inner": ["label": "c"], "byId": ["opf8wjpxJGBKiBPuaOyT": ["flag": true]],
    ]
    #expect(mask(json) == json)
  }

  @Test(
    "a place in a form stays readable where its words and indices are secrets elsewhere; what is no place does not",
    arguments: [
      ("remediation/0", "remediation/0"), ("1:2/0", "1:2/0"), ("0", "0"), ("authenticator/12/resend", nil),
      ("remediation/12345", nil), ("remediation//0", nil), ("remediation", "remediation"), ("other/0", nil),
    ])
  func places(text: String, masked: String?) {
    var flow = MaskedFlow(knowing: "remediation", "0", "resend", "12345", "other", "authenticator")
    let place = flow.mask(.string(text), as: .place(["remediation"])).string
    #expect(place == masked || masked == nil && place?.contains("$secret.") == true, "\(place ?? "")")
    #expect(flow.vault.reveal(place ?? "") == text)
  }

  @Test("undeclared members are masked at every depth, name and value")
  func undeclared() {
    let masked = mask([
      "odd": "value-one", "inner": ["odder": ["deep": ["value-two", 12345, true, .null]]],
      "byId": ["opf1": ["oddest": "value-three"]], "token": ["label": "value-four"],
    ]).text
    for word in ["odd", "deep", "value-", "12345", "true", "label"] { #expect(!masked.contains(word), "\(word)") }
    #expect(masked.contains("null"))
  }

  @Test(
    "a value of another type than declared is masked",
    arguments: misfits)
  func typeConfusion(key: String, value: JSON) {
    let masked = mask(.object(JSONObject([.init(key: key, value: value)]))).text.dropFirst(key.count + 3)
    #expect(masked.contains("$secret."))
    for word in ["secret-", "1234", "tomorrow", "maybe", "two", "not", "relative"] { #expect(!masked.contains(word)) }
  }

  @Test("repeated members are masked one by one and keep their order")
  func repeatedMembers() {
    let json = JSON.object(
      JSONObject([
        .init(key: "token", value: "token-one"), .init(key: "label", value: "said token-two"),
        .init(key: "token", value: "token-two"),
      ]))
    #expect(
      mask(json).text
        == #"{"token":"$secret.token.1$","label":"said $secret.token.2$","token":"$secret.token.2$"}"#)
  }

  @Test("a secret is replaced above the place where it is first named")
  func quotedAbove() {
    #expect(mask(["label": "token abcdefgh", "token": "abcdefgh"])["label"] == "token $secret.token.1$")
  }

  @Test("the same secret has the same placeholder, another the next number of its kind")
  func numbering() {
    var flow = MaskedFlow()
    #expect(flow.mask("first-token", as: .secret("token")) == "$secret.token.1$")
    #expect(flow.mask("second-token", as: .secret("token")) == "$secret.token.2$")
    #expect(flow.mask("first-token", as: .secret("other")) == "$secret.token.1$")
    #expect(flow.mask("third-token", as: .secret("other-kind")) == "$secret.otherkind.1$")
  }

  @Test("words, dates, numbers and error codes that equal a secret stay")
  func exempt() {
    let json: JSON = [
      "status": "SUCCESS", "count": 1234, "flag": true, "at": "2026-11-21T08:35:00Z", "code": "E0000004",
    ]
    var flow = MaskedFlow(knowing: "SUCCESS", "1234", "true", "2026-11-21T08:35:00Z", "E0000004")
    #expect(flow.mask(json, as: Self.schema) == json)
  }

  @Test("an unknown word of a vocabulary stays readable unless it is a secret")
  func openVocabulary() {
    var flow = MaskedFlow(knowing: "hunter2")
    #expect(flow.mask(["status": "NEW_STATUS"], as: Self.schema)["status"] == "NEW_STATUS")
    #expect(flow.mask(["status": "hunter2"], as: Self.schema)["status"] == "$secret.known.1$")
  }

  @Test("declared keys that equal a secret stay; of keys that are data only ids do, if they are none")
  func keys() {
    var flow = MaskedFlow(knowing: "label", "opf8wjpxJGBKiBPuaOyT")
    let masked = flow.mask(
      ["label": "x", "byId": ["opf8wjpxJGBKiBPuaOyT": ["flag": true], "hunter2": ["flag": true]]], as: Self.schema)
    #expect(masked.text == #"{"label":"x","byId":{"$secret.known.2$":{"flag":true},"$secret.key.1$":{"flag":true}}}"#)
    #expect(flow.vault.reveal(masked)["byId"]?["opf8wjpxJGBKiBPuaOyT"]?["flag"] == true)
    #expect(flow.vault.reveal(masked)["byId"]?["hunter2"]?["flag"] == true)
  }

  @Test("a personal number that is a secret is masked, and comes back as a number")
  func personalNumber() {
    var flow = MaskedFlow(knowing: "5550199")
    let masked = flow.mask(["who": 5550199], as: Self.schema)
    #expect(!masked.text.contains("5550199"))
    #expect(flow.vault.reveal(masked) == ["who": 5550199])
  }

  @Test("empty strings and null stay")
  func empty() {
    let json: JSON = ["token": "", "label": .null, "link": "", "status": ""]
    #expect(mask(["token": "", "label": .null, "link": ""]).text == #"{"token":"","label":null,"link":""}"#)
    #expect(mask(json)["status"] == "")
  }

  // MARK: URLs

  private static let urls: [(String, String)] = [
    ("https://acme.example/a?rememberDevice=true", "https://acme.example/a?rememberDevice=true"),
    ("https://acme.example/a?token=tok-1234", "https://acme.example/a?token=$secret.token.1$"),
    ("https://acme.example/a?x=tok-1234&", "https://acme.example/a?$secret.key.1$=$secret.query.1$&"),
    ("https://acme.example/a?token=tok%2d1", "https://acme.example/a?token=$secret.token.1.pct$"),
    ("https://acme.example/a?rememberDevice=a;token=b", "https://acme.example/a?rememberDevice=$secret.query.1$"),
    ("https://acme.example/a?tok-1234", "https://acme.example/a?$secret.query.1$"),
    ("https://acme.example/a#tok-1234", "https://acme.example/a#$secret.fragment.1$"),
    ("https://acme.example/a#id_token=tok", "https://acme.example/a#id_token=$secret.idtoken.1$"),
    ("https://acme.example/a;jsessionid=tok/b", "https://acme.example/a;$secret.path.1$/b"),
    ("https://ann:tok-1234@acme.example/a", "$secret.url.1$"), ("ftp://acme.example/tok", "$secret.url.1$"),
    ("https:///tok-1234", "$secret.url.1$"), ("https://acme.example?", "https://acme.example?"),
    ("HTTPS://acme.example/a?token=tok-1234", "HTTPS://acme.example/a?token=$secret.token.1$"),
    ("Http://ACME.example/a", "Http://ACME.example/a"), ("HTTPS:///tok-1234", "$secret.url.1$"),
    ("HTTPS://ann:tok-1234@acme.example/a", "$secret.url.1$"), ("FTP://acme.example/tok", "$secret.url.1$"),
    ("https://acme.example/?a=$secret.known.1$", "$secret.url.1$"),
    ("https://acme.example/?rememberDevice=1&\u{301}token=ab", "https://acme.example/?rememberDevice=$secret.query.1$"),
  ]

  @Test(
    "of a URL only scheme, host, path and declared parameters stay",
    arguments: urls)
  func url(text: String, masked: String) {
    var flow = MaskedFlow()
    #expect(flow.mask(url: text) == masked)
    #expect(flow.vault.reveal(masked).utf8.elementsEqual(text.utf8))
  }

  @Test("a known secret is replaced in the path of a URL, but a short one not in its host")
  func path() {
    var flow = MaskedFlow(knowing: "127", "path-secret")
    #expect(
      flow.mask(url: "http://127.0.0.1:8/v/path-secret/127/path%2Dsecret")
        == "http://127.0.0.1:8/v/$secret.known.2$/$secret.known.1$/$secret.known.2.pct$")
  }

  @Test("a URL is searched for secrets in whatever case its scheme is written")
  func schemeOfSearched() {
    var flow = MaskedFlow(knowing: "path-secret")
    #expect(flow.mask(url: "HTTPS://acme.example/path-secret") == "HTTPS://acme.example/$secret.known.1$")
    #expect(flow.mask(url: "HTTPS://acme.example/a") == "HTTPS://acme.example/a")
  }

  @Test("a URL that is a secret is replaced where a URL is declared, and so is one that goes on from it")
  func secretURL() {
    for text in ["https://acme.example/qr/20111", "https://acme.example/qr/20111/x?rememberDevice=true"] {
      var flow = MaskedFlow(knowing: "https://acme.example/qr/20111")
      let masked = flow.mask(url: text)
      #expect(!masked.contains("20111"))
      #expect(flow.vault.reveal(masked) == text)
    }
  }

  @Test("a token in the query of a URL inside text is a secret")
  func urlInsideText() {
    var flow = MaskedFlow()
    #expect(
      flow.mask(text: "Go to <https://acme.example/r?stateToken=00abcdef&x=1>.")
        == "Go to <https://acme.example/r?stateToken=$secret.stateToken.1$&x=1>.")
  }

  @Test(
    "a parameter that is secret by its name is one in a URL of any scheme, and in a query alone",
    arguments: [
      "state", "nonce", "id_token_hint", "code_verifier", "client_secret", "client_assertion", "device_secret",
      "device_code", "user_code", "code",
    ])
  func namesInsideText(name: String) {
    for lead in ["https://acme.example/cb?", "com.app:/cb?", "got x=1&"] {
      let text = "\(lead)\(name)=canary-1"
      var flow = MaskedFlow()
      let masked = flow.mask(text: "Led to \(text) again")
      #expect(!masked.contains("canary"), "\(masked)")
      #expect(flow.vault.reveal(masked) == "Led to \(text) again")
    }
    var flow = MaskedFlow()
    #expect(flow.mask(text: "the \(name)=public of a sentence") == "the \(name)=public of a sentence")
  }

  @Test(
    "a URL that goes as a whole gives the secrets that its parameters name",
    arguments: [
      "https://ann:pass@acme.example/r?stateToken=canary-1", "https://acme.example/$secret.a.1$?stateToken=canary-1",
      "com.app:/cb?stateToken=canary-1", "https://acme.example/known-secret?a=known-secret%3Fa&stateToken=canary-1",
    ])
  func wholeURL(url: String) {
    var flow = MaskedFlow(knowing: "known-secret?a")
    let masked = flow.mask(["label": "token canary-1 is over", "link": .string(url)], as: Self.schema)
    #expect(masked == ["label": "token $secret.stateToken.1$ is over", "link": "$secret.url.1$"])
    #expect(flow.vault.reveal(masked)["link"] == .string(url))
  }

  @Test(
    "the password in a URL is found in other text of the message",
    arguments: ["https://ann:canary-pw-1@acme.example/r", "https://ann:canary%2Dpw%2D1@acme.example"])
  func passwordOfURL(url: String) {
    var flow = MaskedFlow()
    let masked = flow.mask(["label": "canary-pw-1 is wrong", "link": .string(url)], as: Self.schema)
    #expect(masked == ["label": "$secret.credentials.1$ is wrong", "link": "$secret.url.1$"])
    #expect(flow.vault.reveal(masked)["link"] == .string(url))
  }

  // MARK: Headers

  private static let cookies: [(String, String)] = [
    ("DT=dev-1234; Path=/; Secure", "DT=$secret.cookie.1$; Path=/; Secure"),
    ("DT=dev-1234;Path=/;  HttpOnly ", "DT=$secret.cookie.1$;Path=/;  HttpOnly "),
    (" DT = dev-1234 ; Max-Age=10", " DT = $secret.cookie.1$ ; Max-Age=10"), ("DT=; Path=/", "DT=; Path=/"),
    ("DT=dev; Secure=tok-1; Odd=tok-2", "DT=$secret.cookie.1$; $secret.cookie.2$; $secret.cookie.3$"),
    ("DT=a; Expires=Sat, 21 Nov 2026 08:35:00 GMT", "DT=$secret.cookie.1$; Expires=Sat, 21 Nov 2026 08:35:00 GMT"),
    ("DT=a; Expires=Thu, 01-Jan-70 00:00:00 GMT", "DT=$secret.cookie.1$; Expires=Thu, 01-Jan-70 00:00:00 GMT"),
    ("DT=a; Expires=Sunday, 06-Nov-94 08:49:37 GMT", "DT=$secret.cookie.1$; Expires=Sunday, 06-Nov-94 08:49:37 GMT"),
    ("DT=a; Expires=Thu, 01-Jan-7 00:00:00 GMT", "DT=$secret.cookie.1$; $secret.cookie.2$"),
    ("DT=a; Expires=Thu, 01-tok-70 00:00:00 GMT", "DT=$secret.cookie.1$; $secret.cookie.2$"),
    ("DT=a; Expires=hunter2, 01-Jan-70 00:00:00 GMT", "DT=$secret.cookie.1$; $secret.cookie.2$"),
    ("DT=a; Expires=tok-1", "DT=$secret.cookie.1$; $secret.cookie.2$"),
    ("DT=a; Path=/app/v1_2; Domain=.acme.example", "DT=$secret.cookie.1$; Path=/app/v1_2; Domain=.acme.example"),
    ("DT=a; path = ; Domain=", "DT=$secret.cookie.1$; path = ; Domain="),
    ("DT= ", "DT= "), ("DT=  ; ; Path=/", "DT=  ; ; Path=/"), (" DT = ; ", " DT = ; "), ("DT=   ", "DT=   "),
    ("DT=a; Path=/r?token=tok-1; Domain=tok/1", "DT=$secret.cookie.1$; $secret.cookie.2$; $secret.cookie.3$"),
    ("DT=a; Path=tok-1; Domain=tok_1", "DT=$secret.cookie.1$; $secret.cookie.2$; $secret.cookie.3$"),
    ("DT=a; Path=/tok%2D1; Domain=a@b", "DT=$secret.cookie.1$; $secret.cookie.2$; $secret.cookie.3$"),
    ("DT=a; Path=/\(String(repeating: "t", count: 128))", "DT=$secret.cookie.1$; $secret.cookie.2$"),
    ("DT=a; Path=/$secret.x.1$; Domain=$secret.x.1$", "DT=$secret.cookie.1$; $secret.cookie.2$; $secret.cookie.3$"),
    ("hunter2=b; Path=/", "$secret.key.1$=$secret.cookie.1$; Path=/"), ("dev-1234", "$secret.undeclared.1$"), ("", ""),
  ]

  @Test(
    "of a Set-Cookie header attributes of the usual form stay, and the names that orgs are known to give",
    arguments: cookies)
  func setCookie(header: String, masked: String) {
    var flow = MaskedFlow()
    #expect(flow.mask(header: "Set-Cookie", header) == masked)
    #expect(flow.vault.reveal(masked) == header)
  }

  @Test("a secret in the path or domain of a cookie is replaced by its own placeholder")
  func secretInCookiePlace() {
    var flow = MaskedFlow(knowing: "known?secret=1")
    let header = "DT=a; Path=/x/known?secret=1; Domain=known?secret=1"
    let masked = flow.mask(header: "Set-Cookie", header)
    #expect(masked == "DT=$secret.cookie.1$; Path=/x/$secret.known.1$; Domain=$secret.known.1$")
  }

  @Test("headers that are not declared are not recorded, whatever the case of their names")
  func headers() {
    var flow = MaskedFlow(knowing: "req-secret")
    #expect(flow.mask(header: "X-Odd", "anything") == nil)
    #expect(flow.mask(header: "RETRY-AFTER", "30") == "30")
    #expect(flow.mask(header: "Retry-After", "tok 1234") == "$secret.undeclared.1$")
    #expect(flow.mask(header: "X-Request-Id", "req-secret") == "$secret.known.1$")
  }

  @Test("a cookie is replaced in the body of the response that sets it")
  func cookieInBody() {
    var flow = MaskedFlow()
    flow.policy.response = Self.schema
    let response = HTTPResponse(
      status: 200, headers: [HTTPField("Set-Cookie", "DT=device-token-1")],
      body: Array(#"{"label":"device-token-1"}"#.utf8))
    let masked = Masker(policy: flow.policy).mask(response, into: &flow.vault)
    #expect(masked.body == .json(["label": "$secret.cookie.1$"]))
  }

  // MARK: Bodies

  private static let malformedBodies: [(String, [UInt8])] = [
    ("HTML", Array("<html>token-1234</html>".utf8)), ("truncated", Array(#"{"token":"token-12"#.utf8)),
    ("not UTF-8", Array("{\"label\":\"".utf8) + [0xFF, 0xC3] + Array("\"}".utf8)),
    ("two documents", Array("{}{}".utf8)), ("control characters", Array("\"a\u{0}b\"".utf8)),
    ("deep", [UInt8](repeating: 0x5B, count: 100_000)),
  ]

  @Test(
    "a body that is no JSON is opaque",
    arguments: malformedBodies)
  func malformed(name: String, bytes: [UInt8]) throws {
    var flow = MaskedFlow()
    guard case .opaque(let reason, let length, let placeholder) = flow.mask(body: bytes, as: Self.schema) else {
      Issue.record("\(name) is not opaque")
      return
    }
    #expect(placeholder == "$secret.body.1$" && length == bytes.count && !reason.contains("token"))
    let text = flow.vault.reveal(placeholder)
    let revealed =
      text.utf8.count == length ? Array(text.utf8) : text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(revealed == bytes)
  }

  @Test("a body of white space is empty")
  func emptyBody() {
    var flow = MaskedFlow()
    #expect(flow.mask(body: Array(" \r\n".utf8), as: Self.schema) == .empty)
  }
}
