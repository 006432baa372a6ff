// Choosing and answering an authenticator, as the page shows it.

extension OrgState {
  func selectPage(_ transaction: IDXTransaction) -> IDXPage {
    var page = base(transaction)
    if let form = selectForm(transaction) { page.forms = [form] }
    return page
  }

  /// What may be chosen and what the person has, without a form.
  private func base(_ transaction: IDXTransaction) -> IDXPage {
    var page = IDXPage()
    let list = candidates(transaction)
    var seen: [OrgAuthenticator] = []
    for entry in list where !seen.contains(entry.authenticator) { seen.append(entry.authenticator) }
    page.authenticators = seen.map { authenticator in
      ion(authenticator, methods: list.first { $0.authenticator == authenticator }?.methods)
    }
    page.enrollments = list.map(ion)
    return page
  }

  /// `select-authenticator-authenticate`; none if there is nothing to choose.
  private func selectForm(_ transaction: IDXTransaction) -> IonForm? {
    let list = candidates(transaction)
    if list.isEmpty { return nil }
    let options = list.enumerated().map { index, entry in
      var fields = choiceFields(entry.authenticator, entry.methods)
      if [.phone, .rsa, .onPremises, .custom].contains(entry.authenticator) {
        fields.append(.fixed("enrollmentId", .string(entry.id)))
      }
      return IonField.Option(
        label: entry.authenticator.displayName, form: fields, relatesTo: "$.authenticatorEnrollments.value[\(index)]")
    }
    return IonForm(
      "select-authenticator-authenticate", .challenge,
      [IonField(name: "authenticator", type: "object", options: options)])
  }

  /// Id and method: given if there is one, chosen if there are several.
  func choiceFields(_ authenticator: OrgAuthenticator, _ methods: [String]) -> [IonField] {
    let id = IonField.fixed("id", .string(authenticatorID(authenticator)))
    if methods.count == 1 { return [id, .fixed("methodType", .string(methods[0]), required: false)] }
    return [id, .choice("methodType", methods.map { (OrgAuthenticator.label(ofMethod: $0), $0) })]
  }

  func confirmPage(_ enrolled: IDXEnrolled, _ transaction: IDXTransaction) -> IDXPage {
    var page = base(transaction)
    var fields = [IonField.fixed("id", .string(authenticatorID(enrolled.authenticator)))]
    if enrolled.methods.count == 1 {
      fields.append(.fixed("methodType", .string(enrolled.methods[0])))
    } else {
      fields.append(
        .choice(
          "methodType", enrolled.methods.map { (OrgAuthenticator.label(ofMethod: $0), $0) }, required: true))
    }
    if enrolled.authenticator == .phone { fields.append(.fixed("enrollmentId", .string(enrolled.id))) }
    if enrolled.authenticator == .oktaVerify {
      fields.append(.flag("autoChallenge", "Send push automatically", value: false))
    }
    var field = IonField.group("authenticator", fields, required: nil)
    field.label = enrolled.authenticator.displayName
    page.forms = [
      IonForm(
        "authenticator-verification-data", .challenge, [field],
        relatesTo: enrolled.authenticator == .oktaVerify ? "$.currentAuthenticator" : "$.currentAuthenticatorEnrollment"
      )
    ]
    if let select = selectForm(transaction) { page.forms.append(select) }
    var current = ion(enrolled)
    if enrolled.authenticator == .oktaVerify {
      current.id = authenticatorID(.oktaVerify)
      page.current = current
    } else {
      if enrolled.authenticator == .phone { current.actions = [IonForm("resend", .resend)] }
      page.currentEnrollment = current
    }
    return page
  }

  func challengePage(_ challenge: IDXChallenge, _ transaction: IDXTransaction) -> IDXPage {
    var page = base(transaction)
    let authenticator = challenge.enrolled.authenticator
    var current = ion(challenge.enrolled)
    current.methods = [challenge.method]
    // Okta Verify and security keys show the authenticator, all others the person's enrolment of it.
    let isAuthenticator = authenticator == .oktaVerify || authenticator == .webauthn
    if isAuthenticator { current.id = authenticatorID(authenticator) }
    let target = isAuthenticator ? "$.currentAuthenticator" : "$.currentAuthenticatorEnrollment"
    var fields: [IonField]?
    switch challenge.kind {
    case .sent:
      fields = [.input("passcode", "Enter code", required: nil)]
      current.actions = [IonForm("resend", .resend)]
      if authenticator == .email {
        current.contextualData = ["useEmailMagicLink": .bool(policy.emailMagicLink)]
        if policy.emailMagicLink { current.actions.append(IonForm("poll", .poll).refreshing(4000)) }
      }
    case .typed:
      fields = typedFields(challenge)
      if authenticator == .password, policy.recovery { current.actions = [IonForm("recover", .recover)] }
      if authenticator == .question { current.contextualData = enrolledQuestion(challenge) }
    case .signed(let expected):
      fields = Self.assertionFields
      current.contextualData = ["challengeData": challengeData(expected)]
    case .duo(let token):
      fields = [IonField(name: "signatureData", label: "Assertion From Duo", required: true, visible: false)]
      current.contextualData = duoData(token)
    case .push(let push): addPush(push, &current, &page)
    }
    if let fields {
      page.forms.append(
        IonForm("challenge-authenticator", .answer, [.group("credentials", fields)], relatesTo: target))
    }
    if let select = selectForm(transaction) { page.forms.append(select) }
    if isAuthenticator { page.current = current } else { page.currentEnrollment = current }
    return page
  }

  private func addPush(_ push: PushChallenge, _ current: inout IonAuthenticator, _ page: inout IDXPage) {
    let id = authenticatorID(.oktaVerify)
    var resend = IonForm("resend", .challenge)
    resend.fields = [
      .fixed("authenticator", ["methodType": "push", "id": .string(id)], visible: false)
    ]
    guard push.result == .waiting else {
      resend.relatesTo = ["$.currentAuthenticator"]
      resend.fields = [
        IonField(
          name: "authenticator", label: "Okta Verify", type: "object",
          value: [
            "form": [
              "value": [
                IonField.fixed("id", .string(id)).json([:]), IonField.fixed("methodType", "push").json([:]),
              ]
            ]
          ])
      ]
      page.forms.append(resend)
      return
    }
    current.actions = [resend]
    if let number = push.correctAnswer { current.contextualData = ["correctAnswer": .string(String(number))] }
    let form = IonForm(
      "challenge-poll", .authenticatorsPoll,
      [
        IonField(name: "autoChallenge", label: "Send push automatically", type: "boolean", value: true, required: false)
      ],
      relatesTo: "$.currentAuthenticator")
    page.forms.append(form.refreshing(4000))
    page.forms.append(IonForm("cancel-polling", .cancelPolling))
  }

  private func typedFields(_ challenge: IDXChallenge) -> [IonField] {
    switch challenge.enrolled.authenticator {
    case .password: return [.input("passcode", "Password", secret: true)]
    case .oktaVerify: return [.input("totp", "Enter code from Okta Verify app")]
    case .question:
      guard case .question(let key, _)? = challenge.enrolled.enrolments.first?.factor else { return [] }
      return [
        .fixed("questionKey", .string(key), visible: false),
        .input("answer", SecurityQuestion.text(of: key), secret: true),
      ]
    default: return [.input("passcode", "Enter code")]
    }
  }

  private func enrolledQuestion(_ challenge: IDXChallenge) -> OrgJSON? {
    guard case .question(let key, _)? = challenge.enrolled.enrolments.first?.factor else { return nil }
    return [
      "enrolledQuestion": ["questionKey": .string(key), "question": .string(SecurityQuestion.text(of: key))]
    ]
  }

  static var assertionFields: [IonField] {
    [
      IonField(name: "authenticatorData", label: "Authenticator Data", required: true, visible: false),
      IonField(name: "clientData", label: "Client Data", required: true, visible: false),
      IonField(name: "signatureData", label: "Signature Data", required: true, visible: false),
    ]
  }

  func challengeData(_ challenge: String) -> OrgJSON {
    [
      "challenge": .string(challenge), "userVerification": "preferred", "extensions": ["appid": .string(baseURL)],
    ]
  }

  func duoData(_ token: String) -> OrgJSON {
    [
      "host": "duo.acme.example", "signedToken": .string(token), "integrationType": "IFRAME",
      "script": .string(baseURL + "/js/sections/duo/Duo-Web-v2.6.js"),
    ]
  }
}
