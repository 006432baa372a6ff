// What depends on the host of a flow: redirects that a listener judges, claims, drawn names and secrets, messages of
// other tools, the facts of lists.

import EventStore

extension RuntimeTables {
  static var redirects: [String] {
    let whole = ["Host: 127.0.0.1:4711", "Accept: */*"]
    let target = "/callback?code=c&state=s%2Bt"
    let requests: [(String, [String])] = [
      ("GET \(target) HTTP/1.1", whole), ("GET \(target) HTTP/1.0", whole), ("GET \(target) HTTP/2", whole),
      ("GET \(target)", whole), ("POST \(target) HTTP/1.1", whole), ("HEAD \(target) HTTP/1.1", whole),
      ("GET /callback?state=s+t HTTP/1.1", whole), ("GET /callback?state=s%2bt&state=s%2Bt HTTP/1.1", whole),
      ("GET /callback?state=other HTTP/1.1", whole), ("GET /callback?state HTTP/1.1", whole),
      ("GET /callback HTTP/1.1", whole), ("GET /callback?x=y HTTP/1.1", whole),
      ("GET /callback?st%61te=s%2Bt HTTP/1.1", whole), ("GET /callback?state=s%2Bt=u HTTP/1.1", whole),
      ("GET /other?state=s%2Bt HTTP/1.1", whole), ("GET /callback/?state=s%2Bt HTTP/1.1", whole),
      ("GET /callback?state=s%2Bt&é HTTP/1.1", whole),
      ("GET /callback?error=access_denied&state=s%2Bt HTTP/1.1", whole),
      ("GET \(target) HTTP/1.1", ["Host: localhost:4711"]), ("GET \(target) HTTP/1.1", ["host:\t[::1]:4711 "]),
      ("GET \(target) HTTP/1.1", ["Host: LOCALHOST:4711"]), ("GET \(target) HTTP/1.1", ["Host: 127.0.0.1:80"]),
      ("GET \(target) HTTP/1.1", ["Host: evil.example:4711"]), ("GET \(target) HTTP/1.1", []),
      ("GET \(target) HTTP/1.1", whole + whole), ("GET \(target) HTTP/1.1", ["no colon"]),
      ("OPTIONS \(target) HTTP/1.1", whole),
      ("OPTIONS \(target) HTTP/1.1", whole + ["Access-Control-Request-Private-Network: true"]),
      ("OPTIONS /other HTTP/1.1", whole + ["Access-Control-Request-Method: GET"]),
      ("OPTIONS /callback HTTP/1.1", whole + ["access-control-request-method: GET"]), ("", []),
    ]
    let judge = RedirectRequest(authority: "127.0.0.1:4711", port: 4_711, path: "/callback", state: "s+t")
    var lines = requests.map { first, headers in
      let bytes = Array(([first] + headers).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
      let parts = [bytes.count - 1, bytes.count - 4].map { word(for: judge.verdict(on: Array(bytes.prefix($0)))) }
      let verdict = judge.verdict(on: bytes, judged: bytes.count - 1)
      let pages = [nil, "https://acme.example/done"].map { page in
        StableHash.text(String(decoding: RedirectAnswer.bytes(for: verdict, finishedPage: page), as: UTF8.self))
      }
      return line(
        "\(first) \(headers)", "\(parts) \(word(for: verdict)) \(word(for: judge.verdict(on: bytes))) \(pages)")
    }
    for length in [RedirectRequest.limit - 1, RedirectRequest.limit, RedirectRequest.limit + 1] {
      let filler = [UInt8](repeating: 0x61, count: length)
      lines.append(line(length, word(for: judge.verdict(on: filler))))
      lines.append(line("\(length) whole", word(for: judge.verdict(on: filler + Array("\r\n\r\n".utf8)))))
    }
    lines.append(line("letters", word(for: judge.verdict(on: [0xFF, 0x0D, 0x0A, 0x0D, 0x0A]))))
    return lines
  }

  private static func word(for verdict: RedirectRequest.Verdict) -> String {
    switch verdict {
    case .redirect(let url): url
    case .preflight: "preflight"
    case .refuse(let status): "\(status)"
    case .incomplete: "incomplete"
    }
  }

  static var claims: [String] {
    let registry = MemoryRegistry()
    var lines: [String] = []
    for (name, holder) in [("a", "1"), ("a", "2"), ("b", "2"), ("a", "1")] {
      lines.append(line("claim \(name) \(holder)", registry.claim(name, by: holder)))
    }
    for (name, holder) in [("a", "2"), ("c", "1"), ("b", "2"), ("a", "1")] {
      registry.release(name, by: holder)
      lines.append(
        line(
          "release \(name) \(holder)",
          ["a", "b"].map { claimed in
            let holder = registry.claim(claimed, by: "probe")
            registry.release(claimed, by: "probe")
            return holder
          }))
    }
    return lines
  }

  static var drawn: [String] {
    var lines = (1...4).flatMap { seed -> [String] in
      let entropy = { SeededEntropy(seed: UInt64(seed)) }
      return [
        line("pkce \(seed)", PKCEDraw.value(from: entropy()).text),
        line("text \(seed)", RandomText.value(from: entropy())),
      ]
    }
    for microseconds in [0, 999, 1_000, 1_768_467_600_123_456, -5, 281_474_976_710_655_000] as [Int64] {
      lines.append(
        line(
          microseconds,
          FlowIdentifier.make(
            kind: "authn", at: Timestamp(microseconds: microseconds), entropy: SeededEntropy(seed: 7))))
    }
    let texts = ["", "a", "ab", "abc", "abd", "ABC", "äb", "a\u{308}b"]
    for text in texts {
      lines.append(line("same \(text)", texts.map { text.isSameInConstantTime(as: $0) }))
    }
    return lines
  }

  static var captured: [String] {
    let policy = MaskingPolicy(
      response: .object(["status": .word(["SUCCESS"]), "token": .secret("token"), "echo": .text]),
      arguments: .object(["username": .login, "password": .secret("password"), "scope": .text]),
      settings: .object(["org": .setting(.url)]), headers: ["date": .date], query: ["scope"], paths: ["v1"])
    let bodies = [
      #"{"username":"ann@acme.example","password":"Correct-Horse-7==","more":1}"#, "username=ann%40acme.example",
      "password=Correct-Horse-7==&scope=a+b%20c&flag&=x&scope=%zz%4", "not json", "",
    ]
    let types = ["application/json", "Application/X-WWW-Form-Urlencoded; charset=utf-8", ""]
    var lines = ["a=b=c&d", "", "&", "a", "=", "a=%41%4", "%2B=+"].map {
      line($0, FormFields.members(of: Array($0.utf8)).text)
    }
    for body in bodies {
      for type in types {
        var messages = CapturedMessages(policy: policy)
        let settings = messages.settings(["org": "https://acme.example", "more": "m"])
        let sent = messages.request(
          HTTPRequest(
            method: "POST", url: "https://acme.example/v1/other?scope=a&code=b",
            headers: [
              HTTPField("Content-Type", type), HTTPField("ACCEPT", "json"), HTTPField("Authorization", "SSWS x"),
            ],
            body: Array(body.utf8)))
        let answer = messages.response(
          HTTPResponse(
            status: 200, headers: [HTTPField("Date", "Thu, 15 Jan 2026 09:00:00 GMT"), HTTPField("Server", "s")],
            body: Array(#"{"status":"SUCCESS","token":"t","echo":"Correct-Horse-7=="}"#.utf8)))
        lines.append(line("\(type) \(body)", "\(settings.text) \(sent.data.text) \(answer.data.text)"))
      }
    }
    return lines
  }

  /// Undeclared values around the length from which they are looked for elsewhere.
  static var undeclared: [String] {
    let masker = Masker(
      policy: MaskingPolicy(
        response: .object(["echo": .text]), arguments: .object([:]), settings: .object([:]), headers: [:], query: []))
    return ["1", "12", "123", "1234", "12345", "abc", "abcd", "abcde", "é12", "true"].flatMap { value -> [String] in
      let text = JSON.string(value)
      let secrets: [JSON] = [
        text, .number(value), .array([text]), .members([("inner", text)]), .array([.array([.array([text])])]),
      ]
      return secrets.map { secret in
        var vault = Vault()
        let response = HTTPResponse(
          status: 200, body: JSON.members([("odd", secret), ("echo", .string("an \(value) there"))]).bytes)
        return line(secret.text, "\(masker.mask(response, into: &vault).data.text) \(vault.count)")
      }
    }
  }

  static var facts: [String] {
    var facts = SignInFacts()
    var lines: [String] = []
    func step(_ name: String, _ change: (inout SignInFacts) -> Void) {
      facts.now = Timestamp(microseconds: facts.now.microseconds + 1_500_000)
      change(&facts)
      let tries = facts.tries.map { attempt in
        "\(attempt.factor.rawValue) \(attempt.began.microseconds) \(attempt.ended?.microseconds ?? -1) "
          + "\(attempt.failure?.rawValue ?? "-") \(attempt.isOpen) \(attempt.isVerified)"
      }
      let setbacks = facts.setbacks.map { "\($0.key.rawValue) \($0.value)" }.sorted()
      lines.append(
        line(
          name,
          "\(facts.status ?? "-") \(facts.path) \(tries) \(setbacks) \(facts.standing?.rawValue ?? "-") "
            + "\(facts.shown.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }) \(facts.factors) \(facts.isPassword) "
            + "\(facts.openTry?.factor.rawValue ?? "-") \(facts.changes.count) "
            + "\(["abandoned", "terminal", "success", "failed"].map(facts.outcome))"))
    }
    step("nothing") { _ in }
    step("status") { $0.status = "A" }
    step("the same status") { $0.status = "A" }
    step("password") { $0.begin(.password) }
    step("password again") { $0.begin(.password) }
    step("wrong") { $0.fail(.wrongPassword, code: "E0000004") }
    step("wrong without a try") { $0.fail(.wrongPassword) }
    step("password") { $0.begin(.password) }
    step("right") { $0.succeed() }
    step("no status") { $0.status = nil }
    step("another status") { $0.status = "B" }
    step("push") { $0.begin(.push) }
    step("push again") { $0.sendAgain(.push) }
    step("sms again") { $0.sendAgain(.sms) }
    step("totp") { $0.begin(.totp) }
    step("locked") { $0.fail(.locked, code: "E0000069") }
    step("push") { $0.begin(.push) }
    step("given up") { $0.giveUp() }
    step("given up again") { $0.giveUp() }
    step("back") { $0.status = "A" }
    step("changed") { $0.changed(.passwordChanged) }
    step("enrolled") { $0.changed(.factorEnrolled, factor: .push) }
    return lines
  }
}
