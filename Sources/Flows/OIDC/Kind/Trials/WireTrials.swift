// How headers, token responses, and redirects are read, for the kind's tables.

import EventStore
import FlowRecording

/// Texts from servers, with the values read from them.
enum WireTrials {
  /// One line per `Cache-Control`.
  static var ages: Set<String> {
    let headers: [String?] = [
      nil, "", "max-age=60", "Max-Age=60", "max-age = 60 ", "max-age=\"60\"", "max-age=0", "max-age=-1", "max-age=x",
      "max-age=", "max-age", "max-age=60=5", "public, max-age=5", "max-age=5, max-age=7", "max-age=5, max-age=x",
      "no-store", "no-cache", "NO-STORE, max-age=5", "max-age=5, no-cache", "no-cache=\"a\"", "no-storex, max-age=8",
      "s-maxage=9", "\tmax-age=3\t,", ",,max-age=4", "max-age=99999999999999999999", "private;max-age=5", "max-age=+5",
    ]
    return Set(
      headers.enumerated().map { number, header in
        "\(number) \(header ?? "none") \(CacheControl.maxAge(header).map { "\($0)" } ?? "says nothing")"
      })
  }

  /// One line per `WWW-Authenticate`.
  static var challenges: Set<String> {
    let headers: [String?] = [
      nil, "", "Bearer", "bearer error=\"invalid_token\"", "Bearer error=invalid_token, error_description=\"a, b\"",
      "BEARER  Error = \"x\" ,\tREALM=\"y\"", "Basic realm=\"a\", Bearer error=\"b\"",
      "Bearer error=\"b\", Basic realm=\"a\"",
      "Basic realm=\"a, Bearer error=c\", Bearer error=\"b\"", "Bearer error=\"a\\\"b\\\\c\"", "Bearer error=\"open",
      "Bearer error=\"a\", error=\"b\"", "Bearer error=", "Bearer error=\"\"", "Bearer =x", "Basic realm=\"a\"",
      "Negotiate, Bearer scope=\"a b\"", "Bearer error=\"a\"error2=\"b\"", "Bearer token68==", "Bearer , error=a",
      "Basic, Digest a=b, Bearer c=d, Basic e=f", "Bearer error=\"\\", " Bearer error=a",
    ]
    let long: [String?] = [4_083, 4_084].map { "Bearer error=\(String(repeating: "a", count: $0))" }
    let lists = [
      [], ["Negotiate", "Bearer error=a"], ["Bearer", "bearer error=b"], ["Bearer error=c", "Bearer error=d"],
      ["Basic realm=x"],
    ]
    let several = lists.enumerated().map { number, lines in
      let fields = lines.map { HTTPField("www-Authenticate", $0) } + [HTTPField("WWW-Authenticated", "Bearer error=e")]
      let parameters = WWWAuthenticate.bearer(of: ResponseReceived(status: 401, headers: fields, body: .empty))
      return "lines \(number) \(parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
    }
    return Set(several).union(
      (headers + long).enumerated().map { number, header in
        let parameters = WWWAuthenticate.bearer(header).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(number) \(header ?? "none") \(parameters)"
      })
  }

  /// One line per token response.
  static var answers: Set<String> {
    let whole: [(String, JSON?)] = [
      ("access_token", "access"), ("token_type", "Bearer"), ("expires_in", 3_600), ("scope", "openid"),
      ("refresh_token", "refresh"), ("id_token", "identity"), ("device_secret", "device"),
    ]
    let changes: [(String, JSON?)] = [
      ("access_token", ""), ("access_token", 5), ("token_type", "bEARER"), ("token_type", "DPoP"), ("token_type", ""),
      ("token_type", 5), ("expires_in", "3600"), ("expires_in", "soon"), ("expires_in", 0), ("expires_in", "0"),
      ("expires_in", .int(-1)), ("expires_in", "-1"), ("expires_in", .number("1.5")), ("expires_in", .null),
      ("scope", ""), ("scope", 5), ("refresh_token", ""), ("refresh_token", 5), ("id_token", .null),
      ("device_secret", ["a"]),
    ]
    var bodies = RuntimeTables.withEachLeftOut(of: whole).map { JSON.members($0) }
    bodies += changes.map { change in JSON.members(whole.map { $0.0 == change.0 ? change : $0 }) }
    bodies += ["text", .null, []]
    return Set(
      bodies.map { body in
        let read =
          switch TokenReading(body, scope: "asked for") {
          case .issued(let tokens): tokens.data.text
          case .unusable(let reason): reason
          }
        return "\(body.text)|\(read)"
      })
  }

  /// One line per redirect, with its parts, and per pair of redirects.
  static var redirects: Set<String> {
    let urls = [
      "com.acme:/callback", "COM.ACME:/callback", "com.acme://callback", "com.acme:///callback", "com.acme:callback",
      "com.acme:/callback?a=1&b=2&a=1", "com.acme:/callback?a=1&a=2", "com.acme:/callback?a+b=%41%4a%4G%&=x&&c=d=e#f?g",
      "com.acme:?a", "com.acme:", "a1+-.:/x", "a_b:/x", ":/x", "", "x", "https://me@App.example:443/cb",
      "https://app.example/cb", "https://app.example:443/cb", "https://app.example:80/cb", "http://app.example:80/cb",
      "http://app.example:443/cb", "https://ME@app.example/cb", "https://app.example", "https://app.example/",
      "https://app.example/cb?x=%FF%C3%A9", "https://a@b@app.example/cb",
    ]
    let parts = urls.enumerated().map { number, url in
      let read = RedirectReading(url)
      let query = read?.query.map { "\($0.name)=\($0.value)" } ?? []
      let values = ["a", "b", "a b", "c", ""].map { read?[$0] ?? "-" }
      let whole = read.map { "\($0.scheme) \($0.authority) \($0.path)" } ?? "none"
      return "\(number) \(url) \(whole) \(query) \(values) \(OIDCSettings.isPrivate(url))"
    }
    let configured = [
      "com.acme:/callback", "com.acme:///callback", "https://app.example/cb", "https://me@App.example:443/cb",
      "http://app.example:80/cb", "https://app.example", "",
    ]
    let pairs = urls.enumerated().map { number, url in
      let one = RedirectReading(url)
      let places = configured.map { other in
        let two = RedirectReading(other)
        let marks = [
          one?.isRedirect(to: other) ?? false, one?.isExactly(other) ?? false, RedirectReading.leads(url, to: other),
          one == two,
        ]
        return marks.map { $0 ? "1" : "0" }.joined()
      }
      return "\(number) leads \(places.joined(separator: " "))"
    }
    let long = String(repeating: "p", count: 300)
    let places = ["https://b.example/\(long)", "\(long)?y"].map { url in
      let input: JSON = ["redirect": .string(url), "redirectUri": "com.acme:/callback", "state": "s"]
      return "far \(AuthorizationResponse.value(of: input).text)"
    }
    return Set(parts + pairs + places + [AuthorizationResponse.value(of: [:]).text])
  }
}
