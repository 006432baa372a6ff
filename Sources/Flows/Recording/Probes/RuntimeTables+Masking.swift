// Which secrets are found in text of all encodings, and which parts of messages may be written.

import EventStore
import Foundation

extension RuntimeTables {
  /// Secrets as people enter them and as orgs generate them.
  static let secrets = [
    "Correct-Horse-7", "482913", "tok3n/with+odd=chars&more", "Grüße an Zoë 9!", "ÄRGER über 8", "q\"uo\\te<&>'",
    "o'neil's &c",
    " spaced out ", "ab1",
    "00mDxv7yTEcp3Fq2tokenToken", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl",
  ]

  /// A secret in each form in which it may occur in a text, with the name of the form.
  static func forms(of secret: String) -> [(String, String)] {
    let bytes = Array(secret.utf8)
    func hex(_ value: some BinaryInteger, digits: Int = 2, upper: Bool = false) -> String {
      let text = String(value, radix: 16, uppercase: upper)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let units = Array(secret.utf16)
    let wide = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    var forms: [(String, String)] = [
      ("plain", secret), ("upper", secret.uppercased()), ("lower", secret.lowercased()),
      ("percent", bytes.map { "%" + hex($0, upper: true) }.joined()),
      ("percent lower", bytes.map { "%" + hex($0) }.joined()),
      ("form", FormEncoding.encoded(secret).replacing("%20", with: "+")), ("query", FormEncoding.encoded(secret)),
      ("twice", FormEncoding.encoded(FormEncoding.encoded(secret))),
      ("unicode", units.map { "\\u" + hex($0, digits: 4) }.joined()),
      ("json", JSON.string(secret).text), ("json in json", JSON.string(JSON.string(secret).text).text),
      ("entities", secret.unicodeScalars.map { "&#\($0.value);" }.joined()),
      ("hex entities", secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()),
      (
        "named",
        secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
          "\"", with: "&quot;")
      ),
      (
        "all named",
        secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
          "\"", with: "&quot;"
        ).replacing("'", with: "&apos;").replacing(" ", with: "&nbsp;")
      ),
      ("tabs", secret.replacing(" ", with: "\t")), ("escaped", secret.replacing("/", with: "\\/")),
      ("octets", bytes.map { "\\x" + hex($0) }.joined()),
      ("wide percent", units.map { "%u" + hex($0, digits: 4) }.joined()),
      ("decomposed", secret.decomposedStringWithCanonicalMapping),
      ("compatible", secret.precomposedStringWithCompatibilityMapping),
      ("base64", base64(bytes)), ("base64url", Base64URL.encode(bytes)), ("base64 wide", base64(wide)),
      ("base64 twice", base64(Array(base64(bytes).utf8))),
      ("latin", String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))),
      ("hex", bytes.map { hex($0) }.joined()), ("folded", secret.map { "\($0)" }.joined(separator: "\r\n ")),
      ("trimmed", String(secret.drop { $0 == " " })), ("reversed", String(secret.reversed())),
      ("cut", String(secret.dropLast())), ("longer", secret + "x"), ("doubled", secret + secret),
    ]
    for lead in 1...2 {
      forms.append(("base64 at \(lead)", base64(Array(repeating: 0x41, count: lead) + bytes + [0x42])))
    }
    return forms
  }

  static var sightings: [String] {
    secrets.flatMap { secret in
      forms(of: secret).flatMap { name, form in
        ["\(form)", "You typed \(form), Ann.", "x\(form)y"].enumerated().map { number, text in
          var vault = Vault()
          _ = vault.placeholder(for: .string(secret), kind: "probe")
          let masked = vault.mask(text)
          return line(
            "\(secret) \(name) \(number)",
            "\(masked) \(vault.reveal(masked) == text) \(vault.hasSecret(in: text.utf8Span.span))")
        }
      }
    } + plain
  }

  /// Secrets that are numbers or not text, secrets inside text that is not secret, and two in one text.
  private static var plain: [String] {
    var vault = Vault()
    vault.plainTexts.add(setting: "https://acme.example/oauth2/default")
    vault.plainTexts.set(login: "ann+1@acme.example")
    for (value, kind) in [
      (JSON.number("482913"), "passCode"), ("ann", "password"), (true, "flag"), (["a": 1], "object"),
      ("default", "answer"), ("horse stable", "answer"), ("acme", "answer"), ("horse-77", "answer"),
      ("horse-77-door", "answer"), ("horse-77-door-and-yard", "answer"),
    ] {
      _ = vault.placeholder(for: value, kind: kind, taints: kind != "flag")
    }
    let texts = [
      "482913", "code 482913.", "1482913", "ann", "ann+1@acme.example",
      "for ann+1%40acme.example and ann%2B1@acme.example", "Ann", "planned",
      "https://acme.example/oauth2/default/v1", "default", "true", "horse stable", "horse  stable", "ann 482913",
      "annhorse stable", "at acme.example", "acme", "/oauth2/default", "a horse-77", "horse-77", "horse-77-door",
      "a horse-77-doo",
      "horse-77-door-and-yard.", "horse-77-door-and-yar", "horse-77-horse-77-door",
      "$secret.passCode.1$", "a $secret.x.9$ b", "$secret", "$$", "$secret.a.b.1$", "",
    ]
    // One that did not taint at first, and taints when it occurs again.
    var late = Vault()
    let first = late.placeholder(for: "second-sight", kind: "late", taints: false)
    let before = late.mask("a second-sight")
    let again = late.placeholder(for: "second-sight", kind: "other")
    let lateLine = line("late", "\(first) \(before) \(again) \(late.mask("a second-sight"))")
    return [lateLine]
      + texts.map { text in
        var copy = vault
        let masked = copy.mask(text)
        return line(text, "\(masked) \(copy.reveal(masked) == text) \(copy.reveal(.string(masked)).text) \(copy.count)")
      }
  }

  static let policy = MaskingPolicy(
    response: .object([
      "status": .word(["SUCCESS", "FAILED"]), "token": .secret("token"), "message": .text, "id": .identifier,
      "place": .place(["remediation", "value"]), "code": .errorCode, "count": .number, "flag": .boolean, "date": .date,
      "url": .url, "name": .personal, "login": .login, "own": .own, "list": .array(.word(["A"])), "map": .map(.text),
      "nested": .object(["message": .text, "token": .secret("inner")]), "setting": .setting(.url),
      "field": .depending {
        $0["secret"]?.bool == true ? .secret("field") : .object(["value": .text, "secret": .boolean])
      },
    ]), arguments: .object(["password": .secret("password"), "username": .login]),
    settings: .object(["org": .setting(.url)]),
    headers: ["location": .url, "date": .date, "x-request-id": .identifier, "set-cookie": .secret("cookie")],
    query: ["client_id", "scope"], paths: ["oauth2", "v1"])

  /// Values of each type and form, for each place.
  static let values: [JSON] = [
    .null, true, false, 5, .number("1e9"), .number("1234567890123456"), "", "SUCCESS", "OTHER", "two words", "E0000004",
    "E000004", "true", "yes", "12",
    "-12", "1234567890123456", "2026-01-15T09:00:00.000Z", "2026-01-15T09:00Z", "2026-01-15T09:00:00.1234567890Z",
    "2026-01-15T09:00:00+01:00",
    "Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15-Jan-2026 09:00:00 GMT", "Thx, 15 Jan 2026 09:00:00 GMT", "2026-01-15",
    "remediation/0", "value:1/12345", "remediation/x",
    "https://acme.example/oauth2/v1/a?client_id=1&code=2&scope#state=3", "https://ann@acme.example/", "/relative",
    "http://a.example/Correct-Horse-7/x?y=Correct-Horse-7",
    "$secret.password.1$", "a $secret.password.1$ b", "$secret.", "00u1abcdefghij012345",
    "an id with Correct-Horse-7 in it", "ann@acme.example", "Correct-Horse-7", "ä", "a;b", [],
    [:], ["A", "B", 1, .null, "Correct-Horse-7"],
    ["message": "m", "token": "t", "more": "u"], ["00u1abcdefghij012345": "x", "word": "y"],
    ["secret": true, "value": "v"], ["secret": false, "value": "v"], ["value": 1], [["message": "m"]],
    .string(String(repeating: "a", count: 128)), .string(String(repeating: "a", count: 129)),
  ]

  static var masked: [String] {
    guard case .object(let members) = policy.response else { return [] }
    let masker = Masker(policy: policy)
    var lines: [String] = []
    for name in members.keys.sorted() + ["undeclared", "undeclared name"] {
      for value in values {
        var vault = Vault()
        _ = masker.mask(
          ["password": "Correct-Horse-7", "username": "ann@acme.example"], as: policy.arguments, into: &vault)
        let response = HTTPResponse(status: 200, body: JSON.members([(name, value)]).bytes)
        let masked = masker.mask(response, into: &vault)
        var body = ""
        if case .json(let json) = masked.body {
          body = "\(json.text) \(vault.reveal(json) == .members([(name, value)]))"
        }
        lines.append(line("\(name) \(value.text)", "\(body) \(vault.count)"))
      }
    }
    for (name, value) in [
      ("Location", "https://acme.example/?code=1&scope=2"), ("location", "nowhere"),
      ("Date", "Thu, 15 Jan 2026 09:00:00 GMT"), ("date", "now"), ("X-Request-Id", "abc-1"), ("X-Request-Id", "a b"),
      ("Set-Cookie", "sid=1; Path=/"), ("Set-Cookie", "odd"), ("Server", "nginx"),
    ] {
      for body in ["", " \n", "{", "\u{FEFF}{\"id\":\"a\"}", "[1,2", "{\"id\":\"nginx\"}"] {
        var vault = Vault()
        let masked = masker.mask(
          HTTPResponse(
            status: 302, headers: [HTTPField(name, value)], body: Array(body.utf8),
            timing: HTTPTiming(connect: 1, secured: 2, firstByte: 3, total: 4, bytes: 5)), into: &vault)
        lines.append(line("\(name): \(value) \(body)", "\(masked.data.text) \(vault.count)"))
      }
    }
    lines.append(
      line(
        "latin",
        {
          var vault = Vault();
          return masker.mask(HTTPResponse(status: 200, body: [0x7B, 0xFF]), into: &vault).data.text
        }()))
    return lines
      + ["a", "state Token-1", "", "-", "ä1"].map {
        line($0, "\(Placeholder.kind($0)) \(Placeholder.make(kind: Placeholder.kind($0), number: 2))")
      }
  }

  /// Secrets of URLs in text for people, between all separators; and URLs with a secret that spans several parts.
  static var addressed: [String] {
    let marks = (0x20..<0x7F).map { String(UnicodeScalar(UInt8($0))) } + ["\t", "\r", "\n", "\u{A0}", "é"]
    let texts =
      marks.flatMap { mark in
        ["https://a.example/b\(mark)access_token=tok12345678", "https://a.example/?x=1&code=tok12345678\(mark)more"]
      }
      + URLParts.secretParameters.sorted().flatMap { name in
        [
          "see https://a.example/#\(name)=tok12345678.", "https://a.example/?a=b&\(name)=tok12345678",
          "\(name)=tok12345678",
        ]
      }
    let inside = texts.map { text in
      var vault = Vault()
      URLMasking.collect(inside: text, vault: &vault)
      return line(text, "\(vault.mask(text)) \(vault.count)")
    }
    let secrets = [
      "ab.cd.ef.gh", "a:b@c.d-e", "one/two;three", "two;three=four", "scope=five&code", "six#seven", "example/one",
      "127", "x?scope=1", "oauth2", "v1", "scope", "client_id", "acme", "https", "b",
    ]
    let addresses = secrets.flatMap { secret in
      [
        "https://\(secret)/y", "https://acme.example/\(secret)/y;z=1?scope=2#3", "https://acme.example?\(secret)=1",
        "https://acme.example/a;\(secret)", "https://acme.example/a?scope=\(secret)&b",
        "https://acme.example/oauth2#\(secret)",
        "https://acme.example/oauth2/v1/a;b?client_id=1&scope=\(secret)2#state=3",
      ]
      .map { (secret, $0) }
    }
    let across = addresses.map { secret, address in
      var vault = Vault()
      _ = vault.placeholder(for: .string(secret), kind: "probe")
      let masked = URLMasking.rewrite(address, policy: policy, vault: &vault)
      return line("\(secret) \(address)", "\(masked) \(vault.reveal(masked) == address) \(vault.count)")
    }
    let cookies = secrets.map { secret in
      var vault = Vault()
      _ = vault.placeholder(for: .string(secret), kind: "probe")
      let header = "DT=a; Path=/\(secret); Secure; Max-Age=5; \(secret); Domain=\(secret)"
      return line(header, SetCookie(header)?.masked(with: &vault))
    }
    return inside + across + cookies
  }

  /// Texts that may be dates, numbers, ids and codes, each part of them changed.
  static var spelled: [String] {
    let zones = [
      "Z", "z", "", "+00:00", "-00:00", "+07:00", "-07:00", "+14:00", "-23:59", "+24:00", "-01:60", "+0100", "-07",
      " Z",
    ]
    let dates =
      zones.map { "2026-01-15T09:00:00.5\($0)" } + zones.map { "2026-01-15T09:00:00\($0)" }
      + (0...11).map { "2026-01-15T09:00:00.\(String(repeating: "7", count: $0))Z" }
      + [
        "2026-13-15T09:00:00Z", "2026-00-15T09:00:00Z", "2026-02-31T09:00:00Z", "2026-01-32T09:00:00Z",
        "2026-01-15T24:00:00Z",
        "2026-01-15T09:60:00Z", "2026-01-15T09:00:61Z", "2026-01-15 09:00:00Z", "2026-01-15t09:00:00Z",
        "26-01-15T09:00:00Z",
        "12026-01-15T09:00:00Z",
      ]
      + ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Foo", ""].map { "\($0), 15 Jan 2026 09:00:00 GMT" }
      + ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "jan", "Foo"].map {
        "Thu, 15 \($0) 2026 09:00:00 GMT"
      }
      + [
        "Thu, 5 Jan 2026 09:00:00 GMT", "Thu, 15 Jan 26 09:00:00 GMT", "Thu, 15 Jan 2026 09:00:00 UTC",
        "Thu, 15 Jan 2026 09:00:00",
      ]
    let others =
      ["0", "-0", "-1", "+1", "1.5", ".5", "1e5", "0x1", "1 ", "", "00", "１"]
      + (0x20..<0x7F).map { "ab\(UnicodeScalar(UInt8($0)))cd" }
      + [1, 63, 64, 127, 128, 129, 200].map { String(repeating: "i", count: $0) }
      + ["E0000004", "E000004", "E00000044", "e0000004", "F0000004", "E000000A"]
    return (dates + others).map { text in
      line(
        text,
        "\(WordForm.isDate(text)) \(WordForm.isNumber(text)) \(WordForm.isIdentifier(text)) \(HTTPDate.seconds(text) ?? -1)"
      )
    }
  }

  static var listened: [String] {
    let changes: [(String, @Sendable (inout HTTPRequest) -> Void)] = [
      ("nothing", { _ in }), ("path", { $0.url += "/more?client_id=1&x=2" }),
      ("host", { $0.url = "https://b.example/a?token=1" }),
      ("scheme", { $0.url = "http://acme.example/a" }), ("method", { $0.method = "PUT" }),
      ("header", { $0.headers.append(HTTPField("X-A", "b")) }),
      ("name", { $0.headers.append(HTTPField("X A", "")) }), ("fewer", { $0.headers.removeLast() }),
      ("value", { $0.headers[0].value = "other" }),
      ("credentials", { $0.headers.append(HTTPField("Authorization", "Bearer token-12345678")) }),
      (
        "quoted credentials",
        {
          $0.url += "/token-12345678/abcd/abc/cookie-value-1/en"
          for value in ["Bearer token-12345678", "SSWS abcd", "SSWS abc"] {
            $0.headers.append(HTTPField("Authorization", value))
          }
          $0.headers.append(HTTPField("Cookie", "sid=\"cookie-value-1\"; lang=en"))
        }
      ),
      ("odd method", { $0.method = "P T" }), ("method of a secret", { $0.method = "Correct-Horse-7" }),
      ("name of a secret", { $0.headers.append(HTTPField("X-Correct-Horse-7", "b")) }),
      ("secrets", { $0.url += "/Correct-Horse-7/b-header-value" }),
      ("empty header", { $0.headers.append(HTTPField("X-A", "")) }),
      ("user", { $0.url = "https://a:b-12345@b.example/" }),
      ("no body", { $0.body = nil }),
      ("member", { $0.body = Array(#"{"password":"Correct-Horse-7","more":"m"}"#.utf8) }),
      ("text", { $0.body = Array("a=b".utf8) }),
      ("list", { $0.body = Array("[1]".utf8) }),
    ]
    return [RequestSent.Encoding.json, .form, .query].flatMap { encoding in
      [nil, "https://acme.example"].flatMap { (foreign: String?) in
        changes.map { name, change in
          var vault = Vault()
          let secret = vault.placeholder(for: "Correct-Horse-7", kind: "password")
          let request = RequestSent(
            method: "POST", url: "https://acme.example/a",
            headers: [HTTPField("Accept", "json"), HTTPField("Cookie", "sid=\(secret)")],
            body: ["password": .string(secret), "n": 1], encoding: encoding, foreignOrigin: foreign)
          let listening = RequestListening(masker: Masker(policy: policy))
          let answer = listening.answer(
            of: { request in
              var request = request
              change(&request)
              return request
            }, to: request, vault: &vault)
          let sent = listening.request(answer, instead: request)
          let real = sent.revealed(by: vault)
          return line(
            "\(encoding) \(foreign ?? "-") \(name)",
            "\(answer.text) \(sent.data.text) \(real.method) \(real.url) \(real.headers.map { "\($0.name)=\($0.value)" }) \(real.body.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
          )
        }
      }
    }
  }
}
