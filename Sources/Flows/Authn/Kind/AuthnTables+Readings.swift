// What is read from answers with most possible members, unchanged and with each value changed.

import EventStore
import FlowRecording
import Foundation

extension AuthnKind {
  static var readings: Set<String> {
    let lines: [String] = [challenge, recovery].flatMap { document in
      RuntimeTables.changes(of: document) { changed in
        text(of: changed) + RuntimeTables.masked(changed, by: policy) + equality(changed, document)
      }
    }
    return Set(lines + retyped(challenge) + retyped(recovery))
  }

  /// What a model shows if one value has another type.
  private static func retyped(_ document: JSON) -> [String] {
    RuntimeTables.retyped(document) { changed in
      let model = OktaAPISuccessResponse(json: changed)
      return ([words(of: model)] + policies(of: model)).joined(separator: "\n")
    }
  }

  /// Which objects of two answers are equal.
  private static func equality(_ one: JSON, _ other: JSON) -> String {
    let (one, other) = (OktaAPISuccessResponse(json: one), OktaAPISuccessResponse(json: other))
    return "\(one == other) \(one.links == other.links) \(one.embedded == other.embedded) \(one.user == other.user) "
      + "\(one.embedded?.factor == other.embedded?.factor) \(one.embedded?.policy == other.embedded?.policy) "
      + "\(one.links?.next == other.links?.next) \(Set([one, other]).count)"
  }

  /// All that is read from a transaction.
  static func text(of json: JSON) -> String {
    let reading = TransactionReading(json: json)
    let links = ["next", "prev", "cancel", "resend", "qrcode", "skip", "odd"].map { name in
      reading.links(name).map { "\($0.name ?? "-") \($0.href) \($0.allow)" }
        + [reading.link(name).map { "\($0.href) \($0.takesPost)" } ?? "-"]
    }
    var lines = [
      CanonicalSummary.summary(of: json.bytes).text, AuthnSummary.summary(of: reading).text, "\(links)",
      "\(reading.linkNames) \(reading.hasFactorList) \(reading.resendLink?.href ?? "-") \(reading.factors.count)",
      [
        reading.status, reading.stateToken, reading.recoveryToken, reading.factorResult, reading.errorCode,
        reading.login,
      ]
      .map { $0 ?? "-" }.joined(separator: " "),
    ]
    let error = OktaAPIErrorResponse(revealed: json, masked: json, httpStatus: 403, retryAfterSeconds: nil)
    lines.append("\(error.description) \(error.retryAfterSeconds ?? -1) \(error.errorCauses?.count ?? -1)")
    let model = OktaAPISuccessResponse(json: json)
    lines += [words(of: model), self.links(of: model)] + policies(of: model)
    return lines.joined(separator: "\n")
  }

  private static func words(of model: OktaAPISuccessResponse) -> String {
    let embedded = model.embedded
    let user = model.user
    return [
      model.status?.rawValue, model.status?.description, model.factorResult?.rawValue, model.recoveryType?.rawValue,
      model.factorType?.rawValue, model.stateToken, model.sessionToken, model.recoveryToken, model.relayState,
      model.expirationDate, model.expirationTime.map { "\($0.timeIntervalSince1970)" }, model.type,
      model.factorResultMessage, user?.id, user?.passwordChanged.map { "\($0.timeIntervalSince1970)" },
      user?.recoveryQuestion?.question, user?.profile?.login, user?.profile?.firstName, user?.profile?.lastName,
      user?.profile?.locale, user?.profile?.timeZone, "\(embedded?.json.text.utf8.count ?? -1)",
    ].map { $0 ?? "-" }.joined(separator: " ")
  }

  private static func links(of model: OktaAPISuccessResponse) -> String {
    guard let links = model.links else { return "-" }
    let single = [
      links.next, links.prev, links.cancel, links.skip, links.verify, links.enroll, links.questions, links.activate,
    ]
    let lists = [links.send ?? [], links.resend?.links ?? []]
    return "\(single.map { $0.map { "\($0.address) \($0.allow)" } ?? "-" }) \(lists.map { $0.map(\.address) }) "
      + "\(links.qrcode?.href.absoluteString ?? "-")"
  }

  private static func policies(of model: OktaAPISuccessResponse) -> [String] {
    let (policy, target, proof) = (model.embedded?.policy, model.embedded?.target, model.embedded?.authentication)
    let (device, password) = (policy?.rememberDevice, policy?.password)
    let flags = [device?.allowRememberDevice, device?.rememberDeviceByDefault, password?.complexity?.excludeUsername]
    let numbers = [
      device?.rememberDeviceLifetimeInMinutes, password?.expiration?.passwordExpireDays,
      password?.complexity?.minLength,
      password?.complexity?.minLowerCase, password?.complexity?.minUpperCase, password?.complexity?.minNumber,
      password?.complexity?.minSymbol, password?.age?.minAgeMinutes, password?.age?.historyCount,
    ]
    let texts = [
      target?.type, target?.name, target?.label, target?.clientId, proof?.authProtocol?.rawValue, proof?.issuer?.id,
      proof?.issuer?.name, proof?.issuer?.uri,
    ]
    let pushes = (device?.autoPushEnabled ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let list = ([model.embedded?.factor].compactMap { $0 } + (model.embedded?.factors ?? [])).map(self.text)
    return [
      "\(policy?.json.text ?? "-") \(flags.map { $0.map { "\($0)" } ?? "-" }) \(numbers.map { $0 ?? -1 })",
      "\(texts.map { $0 ?? "-" }) \(pushes) \(password?.complexity?.excludeAttributes ?? [])",
    ] + list
  }

  private static func text(of factor: EmbeddedResponse.Factor) -> String {
    let (profile, activation) = (factor.profile, factor.embedded?.activation)
    return [
      factor.id, factor.factorType.rawValue, factor.factorType.description, factor.provider?.rawValue,
      factor.vendorName,
      factor.enrollment, factor.status, factor.links?.next?.address, profile?.name, profile?.phoneNumber,
      profile?.phoneExtension, profile?.question, profile?.questionText, profile?.credentialId, profile?.email,
      profile?.deviceType, profile?.platform, profile?.version, activation?.expiresAt,
      activation?.expirationTime.map { "\($0.timeIntervalSince1970)" }, activation?.factorResult?.rawValue,
      activation?.sharedSecret, activation?.encoding, activation?.timeStep.map(String.init),
      activation?.keyLength.map(String.init), factor.embedded?.challenge?.correctAnswer.map(String.init),
    ].map { $0 ?? "-" }.joined(separator: " ")
  }

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8))) ?? .null }

  private static let challenge = json(
    #"""
    {"stateToken":"00t","expiresAt":"2026-01-15T09:05:00.250Z","status":"MFA_CHALLENGE","factorResult":"WAITING",
     "factorResultMessage":"wait","relayState":"r","type":"t",
     "_embedded":{"user":{"id":"00u","passwordChanged":"2025-09-08T20:14:45.000Z",
        "profile":{"login":"ann@acme.example","firstName":"Ann","lastName":"Lee","locale":"en","timeZone":"UTC"}},
      "factor":{"id":"opf1","factorType":"push","provider":"OKTA","vendorName":"OKTA","status":"ACTIVE","enrollment":"OPTIONAL",
        "profile":{"credentialId":"ann","deviceType":"x","name":"Phone","phoneNumber":"+1 XXX","question":"q","questionText":"What?"},
        "_links":{"verify":{"href":"https://acme.example/v","hints":{"allow":["POST"]}},"questions":{"href":"https://acme.example/q"}},
        "_embedded":{"challenge":{"correctAnswer":42,"challenge":"c","extensions":{"a":"b"}},
          "activation":{"timeStep":30,"sharedSecret":"s","encoding":"base32","keyLength":6,"factorResult":"WAITING",
            "_links":{"qrcode":{"href":"https://acme.example/qr","type":"image/png"},
              "send":[{"name":"sms","href":"https://acme.example/s"},{"name":"email","href":"https://acme.example/e"}]}}}},
      "factors":[{"id":"sms1","factorType":"sms","provider":"OKTA"},{"id":"t1","factorType":"token:software:totp","provider":"GOOGLE"}],
      "policy":{"allowRememberDevice":true,"rememberDeviceLifetimeInMinutes":15,"rememberDeviceByDefault":false,
        "factorsPolicyInfo":{"opf1":{"autoPushEnabled":true}}}},
     "_links":{"next":{"name":"poll","href":"https://acme.example/p","hints":{"allow":["POST"]}},
      "cancel":{"href":"https://acme.example/c","hints":{"allow":["POST"]}},"prev":{"href":"https://acme.example/b"},
      "resend":[{"name":"push","href":"https://acme.example/r1"},{"name":"sms","href":"https://acme.example/r2"}]}}
    """#)

  private static let recovery = json(
    #"""
    {"status":"RECOVERY","recoveryToken":"r","recoveryType":"PASSWORD","factorType":"EMAIL","errorCode":"E0000047","errorSummary":"s",
     "errorCauses":[{"errorSummary":"one"},{"errorSummary":"two"}],"sessionToken":"20111",
     "_embedded":{"user":{"recovery_question":{"question":"What?"},"profile":{"login":"ann@acme.example"}},
      "policy":{"expiration":{"passwordExpireDays":5},"complexity":{"minLength":8,"minLowerCase":1,"minUpperCase":1,"minNumber":1,
        "minSymbol":0,"excludeUsername":true},"age":{"minAgeMinutes":0,"historyCount":4}},
      "target":{"type":"SAML","name":"app","label":"App","_links":{"original":{"href":"https://acme.example/t"}}},
      "authentication":{"protocol":"SAML2.0","issuer":{"id":"0oa","name":"app","uri":"urn:x"}}},
     "_links":{"next":{"name":"answer","href":"https://acme.example/a"},"skip":{"name":"skip","href":"https://acme.example/k"},
      "resend":{"name":"email","href":"https://acme.example/r"}}}
    """#)
}
