// Results for made-up challenges, each with one error, for the kind's tables.

import EventStore
import FlowRecording

/// Made-up notifications with their results.
enum ChallengeTrials {
  private static let now: Int64 = 1_768_467_641

  private static let header = #"{"alg":"RS256","kid":"key-1","typ":"okta-pushbind+jwt"}"#

  /// The claims of a valid challenge.
  private static let claims = """
    {"iss":"https://acme.example","aud":"\(DeviceVocabulary.challengeAudience)","iat":1768467641,"exp":1768467941,\
    "jti":"jti-1","orgId":"00o-1","nonce":"nonce-1","transactionId":"ft-1",\
    "verificationUri":"https://acme.example/idp/authenticators/aut-1/transactions/ft-1/verify",\
    "authenticatorEnrollmentId":"pfd-1","userId":"00u-1","method":"push","userVerification":"PREFERRED",\
    "challengeContext":{"transactionType":"LOGIN","clientOS":"Linux","clientLocation":"Berlin"}}
    """

  /// Changes to one claim, or to two related claims; null removes a claim.
  private static let claimChanges: [String] =
    [
      "{}", #"{"iss":"https://acme.example/"}"#, #"{"iss":"https://other.example"}"#,
      #"{"iss":"https://alias.example/"}"#, #"{"iss":"https://Acme.example:443/"}"#,
      #"{"iss":"https://acme.example:444"}"#, #"{"iss":"https://acme.example/path"}"#,
      #"{"iss":"https://ALIAS.example"}"#,
      #"{"iss":"https://ACME.example/oauth2/AUS-1","authorizationServerId":"aus-1"}"#,
      #"{"iss":"https://ACME.example/oauth2/aus-1/","authorizationServerId":"aus-1"}"#,
      #"{"iss":"https://acme.example/oauth2/aus-1","authorizationServerId":"aus-1"}"#,
      #"{"iss":"https://alias.example/oauth2/aus-1","authorizationServerId":"aus-1"}"#,
      #"{"authorizationServerId":"../aus"}"#, #"{"authorizationServerId":"aus 1"}"#, #"{"authorizationServerId":""}"#,
      #"{"aud":"client-1"}"#, #"{"aud":"other"}"#, #"{"aud":1}"#, #"{"iat":1768467941}"#, #"{"iat":1768467942}"#,
      #"{"iat":"1768467641"}"#, #"{"iat":"now"}"#, #"{"exp":1768467341}"#, #"{"exp":1768467340}"#,
      #"{"exp":253402300800}"#, #"{"exp":-1}"#, #"{"orgId":"00o-2"}"#, #"{"userId":"00u-2"}"#, #"{"userId":1}"#,
      #"{"verificationUri":"nowhere"}"#, #"{"verificationUri":"http://acme.example/verify"}"#,
      #"{"verificationUri":"http://127.0.0.1/verify"}"#, #"{"verificationUri":"https://me@acme.example/verify"}"#,
      #"{"verificationUri":"https://alias.example/verify"}"#, #"{"verificationUri":"https://other.example/verify"}"#,
      #"{"method":"totp"}"#, #"{"authenticatorEnrollmentId":"pfd-2"}"#, #"{"challengeContext":1}"#,
      #"{"challengeContext":{"transactionType":"CIBA","bindingMessage":"Pay%2010"}}"#,
      #"{"challengeContext":{"transactionType":"OTHER"}}"#, #"{"userVerification":"REQUIRED"}"#,
      #"{"userVerification":"DISCOURAGED"}"#, #"{"userVerification":"OTHER"}"#,
    ]
    + [200, 201].map { #"{"authorizationServerId":""# + String(repeating: "a", count: $0) + #""}"# }
    + (json(claims).object?.members ?? []).map { #"{""# + $0.key + #"":null}"# }

  private static let headerChanges: [String] = [
    #"{"alg":null}"#, #"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS384"}"#, #"{"alg":"RS512"}"#,
    #"{"alg":"ES256"}"#, #"{"alg":"PS256"}"#, #"{"alg":"XX"}"#, #"{"kid":null}"#, #"{"typ":null}"#,
    #"{"typ":"OKTA-pushbind+JWT"}"#, #"{"typ":"okta-devicebind+jwt"}"#, #"{"typ":"JWT"}"#, #"{"typ":1}"#,
  ]

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8)[...])) ?? .null }

  /// Returns an object in which some members are replaced.
  private static func with(_ changes: String, in text: String) -> JSON {
    guard case .object(var object) = json(text) else { return .null }
    for change in json(changes).object?.members ?? [] {
      object[change.key] = change.value == .null ? JSON?.none : change.value
    }
    return .object(object)
  }

  private static let expectations: [ChallengeExpectation] = [
    ChallengeExpectation(orgURL: "https://acme.example", orgID: "00o-1", userID: "00u-1", transactionTypes: ["LOGIN"]),
    ChallengeExpectation(
      orgURL: "https://acme.example/", orgID: "00o-1", userID: "00u-1", transactionTypes: ["LOGIN", "CIBA"],
      audiences: ["client-1"], origins: ["https://alias.example/"], pulledFor: "pfd-1"),
  ]

  private static func line(_ failure: CheckFailure?) -> String {
    failure.map { "\($0.check) \($0.kind.rawValue) \($0.message)" } ?? "passed"
  }

  private static func verdicts(_ token: String) -> String {
    switch ChallengeReading(token: token) {
    case .failure(let failure, let readable): return "\(line(failure)) \(readable.text)"
    case .challenge(let challenge):
      let skews: [String] = [0, 300, -1, Int.max].map { skew in
        line(challenge.timeAndForm(at: now * 1_000_000, skew: skew))
          + " \(challenge.endMicroseconds(skew: skew))"
      }
      let belongs = expectations.flatMap { expected in
        [line(challenge.belongs(to: expected)), line(challenge.belongs(to: expected, allowsCIBA: true))]
      }
      let wants =
        "\(challenge.requirement.rawValue) \(challenge.requirement.wantsVerification) \(challenge.transactionType)"
      return (skews + belongs + [wants, challenge.issuer(atOrg: "https://acme.example")]).joined(separator: "|")
    }
  }

  /// One line per challenge.
  static var challenges: Set<String> {
    func token(_ header: JSON, _ claims: JSON) -> String {
      CompactJWS.signingInput(header: header, claims: claims) + ".c2lnbmVk"
    }
    let usual = token(with("{}", in: header), with("{}", in: claims))
    var lines = claimChanges.enumerated().map { number, change in
      "claims \(number) " + verdicts(token(with("{}", in: header), with(change, in: claims)))
    }
    lines += headerChanges.enumerated().map { number, change in
      "header \(number) " + verdicts(token(with(change, in: header), with("{}", in: claims)))
    }
    lines += ["", "a.b.c", "e30.e30", "e30.e30.AA"].enumerated().map { "text \($0) " + verdicts($1) }
    let around: [(version: JSON?, challenge: JSON?)] = [
      ("IDXv1", .string(usual)), ("IDXv2", .string(usual)), (nil, .string(usual)), ("IDXv1", nil), ("IDXv1", 1),
    ]
    lines += around.enumerated().map { number, payload in
      switch ChallengeReading(version: payload.version, challenge: payload.challenge) {
      case .failure(let failure, _): "payload \(number) \(line(failure))"
      case .challenge(let challenge): "payload \(number) \(challenge.transactionID)"
      }
    }
    lines += ChallengeCheck.allCases.map { "check \($0.rawValue) \($0.sentence)" }
    return Set(lines)
  }

  /// One line per text that is shown to a person or sent in a request.
  static var texts: Set<String> {
    let messages = [
      "Pay%2010%20EUR", "Pay%2", "Pay%zz", "%C3%A9", "%C3", "100%", "a%00b", "a\u{1F}b\u{7F}c\u{85}d",
      "\u{061C}\u{200B}\u{200E}x",
      "\u{2028}\u{202E}\u{2066}\u{2069}\u{FEFF}y", "\u{200F}", "",
    ]
    let names = ["<b>Tom</b>", "a<b", "a>b", "<x>", "Tom's \"PC\" \u{e9}"]
    let urls = [
      "acme.example", "https://acme.example:443/x", "http://acme.example", "http://127.0.0.1:8080",
      "https://me@acme.example", "",
    ]
    return Set(
      messages.enumerated().map { number, text in
        "message \(number) \(BindingMessage.shown(text)) \(BindingMessage.shown(text, asReference: true) ?? "none")"
      } + names.map { "name \(DeviceTexts.stripTags($0)) \(DeviceTexts.token($0))" }
        + urls.map { "url \($0) \(DeviceTexts.orgURL($0) ?? "none")" } + ["hex \(DeviceTexts.hex(0...255))"])
  }

  /// One line per key and signature.
  static var keys: Set<String> {
    let numbers: [[UInt8]] = [
      Array(1...32), [1], [0x7F] + Array(repeating: 0xFF, count: 31), [0] + Array(128...159), Array(1...33),
      [0x80], [0, 0] + Array(1...31), [],
    ]
    func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
      let body = [0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
      return [0x30, UInt8(body.count)] + body
    }
    let whole = der(numbers[0], numbers[3])
    let broken: [[UInt8]] = [
      [], [0x30], [0x31] + whole.dropFirst(), Array(whole.dropLast()), whole + [0], [0x30, 0],
      [0x30, 3, 0x02, 2, 1], [0x30, 2, 0x03, 0],
    ]
    let signatures = numbers.flatMap { r in numbers.map { s in der(r, s) } } + broken
    var lines = signatures.map { signature in
      "signature \(DeviceTexts.hex(signature)) \(JOSESignature.raw(fromDER: signature).map { DeviceTexts.hex($0) } ?? "none")"
    }
    let key = PublicKey(x: Array(1...32), y: Array(1...31))
    lines.append("jwk \(key.jwk(tag: "tag", protection: .software).text)")
    lines.append("thumbprint \(String(decoding: key.thumbprintInput, as: UTF8.self))")
    return Set(lines)
  }
}
