// Secrets that are learned in one place of a message and quoted in another: if nothing is learned from a place, the
// text that quotes it stays readable.

import EventStore
import Foundation

extension RuntimeTables {
  static var learned: [String] {
    learnedCookies + droppedCookies + learnedHeaders + learnedURLs + learnedTexts + learnedMembers + kept + drawnTexts
      + bounded + nested
  }

  private static let learning = MaskingPolicy(
    response: .object([
      "token": .secret("token"), "quotes": .array(.text), "url": .url, "id": .identifier, "name": .personal,
      "login": .login, "map": .map(.text), "own": .own, "word": .word(["SUCCESS"]), "more": .text,
    ]), arguments: .object(["password": .secret("password"), "username": .login]),
    settings: .object(["org": .setting(.url), "name": .setting(.text)]),
    headers: ["location": .url, "set-cookie": .secret("cookie"), "x-request-id": .identifier], query: ["scope"],
    paths: ["oauth2"])

  /// A masked response, whether it reveals to what was received, and the number of secrets.
  private static func answer(
    _ headers: [(String, String)], _ body: JSON, by policy: MaskingPolicy = learning,
    after teach: (Masker, inout Vault) -> Void = { _, _ in }
  ) -> String {
    var vault = Vault()
    let masker = Masker(policy: policy)
    teach(masker, &vault)
    let response = HTTPResponse(status: 200, headers: headers.map { HTTPField($0, $1) }, body: body.bytes)
    let masked = masker.mask(response, into: &vault)
    guard case .json(let json) = masked.body else { return "\(masked.data.text) \(vault.count)" }
    let shown = masked.headers.map { "\($0.name)=\($0.value) \(vault.reveal($0.value))" }
    return "\(shown) \(json.text) \(vault.reveal(json) == body) \(vault.count)"
  }

  /// A body that quotes texts.
  private static func quotes(_ texts: [String], _ more: [(String, String)] = []) -> JSON {
    var members: [(String, JSON?)] = [("quotes", .array(texts.map { .string("You sent \($0), Ann.") }))]
    for (name, text) in more { members.append((name, .string(text))) }
    return .members(members)
  }

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8))) ?? .null }

  // MARK: Cookies

  /// Cookies in each form, quoted as they are, without their quotes, and decoded.
  private static var learnedCookies: [String] {
    let long = String(repeating: "a", count: 126)
    let cookies: [(String, [String])] = [
      ("sid=\"quoted-cookie-1\"", ["quoted-cookie-1", "\"quoted-cookie-1\""]),
      ("sid=per%2Dcent%2Dcookie", ["per-cent-cookie", "per%2Dcent%2Dcookie"]),
      ("sid=\"quo%2Dted%2Dcookie\"", ["quo-ted-cookie", "quo%2Dted%2Dcookie"]), ("sid=\"\"", ["\"\""]),
      ("sid=\"", ["\""]), ("sid=\"a\"", ["a"]), ("sid=\"unclosed-cookie", ["unclosed-cookie"]),
      ("sid=unopened-cookie\"", ["unopened-cookie"]), ("sid=plus+cookie+1", ["plus cookie 1", "plus+cookie+1"]),
      ("sid=%FFinvalid-cookie", ["invalid-cookie", "%FFinvalid-cookie"]), ("sid=", ["sid"]),
      ("sid=1234567", ["1234567", "x1234567y"]), ("sid=12345678", ["12345678", "x12345678y"]),
      ("sid=abc", ["abc"]), (" sid = spaced-cookie ", ["spaced-cookie"]), ("sid=a=b-cookie-1", ["a=b-cookie-1"]),
      ("long-cookie-name=v-12345678", ["long-cookie-name", "xlong-cookie-namey", "v-12345678"]),
      ("longname=v-12345678", ["xlongnamey"]), ("longnam=v-12345678", ["longnam"]), ("DT=device-1234", ["DT"]),
      ("odd name=odd-cookie-value", ["odd-cookie-value"]), ("odd name=\"odd-cookie-value\"", ["odd-cookie-value"]),
      ("odd name=1234567", ["1234567", "odd name=1234567"]), ("odd name=12345678", ["x12345678y"]),
      ("=nameless-cookie", ["nameless-cookie"]), ("no-equals-sign", ["no-equals-sign"]), ("", [""]), ("abc", ["abc"]),
      ("sid=attribute-1; Path=/attribute-1; Domain=attribute-1", ["attribute-1"]),
      ("sid=v-12345678; Secret=attribute-2; attribute-3", ["attribute-2", "attribute-3", "Secret"]),
    ]
    let attributes = [
      "Secure", "Secure=yes", "HttpOnly", "HttpOnly=", "httponly=1", "Partitioned", "Partitioned=1", "", " ",
      "SameSite=Lax", "SameSite=a b", "SameSite", "Path=/", "Path=", "Path=/a b", "Path=a", "Path=/~_a.-", "Path=/$",
      "Path=/\(long)", "Path=/\(long)a", "Path=/\(long)aa", "Domain=.a.example", "Domain=a_b", "Domain=a/b",
      "Domain=\(long)aa", "Domain=\(long)aaa", "domain", "Expires=Thu, 15 Jan 2026 09:00:00 GMT", "Expires=soon",
      "Expires=", "Max-Age=5", "Max-Age=-5", "Max-Age=1.5", "Max-Age=", "max-age = 7 ", "Priority=High", "=x", "Path",
    ]
    return cookies.map { line($0, answer([("Set-Cookie", $0)], quotes($1))) }
      + attributes.map { attribute in
        line("attribute \(attribute)", answer([("Set-Cookie", "sid=v-12345678; \(attribute) ; Secure")], quotes([])))
      }
  }

  /// Cookies that no jar stores.
  private static var droppedCookies: [String] {
    let fillers = (0..<50).map { ("Set-Cookie", "n\($0)=f") }
    var silent = learning
    silent.headers["set-cookie"] = nil
    let long = String(repeating: "long", count: 1_030)
    let late = ["t=dropped-cookie", "t=\"dropped-cookie\"", "odd name=dropped-cookie", "t=dropped%2Dcookie", "none"]
    let texts = ["dropped-cookie", "7-bytes", "8-bytes!"]
    return (late + ["t=7-bytes", "t=8-bytes!"]).flatMap { cookie in
      [
        line("dropped \(cookie)", answer(fillers + [("Set-Cookie", cookie)], quotes(texts))),
        line("kept \(cookie)", answer(Array(fillers.dropLast()) + [("Set-Cookie", cookie)], quotes(texts))),
        line("no cookies \(cookie)", answer(fillers + [("Set-Cookie", cookie)], quotes(texts), by: silent)),
      ]
    } + [line("too long", answer([("Set-Cookie", "t=\(long)")], quotes([long])).count)]
  }

  // MARK: Headers of captured requests

  private static var learnedHeaders: [String] {
    let basic = Data("ann:pass-word-1".utf8).base64EncodedString()
    let fields: [(String, String)] = [
      ("Authorization", "Bearer bearer-token-1"), ("authorization", "SSWS abc"), ("AUTHORIZATION", "SSWS abcd"),
      ("Authorization", "bearer-token-1"), ("Authorization", ""), ("Authorization", "Basic \(basic)"),
      ("Authorization", "basic \(basic)"), ("Authorization", "Other \(basic)"), ("Authorization", "Basic !"),
      ("Authorization", "Basic \(Data("nocolon-1".utf8).base64EncodedString())"),
      ("Authorization", "Basic \(Data("ann:".utf8).base64EncodedString())"),
      ("Authorization", "Basic \(Data("ann:pass:word-1".utf8).base64EncodedString())"),
      ("Proxy-Authorization", "Bearer bearer-token-1"), ("proxy-authorization", "Basic \(basic)"),
      ("DPoP", "dpop-proof-1"), ("Cookie", "sid=cookie-value-1; lang=en; t=7-bytes; u=8-bytes!"),
      ("cookie", "sid=\"cookie-value-1\""), ("Cookie", "sid=cookie%2Dvalue%2D1"), ("Cookie", "odd name=cookie-value-1"),
      ("X-Api-Key", "bearer-token-1"), ("Accept", "bearer-token-1"), ("Content-Type", "text/plain; x=bearer-token-1"),
    ]
    let texts = [
      "bearer-token-1", "Bearer", "abc", "abcd", "pass-word-1", "word-1", "pass:word-1", basic, "nocolon-1", "ann",
      "dpop-proof-1", "cookie-value-1", "en", "7-bytes", "x8-bytes!y",
    ]
    let requests = fields.map { name, value in
      var messages = CapturedMessages(policy: learning)
      let sent = messages.request(
        HTTPRequest(method: "GET", url: "https://acme.example/oauth2", headers: [HTTPField(name, value)]))
      let answer = messages.response(HTTPResponse(status: 200, body: quotes(texts).bytes))
      return line("captured \(name): \(value)", "\(sent.data.text) \(answer.data.text)")
    }
    // What the URL has, the body may quote.
    var messages = CapturedMessages(policy: learning)
    let quoted = messages.request(
      HTTPRequest(
        method: "POST", url: "https://acme.example/?code=tok12345678", headers: [HTTPField("Accept", "tok12345678")],
        body: Array(#"{"username":"tok12345678","password":"of tok12345678"}"#.utf8)))
    let settings = messages.settings(["org": "https://acme.example/?code=tok12345678", "name": "n"])
    return requests + [line("captured URL", "\(quoted.data.text) \(settings.text)")]
  }

  // MARK: URLs and texts

  private static var learnedURLs: [String] {
    let urls: [(String, [String])] = [
      ("https://ann:pass-word-1@acme.example/", ["pass-word-1", "ann"]), ("https://ann@acme.example/", ["ann"]),
      ("https://ann:@acme.example/", ["ann"]), ("https://a:b:c-12345@acme.example/", ["b:c-12345", "c-12345"]),
      ("https://a:pass@word-1@acme.example/", ["pass@word-1"]), ("https://a:pass%2Dword@acme.example/", ["pass-word"]),
      ("https://ann:pass-word-1@acme.example/?code=tok12345678", ["tok12345678", "pass-word-1"]),
      ("https://acme.example/#frag-ment-1", ["frag-ment-1"]), ("https://acme.example/#", ["#"]),
      ("https://acme.example/#a=frag-value-1&b-fragment-1", ["frag-value-1", "b-fragment-1"]),
      ("https://acme.example/?empty-param", ["empty-param"]), ("https://acme.example/?scope", ["scope"]),
      ("https://acme.example/?", []), ("https://acme.example/?&", []), ("https://acme.example/?#", []),
      ("https://acme.example/?scope=two%20words", ["two words"]), ("https://acme.example/?scope=email", ["email"]),
      ("https://acme.example/?=value-only-1", ["value-only-1"]), ("https://acme.example/?code=", ["code"]),
      ("https://acme.example/?long-parameter=x-1234567", ["xlong-parametery", "x-1234567"]),
      ("https://acme.example/?longnam=1", ["longnam"]), ("https://acme.example/?longname=1", ["xlongnamey"]),
      ("https://acme.example/?code=per%2Dcent-1", ["per-cent-1", "per%2Dcent-1"]),
      ("https://acme.example/?code=plus+cent-1", ["plus cent-1", "plus+cent-1"]),
      ("https://acme.example/?code=%FFraw-1234", ["raw-1234", "%FFraw-1234"]),
      ("https://acme.example/?code=abc", ["abc"]), ("https://acme.example/?code=abcd", ["abcd"]),
      ("https://acme.example/?code=a=b-12345", ["a=b-12345"]),
      ("https://acme.example/a;session-id-1/b", ["session-id-1"]),
      ("https://acme.example/a;/b;c", ["c"]), ("HTTPS://ACME.example/?code=abcdefgh1", ["abcdefgh1"]),
      ("com.app:/cb?code=abcdefgh1", ["abcdefgh1", "com.app:/cb"]), ("/relative?code=abcdefgh1", ["abcdefgh1"]),
      ("no url", ["no url"]), ("", [""]), ("https://", []), ("https:///a", []),
      ("https://acme.example/$secret.x.1$", ["$secret.x.1$"]), ("https://acme.example/$secret", ["$secret"]),
      ("https://acme.example/a?code=abcdefgh1#c?d=e-1234567", ["abcdefgh1", "c?d", "e-1234567"]),
      ("https://acme.example/known-token-1/oauth2", []), ("https://known-token-1.example/", []),
      ("https://acme.example/known%2Dtoken%2D1", []), ("https://acme.example?scope=known-token-1", []),
      ("https://acme.example/a/known-token-1;b", []), ("https://acme.example/oauth2;b/oauth2", []),
      ("https://127.0.0.1/oauth2/127", []), ("https://127.longlabel/", []), ("https://longlabe:127/", []),
      ("https://[::127]:1234567/127", []), ("https://longlabels.127.example/127", []),
    ]
    return urls.map { url, texts in
      let masked = answer([], quotes(texts, [("url", url), ("token", "known-token-1"), ("more", "127")])) {
        _ = $0.mask(["password": "127"], as: learning.arguments, into: &$1)
      }
      return line("url \(url)", masked)
    }
      + urls.prefix(12).map { line("location \($0)", answer([("Location", $0)], quotes($1))) }
  }

  /// Secrets of addresses in texts for people, of every name.
  private static var learnedTexts: [String] {
    let names = [
      "state", "nonce", "id_token_hint", "code_verifier", "client_secret", "client_assertion", "device_secret",
      "device_code", "user_code", "code", "session", "scope", "State", "",
    ]
    let texts =
      names.flatMap { name in
        ["see https://a.example/?\(name)=tok12345678", "com.app:/cb#\(name)=tok12345678", "?\(name)=tok12345678"]
      } + [
        "&code=tok12345678", "#code=tok12345678", "a code=tok12345678", "code=tok12345678", "(?code=tok12345678)",
        "?code=", "?code", "?code=tok%2D12345678", "?code=abc", "?code=abcd", "?code=a=tok12345678",
        "?x=1;code=tok12345678", "?a=b&code=tok12345678,more", "x:/ code=tok12345678",
      ]
    return texts.map { text in
      line("text \(text)", answer([], quotes(["tok12345678 tok-12345678 abc abcd"], [("more", text)])))
    }
  }

  /// Names, values, and positions that are not declared, or do not fit.
  private static var learnedMembers: [String] {
    let bodies = [
      #"{"quotes":["xlong-member-namey"],"long-member-name":1}"#,
      #"{"quotes":["xlongnamey","longnam"],"longname":null}"#, #"{"quotes":["longnam"],"longnam":true}"#,
      #"{"quotes":["xinner-name-1y","xinner-value-1y"],"odd":{"inner-name-1":["inner-value-1"]}}"#,
      #"{"quotes":["abc","abcd","123","1234","true"],"odd":["abc","abcd",123,1234,true,"",null]}"#,
      #"{"quotes":["xmap-name-1y","00u1abcdefghij012345"],"map":{"map-name-1":"v","00u1abcdefghij012345":"w"}}"#,
      #"{"token":"00u1abcdefghij012345","map":{"00u1abcdefghij012345":"w","other":"00u1abcdefghij012345"}}"#,
      #"{"map":{"k":5},"id":"two words","word":"two words","name":true,"url":5,"quotes":7}"#,
      #"{"quotes":["xtwo wordsy"],"id":"two words"}"#, #"{"quotes":["xtwo wordsy"],"word":"two words"}"#,
      #"{"name":482913,"token":"482913","word":"482913","id":"482913"}"#,
      #"{"name":"482913","token":482913,"more":"482913"}"#, #"{"more":"482913","token":"482913"}"#,
      #"{"login":"bob@b.example","token":"bob","quotes":["bob","bob@b.example","bob%40b.example"]}"#,
      #"{"login":"$secret.a.1$","own":["$secret.b.1$","a",5],"more":"$secret.c.1$"}"#,
      #"{"own":{"$secret.a.1$":"v","k":"$secret.b.1$","n":["x"],"m":null},"token":"v"}"#,
      #"{"own":{"k":"known-token-1"},"token":"known-token-1"}"#,
      #"{"quotes":["a-secret-1","b-secret-1","c-secret-1"],"token":["a-secret-1",["b-secret-1"],{"k":"c-secret-1"}]}"#,
      #"{"token":[true,7,"",null],"quotes":["true","7"]}"#, #"{"quotes":[["nested-text"],{"k":"v"}]}"#,
      #"{"more":"a known-token-1","url":"https://acme.example/known-token-1","token":"known-token-1"}"#,
      #"{"more":["a list"],"login":5,"word":["SUCCESS"],"url":["https://acme.example"]}"#,
      #"{"more":"see https://a.example/?code=tok12345678","quotes":["tok12345678"],"id":"tok12345678"}"#,
    ]
    let addresses = ["https://acme.example/a", "https://b.example/a", "https://acme.example/a?b", "acme.example/a"]
    return bodies.map { line("members \($0)", answer([], json($0))) }
      + addresses.map { address in
        let masked = answer([], quotes([], [("odd", address), ("url", address + "/b")])) {
          _ = $0.mask(["org": "https://acme.example/"], as: learning.settings, into: &$1)
        }
        return line("address \(address)", masked)
      }
  }

  /// Settings and logins, in which short secrets stay.
  private static var kept: [String] {
    let long = String(repeating: "s", count: 512)
    let settings = [
      "https://acme.example/oauth2", "https://acme.example/?code=abcdefgh1", "acme", "a", "", "$secret.a.1$", long,
      long + "s", "acme.example",
    ]
    let orgs = settings.map { setting in
      line(
        "setting \(setting.count) \(setting.prefix(40))",
        ["org", "name"].map { name in
          let texts = ["acme", "at \(setting)", "https://acme.example/", "https://acme.example", "/oauth2", "oauth2"]
          return answer([], quotes(texts, [("token", "acme"), ("more", "a oauth2 \(long)")])) { masker, vault in
            _ = masker.mask(.members([(name, .string(setting))]), as: learning.settings, into: &vault)
            for word in ["oauth2", "sss", "a"] { _ = vault.placeholder(for: .string(word), kind: "word") }
          }
        })
    }
    let logins = ["ann+1@acme.example", "ann", "", String(long.dropLast()) + "@", long + "@"].map { login in
      line(
        "login \(login.count) \(login.prefix(20))",
        answer([], quotes([login, "ann%2B1%40acme.example", "ann+1@acme.example", "ann"], [("token", "ann")])) {
          _ = $0.mask(.members([("username", .string(login))]), as: learning.arguments, into: &$1)
          _ = $1.placeholder(for: "@", kind: "word")
        })
    }
    return orgs + logins
  }

  // MARK: Draws, limits, depth

  /// Results of draws, with and without a schema.
  private static var drawnTexts: [String] {
    let masker = Masker(policy: learning)
    let results: [(String, Result<JSON, DrawFailure>)] = [
      ("value", .success(["text": "known-token-1", "key": "key-12345678"])), ("word", .success("word-12345678")),
      ("null", .success(.null)), ("failure", .failure(DrawFailure(.failed))),
      ("quoting", .failure(DrawFailure(.missing, "no known-token-1 at https://a.example/?code=tok12345678"))),
    ]
    return results.flatMap { name, result in
      [nil, WireSchema.object(["text": .text])].map { schema in
        var vault = Vault()
        _ = vault.placeholder(for: "known-token-1", kind: "known")
        let shown: String
        switch masker.mask(result, as: schema, into: &vault) {
        case .success(let value): shown = value.text
        case .failure(let failure): shown = "\(failure.reason.rawValue) \(failure.detail ?? "-")"
        }
        let next = vault.mask("key-12345678 word-12345678 tok12345678")
        return line("draw \(name) \(schema?.className ?? "-")", "\(shown) \(next)")
      }
    }
  }

  /// Messages at the limits: of the fast path, of values, of secrets.
  private static var bounded: [String] {
    let filler = String(repeating: "x ", count: 8 << 10)
    let values = JSON.array([JSON](repeating: 1, count: 100_001))
    let many = JSON.object(JSONObject((0..<10_001).map { JSONObject.Member(key: "n\($0)", value: .null) }))
    let answers: [(String, [(String, String)], JSON)] = [
      ("large", [("X-Request-Id", "known-token-1")], ["more": .string(filler), "token": "known-token-1"]),
      ("values", [("Set-Cookie", "sid=known-token-1"), ("X-Request-Id", "a")], values),
      ("values and a large head", [("X-Request-Id", "a"), ("Location", "https://a.example/" + filler)], values),
      ("secrets", [("X-Request-Id", "known-token-1")], many),
    ]
    var lines = answers.map { name, headers, body in
      var vault = Vault()
      let masker = Masker(policy: learning)
      let response = HTTPResponse(status: 200, headers: headers.map { HTTPField($0, $1) }, body: body.bytes)
      let masked = masker.mask(response, into: &vault)
      let next = vault.mask("a known-token-1 b")
      return line(name, "\(StableHash.text(masked.data.text)) \(masked.headers.count) \(vault.count) \(next)")
    }
    for body in ["{", "not json and long", "\t\r\n ", "\u{FEFF}", "\u{FEFF}\u{FEFF}{}"] {
      var vault = Vault()
      let masked = Masker(policy: learning).mask(HTTPResponse(status: 200, body: Array(body.utf8)), into: &vault)
      let next = vault.mask("of \(body) here")
      lines.append(line("body \(body.utf8.count)", "\(masked.data.text) \(next) \(vault.count)"))
    }
    return lines
  }

  /// Values at the depth from which they are one secret.
  private static var nested: [String] {
    (197...202).flatMap { depth in
      ["odd", "more", "own"].map { name in
        var value: JSON = ["deep-secret-1", "other"]
        for _ in 0..<depth { value = .array([value]) }
        let quotes: JSON = ["You sent deep-secret-1."]
        let masked = answer([], .members([("quotes", quotes), (name, value)]))
        return line("depth \(depth) \(name)", "\(masked.prefix(60)) \(StableHash.text(masked)) \(masked.suffix(12))")
      }
    }
  }
}
