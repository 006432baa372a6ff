import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// The models as programs written for okta-auth-swift use them: names, optionality, `Codable`.
@Suite struct ModelShapeTests {
  private static let next = Wire.link("/factors/fct1/lifecycle/activate/poll", name: "poll")
  private static let activation: JSON = [
    "expiresAt": "2026-01-15T09:05:00.000Z", "timeStep": 30, "sharedSecret": "secret-1", "encoding": "base32",
    "keyLength": "6",
    "_links": [
      "qrcode": ["href": "data:image/png;base64,aGk=", "type": "image/png"],
      "send": [Wire.link("/send/email", name: "email"), Wire.link("/send/sms", name: "sms")],
    ],
  ]
  private static let factor: JSON = Wire.factor(
    "push", links: [("verify", Wire.link("/factors/fct1/verify"))],
    [
      ("profile", ["phoneNumber": "+1 XXX-XXX-0199", "name": "Ann's phone", "platform": "ANDROID"]),
      ("vendorName", "OKTA"), ("status", "ACTIVE"), ("enrollment", "OPTIONAL"),
      ("_embedded", ["activation": activation, "challenge": ["correctAnswer": 42]]),
    ])
  private static let user: JSON = [
    "id": "00u1", "passwordChanged": "2026-01-01T00:00:00.000Z",
    "profile": ["login": "ann@acme.example", "firstName": "Ann", "timeZone": "Europe/Paris"],
    "recovery_question": ["question": "First pet?"],
  ]

  private func activating() async throws -> OktaAuthStatusFactorEnrollActivate {
    let answer = Wire.transaction(
      "MFA_ENROLL_ACTIVATE", embedded: [("user", Self.user), ("factor", Self.factor)],
      links: [
        ("next", Self.next), ("cancel", Wire.cancel), ("resend", [Wire.link("/resend", name: "sms")]),
      ], [("factorResult", "WAITING"), ("expiresAt", "2026-01-15T09:10:00.000Z")])
    return try await Script(answer).status()
  }

  @Test("what a status must have is not optional: factor, state token, activation link")
  func required() async throws {
    let status = try await activating()
    let factor: OktaFactor = status.factor
    let token: String = status.stateToken
    let link: LinksResponse.Link = status.activateLink
    #expect(factor is OktaFactorPush)
    #expect(token == "state-token-1")
    #expect(link.name == "poll")
    #expect(status.factorResult == .waiting)
  }

  @Test("links are URLs, behind an optional `links`")
  func links() async throws {
    let status = try await activating()
    let href: URL? = status.links?.next?.href
    #expect(href?.absoluteString == Script.factorURL + "/fct1/lifecycle/activate/poll")
    #expect(status.model.links?.next?.hints == ["allow": ["POST"]])
    guard case .resendArray(let list)? = status.links?.resend else { throw ShouldHaveFailed() }
    #expect(list.first?.name == "sms")
    let push = try #require(status.factor as? OktaFactorPush)
    #expect(push.qrCodeLink?.type == "image/png")
    #expect(push.qrCodeLink?.href.scheme == "data")
    #expect(push.sendLinks?.map(\.name) == ["email", "sms"])
    let one = Wire.transaction("RECOVERY_CHALLENGE", links: [("resend", Wire.link("/resend", name: "sms"))])
    guard case .resend(let link)? = OktaAPISuccessResponse(json: one).links?.resend else { throw ShouldHaveFailed() }
    #expect(link.name == "sms")
    #expect(OktaAPISuccessResponse(json: ["status": "SUCCESS"]).links == nil)
  }

  @Test("a factor's data has types: profile, activation, challenge")
  func factors() async throws {
    let push = try #require(try await activating().factor as? OktaFactorPush)
    #expect(push.profile?.phoneNumber == "+1 XXX-XXX-0199")
    #expect(push.profile?.platform == "ANDROID")
    #expect(push.provider?.rawValue == "OKTA")
    #expect(push.factor.factorType == .push)
    #expect(push.factor.embedded?.activation?.expiresAt == "2026-01-15T09:05:00.000Z")
    #expect(push.activation?.timeStep == 30 && push.activation?.keyLength == 6)
    #expect(push.challenge?.correctAnswer == 42)
  }

  @Test("embedded objects: user, factor, factors, policy, target, authentication")
  func embedded() async throws {
    let embedded = try #require(try await activating().model.embedded)
    #expect(embedded.user?.profile?.login == "ann@acme.example")
    #expect(embedded.user?.recoveryQuestion?.question == "First pet?")
    #expect(embedded.user?.passwordChanged == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(embedded.factor?.id == "fct1")
    #expect(embedded.factors == nil)
    let more = try #require(
      EmbeddedResponse(json: [
        "factors": [Self.factor, Self.factor],
        "policy": ["complexity": ["minLength": 8], "expiration": ["passwordExpireDays": 3]],
        "target": ["type": "APP", "name": "app", "_links": ["logo": Wire.link("/logo")]],
        "authentication": ["protocol": "SAML2.0", "issuer": ["id": "i1", "uri": "urn:x"]],
      ]))
    #expect(more.factors?.count == 2)
    guard case .password(let rules)? = more.policy else { throw ShouldHaveFailed() }
    #expect(rules.complexity?.minLength == 8)
    #expect(rules.expiration?.passwordExpireDays == 3)
    #expect(more.target?.links?["logo"].count == 1)
    #expect(more.authentication?.authProtocol == .saml_2_0)
    #expect(more.authentication?.issuer?.uri == "urn:x")
    let device = EmbeddedResponse.Policy(json: ["allowRememberDevice": true, "complexity": ["minLength": 8]])
    guard case .rememberDevice(let rules)? = device else { throw ShouldHaveFailed() }
    #expect(rules.allowRememberDevice)
    #expect(device?.password?.complexity?.minLength == 8)
  }

  @Test("a response decodes from what the org sends, and encodes to it, members the SDK does not know included")
  func codable() throws {
    let text = #"{"status":"MFA_REQUIRED","odd":[1,2.5,null,true],"_embedded":{"factors":[]},"_links":{}}"#
    let response = try JSONDecoder().decode(OktaAPISuccessResponse.self, from: Data(text.utf8))
    #expect(response.status == .MFARequired)
    #expect(response.embedded?.factors == [])
    let again = try JSON(parsing: Array(JSONEncoder().encode(response)))
    #expect(again.sorted == (try JSON(parsing: Array(text.utf8))).sorted)
    let factor = try JSONDecoder().decode(EmbeddedResponse.Factor.self, from: Data(Self.factor.bytes))
    #expect(factor.embedded?.activation?.sharedSecret == "secret-1")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(LinksResponse.Link.self, from: Data("{}".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(EmbeddedResponse.self, from: Data("[]".utf8)) }
  }

  @Test("an error response decodes and encodes")
  func errors() throws {
    let text = #"{"errorCode":"E0000004","errorSummary":"failed","errorCauses":[{"errorSummary":"cause"}]}"#
    let error = try JSONDecoder().decode(OktaAPIErrorResponse.self, from: Data(text.utf8))
    #expect(error.errorCode == "E0000004")
    #expect(error.errorCauses?.first?.errorSummary == "cause")
    #expect(error.description == "Server responded with error: cause")
    let again = try JSON(parsing: Array(JSONEncoder().encode(error)))
    #expect(again["errorCode"] == "E0000004")
  }

  @Test("causes under the singular are causes, too")
  func singularCauses() throws {
    for (text, expected) in [
      (#"{"errorSummary":"failed","errorCause":[{"errorSummary":"why"}]}"#, "why"),
      (#"{"errorSummary":"failed","errorCauses":null,"errorCause":[{"errorSummary":"why"}]}"#, "why"),
      (#"{"errorSummary":"failed","errorCauses":[{"errorSummary":"a"}],"errorCause":[{"errorSummary":"b"}]}"#, "a"),
      (#"{"errorSummary":"failed","errorCause":{"errorSummary":"why"}}"#, "failed"),
    ] {
      let error = try JSONDecoder().decode(OktaAPIErrorResponse.self, from: Data(text.utf8))
      #expect(error.description == "Server responded with error: \(expected)", "\(text)")
    }
  }

  @Test("a factor is found as a list or alone, under either key; an empty list hides none")
  func factorForms() async throws {
    for members: [(String, JSON?)] in [
      [("factor", Self.factor)], [("factors", [Self.factor])], [("factors", Self.factor)],
      [("factor", [Self.factor])], [("factors", []), ("factor", Self.factor)],
    ] {
      let answer = Wire.transaction(
        "MFA_ENROLL_ACTIVATE", embedded: members, links: [("next", Self.next), ("cancel", Wire.cancel)])
      let status: OktaAuthStatusFactorEnrollActivate = try await Script(answer).status()
      #expect(status.factor.factor.json == Self.factor, "\(members)")
    }
    let alone = try #require(EmbeddedResponse(json: ["factors": Self.factor]))
    #expect(alone.factor?.json == Self.factor && alone.factors?.map(\.json) == [Self.factor])
    let listed = try #require(EmbeddedResponse(json: ["factors": [Self.factor, Self.factor]]))
    #expect(listed.factor == nil && listed.factors?.count == 2)
  }

  @Test("dates are read with an offset that has no colon")
  func dates() throws {
    let user = try #require(EmbeddedResponse.User(json: ["passwordChanged": "2015-06-11T21:33:24.778+0000"]))
    #expect(user.passwordChanged?.timeIntervalSince1970 == 1_434_058_404.778)
  }

  @Test("a rule that is null is no rule")
  func nullRules() throws {
    let rules = try #require(
      EmbeddedResponse.Policy(json: ["allowRememberDevice": nil, "expiration": ["passwordExpireDays": 3]]))
    #expect(rules.rememberDevice == nil && rules.password?.expiration?.passwordExpireDays == 3)
    #expect(EmbeddedResponse.Policy(json: ["allowRememberDevice": nil, "age": nil]) == nil)
  }

  @Test("a cause of an error has the five members that the org may send")
  func causes() throws {
    let cause: JSON = [
      "errorSummary": "No.", "domain": "com.acme.hook", "location": "data.userProfile.login", "locationType": "body",
      "reason": "TAKEN",
    ]
    let error: JSON = ["errorCode": "E0000135", "errorCauses": [cause]]
    let response = try JSONDecoder().decode(OktaAPIErrorResponse.self, from: Data(error.text.utf8))
    let read = try #require(response.errorCauses?.first)
    #expect(read.errorSummary == "No." && read.reason == "TAKEN")
    #expect(read.domain == "com.acme.hook" && read.location == "data.userProfile.login" && read.locationType == "body")
  }

  @Test("words round-trip through rawValue and Codable, unknown ones too")
  func words() throws {
    func check<Word: OktaWireWord>(_ words: [Word], sourceLocation: SourceLocation = #_sourceLocation) throws {
      for word in words + [.unknown("SOMETHING_NEW")] {
        #expect(Word(raw: word.rawValue) == word, sourceLocation: sourceLocation)
        #expect(
          try JSONDecoder().decode(Word.self, from: JSONEncoder().encode(word)) == word, sourceLocation: sourceLocation)
      }
    }
    try check(AuthStatus.known)
    try check(FactorType.known)
    try check(FactorProvider.known)
    try check(OktaAPISuccessResponse.FactorResult.known)
    try check(OktaAPISuccessResponse.RecoveryType.known)
    try check(EmbeddedResponse.AuthenticationObject.AuthProtocol.known)
    #expect(EmbeddedResponse.AuthenticationObject.AuthProtocol(raw: "OAUTH2.0") == .oauth_2_0)
    #expect(AuthStatus.MFAChallenge.rawValue == "MFA_CHALLENGE")
    #expect(AuthStatus.MFAChallenge.description == "MFA Challenge")
    #expect(FactorType.TOTP.rawValue == "token:software:totp")
    #expect(FactorType.push.description == "Push Notification")
    #expect(FactorType(raw: "SMS") == .sms)
  }
}

/// The factors of a status are made once: code that holds one weakly, as the sample of okta-auth-swift does, finds it
/// again as long as it has the status.
@Suite struct FactorIdentityTests {
  @Test("a challenge gives the same factor each time, and a weak reference to it lives as long as the challenge")
  func challenge() async throws {
    let status: OktaAuthStatusFactorChallenge = try await Script(Wire.waiting()).status()
    weak let factor = status.factor
    #expect(factor != nil)
    #expect(factor === status.factor)
    #expect(factor?.holder === status)
  }

  @Test("the available factors are the same objects each time")
  func available() async throws {
    let link = ("verify", Wire.link("/factors/fct1/verify")) as (String, JSON?)
    let script = Script(Wire.required(Wire.factor("sms", links: [link]), Wire.factor("call", links: [link])))
    let status: OktaAuthStatusFactorRequired = try await script.status()
    weak let first = status.availableFactors.first
    #expect(first != nil)
    #expect(status.availableFactors.map(ObjectIdentifier.init) == status.availableFactors.map(ObjectIdentifier.init))
  }

  @Test("a status does not outlive its application for the factors it made")
  func released() async throws {
    var status: OktaAuthStatusFactorChallenge? = try await Script(Wire.waiting()).status()
    weak let observed = status
    let factor = status?.factor
    status = nil
    #expect(observed == nil)
    #expect(factor?.canVerify() == true)
  }
}
