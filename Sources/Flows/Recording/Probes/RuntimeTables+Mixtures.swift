// Texts, documents, addresses, and headers put together at random: combinations that no list has.

import EventStore

extension RuntimeTables {
  static var mixtures: [String] {
    (0..<200).flatMap { number -> [String] in
      let chance = Chance(seed: UInt64(number))
      return [
        line("text \(number)", text(chance)), line("message \(number)", StableHash.text(message(chance))),
        line("address \(number)", address(chance)), line("headers \(number)", StableHash.text(headers(chance))),
      ]
    }
  }

  /// A part for each of some numbers of times.
  private static func parts(_ chance: Chance, _ count: ClosedRange<Int>, _ part: () -> String) -> [String] {
    (0..<(count.lowerBound + chance.below(count.count))).map { _ in part() }
  }

  // MARK: Texts

  private static let between = [
    "", " ", "/", "=", "&", ".", "-", "_", "\"", ": ", "\n", "%20", "+", ";", "é", "x", "1",
  ]
  private static let plainWords = [
    "You typed", "Ann", "acme.example", "https://acme.example/oauth2/v1?scope=", "ann@acme.example", "482", "horse",
    "$secret.password.1$", "$secret.", "$$", "%25", "\\u0041", "&#65;", "QUJD", "default", "Correct", "",
  ]

  /// A text of some secrets in some forms between other words.
  private static func text(_ chance: Chance) -> String {
    var vault = Vault()
    if chance.happens(onceIn: 2) { vault.plainTexts.add(setting: "https://acme.example/oauth2/default") }
    if chance.happens(onceIn: 2) { vault.plainTexts.set(login: "ann@acme.example") }
    let known = (0...chance.below(3)).map { _ in chance.pick(secrets) ?? "" }
    for (number, secret) in known.enumerated() {
      _ = vault.placeholder(
        for: .string(secret), kind: number == 0 ? "password" : "other", taints: !chance.happens(onceIn: 6))
    }
    let words = parts(chance, 2...6) {
      let word =
        chance.happens(onceIn: 2)
        ? chance.pick(forms(of: chance.pick(known) ?? ""))?.1 : chance.pick(plainWords)
      return (word ?? "") + (chance.pick(between) ?? "")
    }
    let text = words.joined()
    let masked = vault.mask(text)
    return "\(masked) \(vault.reveal(masked) == text) \(vault.count) \(vault.hasSecret(in: text.utf8Span.span))"
  }

  // MARK: Documents

  /// A document of members of all kinds, some of them nested, and the same as arguments and settings.
  private static func message(_ chance: Chance) -> String {
    guard case .object(let declared) = policy.response else { return "" }
    let names = declared.keys.sorted() + ["undeclared", "password", "x y"]
    func value(_ depth: Int) -> JSON {
      if depth < 3, chance.happens(onceIn: 4) { return object(depth + 1) }
      if depth < 3, chance.happens(onceIn: 8) { return .array((0..<chance.below(4)).map { _ in value(depth + 1) }) }
      if chance.happens(onceIn: 5) {
        return .string(chance.pick(forms(of: "Correct-Horse-7"))?.1 ?? "")
      }
      return chance.pick(values) ?? .null
    }
    func object(_ depth: Int) -> JSON {
      .members((0..<(1 + chance.below(5))).map { _ in (chance.pick(names) ?? "", value(depth)) })
    }
    var vault = Vault()
    let masker = Masker(policy: policy)
    _ = masker.mask(
      ["password": "Correct-Horse-7", "username": "ann@acme.example"], as: policy.arguments, into: &vault)
    let document = object(0)
    let masked = masker.mask(
      HTTPResponse(
        status: 200, headers: [HTTPField("Location", "https://acme.example/?code=1&scope=2")], body: document.bytes),
      into: &vault)
    let arguments = masker.mask(document, as: policy.arguments, into: &vault)
    guard case .json(let json) = masked.body else { return masked.data.text }
    return
      "\(json.text) \(vault.reveal(json) == document) \(arguments.text) \(vault.reveal(arguments) == document) \(vault.count)"
  }

  // MARK: Addresses

  /// An address of parts that may be missing, odd, or secret.
  private static func address(_ chance: Chance) -> String {
    func pick(_ words: [String]) -> String { chance.pick(words) ?? "" }
    let secret = pick(["tok12345678", "two words", "a%2Fb", "code"])
    let path = parts(chance, 0...4) { "/" + pick(["oauth2", "v1", "a;b", "", secret, "ä", "%20", "..", "callback"]) }
    let query = parts(chance, 0...3) {
      pick(["client_id", "scope", "code", "state", "x", secret, "", "access_token", "id_token_hint"])
        + pick(["=", "=", "=", ""]) + pick(["1", secret, "a%20b", "a+b", "", "/", "?"])
    }
    let url =
      pick(["https://", "https://", "http://", "HTTPS://", "com.acme:/", "//", ""])
      + pick(["", "", "", "ann@", "ann:\(secret)@"])
      + pick(["acme.example", "ACME.example", "127.0.0.1", "[::1]", "localhost", "b.example", ""])
      + pick(["", "", ":443", ":8443", ":80", ":"]) + path.joined() + (query.isEmpty ? "" : "?")
      + query.joined(separator: pick(["&", "&", ";"])) + pick(["", "", "#", "#access_token=\(secret)", "#x"])
    var vault = Vault()
    if chance.happens(onceIn: 2) { _ = vault.placeholder(for: .string(secret), kind: "probe") }
    URLMasking.collect(inside: "see \(url).", vault: &vault)
    let masked = URLMasking.rewrite(url, policy: policy, vault: &vault)
    let parts = URLParts(url).map {
      "\($0.origin) \($0.path) \($0.query ?? "-") \($0.fragment ?? "-") \($0.isLoopback)"
    }
    let refusal = HTTPRequest(method: "GET", url: url).refusal(pinned: false, allowsClearText: false)
    let longer = FormEncoding.url(url, query: ["q": .string(secret)])
    return
      "\(masked) \(vault.reveal(masked) == url) \(parts ?? "no address") \(refusal.map { "\($0)" } ?? "sent") \(longer)"
  }

  // MARK: Headers

  /// Cookies of several answers, and when to ask again.
  private static func headers(_ chance: Chance) -> String {
    func pick(_ words: [String]) -> String { chance.pick(words) ?? "" }
    let dates = [
      "Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15 Jan 2026 08:59:00 GMT", "Thu, 15-Jan-2026 10:00:00 GMT", "now", "",
    ]
    var (jar, vault) = (CookieJar(), Vault())
    var shown: [String] = []
    for turn in 0..<(1 + chance.below(4)) {
      let cookies = parts(chance, 0...3) {
        let attributes = parts(chance, 0...3) {
          pick([
            "Max-Age=\(pick(["0", "5", "-1", "soon", "600"]))", "Expires=\(pick(dates))", "Path=/a", "Secure",
            "HttpOnly",
            "Domain=acme.example", "SameSite=None", "custom", "=",
          ])
        }
        return
          ([
            pick(["sid", "DT", "a b", "", "ä"]) + pick(["=", "=", ""]) + pick(["1", "", "value-12345", "x=y", "\"q\""])
          ]
          + attributes).joined(separator: pick(["; ", ";", " ; "]))
      }
      let fields =
        cookies.map { HTTPField(pick(["Set-Cookie", "set-cookie"]), $0) } + [
          HTTPField("Date", pick(dates)), HTTPField("Retry-After", pick(dates + ["7", "-1", "1.5", "99999999999"])),
          HTTPField("X-Rate-Limit-Reset", pick(["1768467700", "1", "soon", ""])),
        ]
      let at = Timestamp(microseconds: 1_768_467_600_000_000 + Int64(turn) * 7_000_000)
      let response = HTTPResponse(status: chance.pick([429, 503, 200]) ?? 200, headers: fields)
      let masked = Masker(policy: policy).mask(response, into: &vault)
      jar.take(masked, from: pick(["https://a.example", "https://b.example"]), at: at)
      let limit = RateLimit(masked, at: at)
      shown.append("\(masked.data.text) \(limit.askedSeconds ?? -1)")
      if chance.happens(onceIn: 3) { jar.drop(endedAt: at) }
    }
    return "\(shown) \(jar.json.text) \(jar.header(for: "https://a.example") ?? "-") \(vault.count)"
  }
}
