// Cookies, links, answers of steps, reasons and words of reports, signed tokens.

import EventStore

extension RuntimeTables {
  private static let time = Timestamp(microseconds: 1_768_467_600_000_000)

  static var cookies: [String] {
    let values = [
      "sid=1", "sid=", "sid=2; Max-Age=60", "sid=3; Max-Age=0", "sid=4; Max-Age=-1", "sid=5; max-age=60; Max-Age=90",
      "sid=6; Expires=Thu, 15 Jan 2026 10:00:00 GMT", "sid=7; Expires=Thu, 15-Jan-2026 08:00:00 GMT",
      "sid=8; Expires=Thu, 15 Jan 2026 08:00:00 GMT; Max-Age=30", "sid=9; Path=/; Secure; HttpOnly",
      "DT=d; Max-Age=soon", "sid=10; Expires=soon", "sid=11; Expires=Thu, 15-Jan-70 08:00:00 GMT",
      "  a = b  ; Max-Age = 5 ", "=b", "b", "", ";", "sid=x=y", "sid=1; Max-Age=999999999999", "sid= ",
      "sid=  ;  ; Path=/", "ä=1", "sid=\"q\"",
      "JSESSIONID=j; SameSite=None; Partitioned", "other=o; Domain=acme.example; Path=/a; custom=1",
    ]
    var lines = values.map { value in
      var vault = Vault()
      let cookie = SetCookie(value)
      let shown = cookie.map {
        "\($0.recordedName) \($0.value) \($0.lifetime(at: 1_768_467_600) ?? -9) \($0.masked(with: &vault))"
      }
      return line(value, "\(shown ?? "none") \(SetCookie(recorded: value)?.recordedName ?? "none") \(vault.count)")
    }
    for date in [nil, "Thu, 15 Jan 2026 09:30:00 GMT"] as [String?] {
      var jar = CookieJar()
      for (number, value) in (values + ["a=1", "sid=2", "b=3; Max-Age=10", "a="]).enumerated() {
        let headers = [HTTPField("set-COOKIE", value)] + (date.map { [HTTPField("Date", $0)] } ?? [])
        let origin = number % 3 == 0 ? "https://b.example" : "https://a.example"
        jar.take(ResponseReceived(status: 200, headers: headers, body: .empty), from: origin, at: time)
        if number % 5 == 4 { jar.drop(endedAt: Timestamp(microseconds: time.microseconds + Int64(number) * 5_000_000)) }
        lines.append(line("\(value) \(date ?? "")", jar.json.text))
      }
      lines.append(
        line(
          "headers", ["https://a.example", "https://b.example", "https://c.example"].map { jar.header(for: $0) ?? "-" })
      )
      lines.append(
        line("has", "\(jar.has("sid", for: "https://a.example")) \(jar.has("sid", for: "https://c.example"))"))
    }
    for (count, length) in [(49, 10), (50, 10), (51, 10), (2, 4_090), (2, 4_096), (2, 4_097)] {
      let fields = (0..<count).map { HTTPField("Set-Cookie", "c\($0)=" + String(repeating: "x", count: length - 3)) }
      let response = HTTPResponse(status: 200, headers: fields + [HTTPField("A", "b")]).splitAtCookieLimits.kept
      var jar = CookieJar()
      for number in 0..<60 { jar.set(.init(origin: number < 55 ? "a" : "b", name: "n\(number)", value: "v")) }
      lines.append(line("\(count) of \(length)", "\(response.headers.count) \(jar.cookies.count)"))
    }
    return lines
  }

  static var links: [String] {
    let rules = [
      LinkRule(home: "https://acme.example"), LinkRule(home: "http://acme.example:8080/"),
      LinkRule(home: "https://acme.example", origins: []),
      LinkRule(home: "https://acme.example", origins: ["https://b.example"]),
      LinkRule(home: "https://acme.example:443", origins: ["https://b.example:443/x", "nothing"]), LinkRule(home: ""),
    ]
    let urls: [String?] = [
      "https://acme.example/a", "https://ACME.example:443/a", "http://acme.example/a", "http://acme.example:8080/b",
      "https://b.example/a", "https://b.example:444/a", "http://b.example/a", "ftp://b.example/a", "a", "", nil,
    ]
    return rules.flatMap { rule in
      urls.flatMap { url in
        [true, false].map { carries in
          let outcome: String
          do throws(LinkRule.Violation) { outcome = try rule.allowed(url, carriesEntries: carries) } catch {
            outcome = word(for: error)
          }
          return line(
            "\(rule.home) \(rule.origins ?? ["any"]) \(url ?? "nil") \(carries)",
            "\(outcome) \(url.flatMap { rule.foreignOrigin(of: $0) } ?? "-")")
        }
      }
    }
  }

  private static func word(for violation: LinkRule.Violation) -> String {
    switch violation {
    case .malformed: "malformed"
    case .leavesHTTPS: "leaves https"
    case .foreign(let origin): "foreign \(origin)"
    }
  }

  static var answers: [String] {
    let bodies: [RecordedBody] = [
      .empty, .json(["a": 1]), .json([]), .opaque(reason: "a reason", length: 5, placeholder: "$secret.body.1$"),
      .opaque(reason: RecordedBody.tooLarge, length: 5, placeholder: "$secret.body.1$"),
    ]
    let replies = bodies.flatMap { body in
      [100, 199, 200, 204, 299, 300, 400, 401, 429, 500].map { status in
        StepAnswer(ResponseReceived(status: status, headers: [HTTPField("A", "b"), HTTPField("a", "c")], body: body))
      }
    }
    let draws =
      [Result<JSON, DrawFailure>.success(["v": 1]), .success(.null)]
      + DrawFailure.Reason.allCases.flatMap { [.failure(DrawFailure($0)), .failure(DrawFailure($0, "detail"))] }
    let drawn = draws.map { StepAnswer(DrawMade(kind: DrawKind(rawValue: "kind"), ordinal: 3, result: $0)) }
    let errors = TransportError.Code.allCases.map { StepAnswer.noResponse(TransportError($0, "A sentence.")) }
    return (replies + drawn + errors).enumerated().map { number, answer in
      line(number, "\(answer.json.text) \(answer.isSuccess) \(answer.body?.text ?? "-") \(answer.value?.text ?? "-")")
    }
  }

  static var reasons: [String] {
    let details: [JSON] = [
      [:], ["httpStatus": 429], ["httpStatus": 400], ["httpStatus": 399], ["httpStatus": 500], ["code": "timedOut"],
      ["code": "cannotConnect"], ["case": "rejected"], ["case": "REJECTED"], ["case": "denied"], ["case": "userDenied"],
      ["body": ["error": "access_denied"]], ["body": ["errorCode": "E0000004"]],
      ["httpStatus": 401, "errorCode": "E0000068"],
    ]
    let words = [
      "invalid_grant", "access_denied", "expired_token", "slow_down", "authorization_pending", "invalid_client",
      "login_required",
      "invalid_request", "temporarily_unavailable", "server_error", "consent_required", "interaction_required", "other",
    ]
    let more =
      errorCodes.map { JSON.members([("errorCode", .string($0)), ("httpStatus", 403)]) }
      + words.map { JSON.members([("oauthCode", .string($0)), ("httpStatus", 400)]) }
    let errors = [
      "connectionError", "transport", "network", "APIError", "serverRespondedWithError", "wrongStatus", "cancelled",
      "other",
    ]
    return (details + more).flatMap { details in
      [true, false].flatMap { isPassword in
        (details["errorCode"] == nil ? errors : ["APIError"]).map { error in
          line(
            "\(error) \(details.text) \(isPassword)",
            FailureReason(error: error, details: details, isPassword: isPassword))
        }
      }
    }
  }

  static var words: [String] {
    let types = [
      "push", "PUSH", "sms", "call", "email", "question", "token", "token:hardware", "token:hotp",
      "token:software:totp", "u2f",
      "webauthn", "web", "okta_password", "password", "okta_email", "phone_number", "phone", "okta_verify",
      "custom_app", "app",
      "google_otp", "security_question", "security_key", "duo", "external_idp", "federated", "rsa_token",
      "symantec_vip",
      "yubikey_token", "custom_otp", "other",
    ]
    let factors = types.map { type in
      line(
        type,
        [
          FactorName(classicType: type), FactorName(authenticator: type, isPolled: true),
          FactorName(authenticator: type, isPolled: false),
        ])
    }
    let quantities = [
      0, 1, 999, 1_000, 1_050, 59_999, 60_000, 61_000, 3_599_999, 3_600_000, 7_260_000, 1_000_000_000, -5,
    ].map { number in
      line(
        number,
        "\(Quantity.duration(milliseconds: number)) \(Quantity.size(UInt64(max(0, number)))) \(Quantity.count(number, "flow"))"
      )
    }
    return factors + quantities
  }

  static var jws: [String] {
    let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
    let claims = Base64URL.encode(Array(#"{"sub":"ann","exp":5}"#.utf8))
    let texts = [
      "\(header).\(claims).c2ln", "\(header).\(claims).", "\(header).\(claims)", "\(header).\(claims).c2ln.", "a.b.c",
      "..", "",
      "\(header).\(Base64URL.encode(Array("[]".utf8))).c2ln", "\(header)=.\(claims).c2ln", "\(header).\(claims).c2l",
    ]
    let bytes = ["", "a", "YQ", "YWI", "YWJj", "YR", "Y", "Y!", "YQ==", "_-8", "/+8", "YWJjZ"].map {
      line($0, Base64URL.decode($0))
    }
    let made = CompactJWS.signingInput(header: ["alg": "none"], claims: ["a": "é"])
    return texts.map {
      line($0, CompactJWS($0).map { "\($0.header.text) \($0.claims.text) \($0.signingInput) \($0.signature)" })
    } + bytes + [made]
      + (0..<6).map { line($0, Base64URL.encode(Array([0xFB, 0xEF, 0xFF, 0x00, 0x3E, 0x3F].prefix($0)))) }
  }
}
