// The factors of a status object, what they are set up with, and what can be done with them.

import EventStore

extension AuthnObjectCheck {
  private static let factorClasses: [String: OktaFactor.Type] = [
    "question": OktaFactorQuestion.self, "sms": OktaFactorSms.self, "call": OktaFactorCall.self,
    "push": OktaFactorPush.self, "token:software:totp": OktaFactorTotp.self, "token": OktaFactorToken.self,
  ]

  mutating func factor(_ factor: OktaFactor, at index: Int) {
    let json: JSON? = sentFactors.indices.contains(index) ? sentFactors[index] : nil
    let kind = (json?["factorType"]?.string ?? "").lowercased()
    expect("factor.index", factor.index == index)
    expect("the class of a factor", type(of: factor) == Self.factorClasses[kind] ?? OktaFactorOther.self)
    expect("factor.json", factor.json == json && factor.factor.json == json)
    expect("factor.id", factor.id == json?["id"]?.string)
    expect("factor.type", factor.type.raw.lowercased() == kind)
    expect("factor.type", AuthnWords.isCase(factor.type, kind, of: AuthnWords.factors))
    expect("factor.provider", factor.provider?.raw == json?["provider"]?.string)
    expect("factor.provider", AuthnWords.isCase(factor.provider, json?["provider"]?.string, of: AuthnWords.providers))
    expect("factor.vendorName", factor.vendorName == json?["vendorName"]?.string)
    expect("factor.status", factor.status == json?["status"]?.string)
    expect("factor.enrollment", factor.enrollment == json?["enrollment"]?.string)
    let links = json?["_links"]
    self.links(of: "factor", factor.links, links)
    expect("factor.canEnroll", factor.canEnroll() == !Self.usable(links?["enroll"]).isEmpty)
    expect("factor.canSelect", factor.canSelect() == !Self.usable(links?["verify"]).isEmpty)
    let (status, next) = (answer["status"]?.string, hasLink("next"))
    expect("factor.canActivate", factor.canActivate() == (status == "MFA_ENROLL_ACTIVATE" && next))
    expect("factor.canVerify", factor.canVerify() == (status == "MFA_CHALLENGE" && next))
    profile(factor.profile, json?["profile"])
    embedded(factor.factor.embedded, json?["_embedded"])
    members(of: factor, json)
  }

  private mutating func profile(_ profile: EmbeddedResponse.Factor.Profile?, _ json: JSON?) {
    expect("factor.profile", (profile != nil) == (json?.object != nil))
    for (name, value) in [
      ("name", profile?.name), ("phoneNumber", profile?.phoneNumber), ("phoneExtension", profile?.phoneExtension),
      ("question", profile?.question), ("questionText", profile?.questionText), ("credentialId", profile?.credentialId),
      ("email", profile?.email), ("deviceType", profile?.deviceType), ("platform", profile?.platform),
      ("version", profile?.version),
    ] {
      expect("factor.profile.\(name)", value == json?[name]?.string)
    }
  }

  private mutating func embedded(_ embedded: EmbeddedResponse.Factor.Embedded?, _ json: JSON?) {
    expect("factor.embedded", (embedded != nil) == (json?.object != nil))
    activation(embedded?.activation, json?["activation"])
    let challenge = json?["challenge"]
    expect("factor.embedded.challenge", (embedded?.challenge != nil) == (challenge?.object != nil))
    expect("correctAnswer", embedded?.challenge?.correctAnswer == Self.number(challenge?["correctAnswer"]))
  }

  private mutating func activation(_ activation: OktaFactor.Activation?, _ json: JSON?) {
    expect("factor.activation", (activation != nil) == (json?.object != nil))
    guard let activation else { return }
    expect("activation.expiresAt", activation.expiresAt == json?["expiresAt"]?.string)
    expect("activation.expirationTime", Self.isSame(activation.expirationTime, json?["expiresAt"]?.string))
    expect("activation.factorResult", activation.factorResult?.rawValue == json?["factorResult"]?.string)
    expect("activation.sharedSecret", activation.sharedSecret == json?["sharedSecret"]?.string)
    expect("activation.encoding", activation.encoding == json?["encoding"]?.string)
    expect("activation.timeStep", activation.timeStep == Self.number(json?["timeStep"]))
    expect("activation.keyLength", activation.keyLength == Self.number(json?["keyLength"]))
    links(of: "activation", activation.links, json?["_links"])
  }

  /// The members specific to each class of factor.
  private mutating func members(of factor: OktaFactor, _ json: JSON?) {
    let sent = json?["_embedded"]?["activation"]
    let links = sent?.object == nil ? nil : sent?["_links"]
    switch factor {
    case let factor as OktaFactorPush:
      activation(factor.activation, sent)
      self.links(of: "activationLinks", factor.activationLinks, links)
      expect("qrCodeLink", factor.qrCodeLink?.json == (Self.usable(links?["qrcode"]).isEmpty ? nil : links?["qrcode"]))
      expect("sendLinks", Self.areSame(factor.sendLinks, links?["send"].map { Self.usable($0) }))
      for (name, link, can) in [
        ("sms", factor.codeViaSmsLink(), factor.canSendPushCodeViaSms()),
        ("email", factor.codeViaEmailLink(), factor.canSendPushCodeViaEmail()),
      ] {
        let expected = Self.usable(links?["send"]).first { $0["name"]?.string?.lowercased() == name }
        expect("the link by \(name)", link?.json == expected && can == (expected != nil))
      }
      let number = Self.number(json?["_embedded"]?["challenge"]?["correctAnswer"])
      expect("correctAnswer", factor.correctAnswer == number && factor.challenge?.correctAnswer == number)
    case let factor as OktaFactorTotp:
      activation(factor.activation, sent)
      self.links(of: "activationLinks", factor.activationLinks, links)
      expect("qrCodeLink", factor.qrCodeLink?.json == (Self.usable(links?["qrcode"]).isEmpty ? nil : links?["qrcode"]))
    case let factor as OktaFactorQuestion:
      expect("factorQuestionId", factor.factorQuestionId == json?["profile"]?["question"]?.string)
      expect("factorQuestionText", factor.factorQuestionText == json?["profile"]?["questionText"]?.string)
      let list = Self.usable(json?["_links"]?["questions"]).first
      expect("securityQuestionsLink", factor.securityQuestionsLink?.json == list)
    case let factor as OktaFactorPhone:
      expect("phoneNumber", factor.phoneNumber == json?["profile"]?["phoneNumber"]?.string)
    case let factor as OktaFactorToken:
      expect("credentialId", factor.credentialId == json?["profile"]?["credentialId"]?.string)
      expect("factorProvider", factor.factorProvider?.raw == json?["provider"]?.string)
    case let factor as OktaFactorOther: activation(factor.activation, sent)
    default: break
    }
  }
}
