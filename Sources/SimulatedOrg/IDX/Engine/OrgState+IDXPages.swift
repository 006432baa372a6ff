// What each step shows (idx.md §13.1).

extension OrgState {
  func page(of transaction: IDXTransaction) -> IDXPage {
    var page: IDXPage
    switch transaction.step {
    case .identify: page = firstPage(transaction)
    case .identifyRecovery:
      page = IDXPage(forms: [
        IonForm("identify-recovery", .identify, [.input("identifier", "Username")]),
        IonForm("select-identify", .selectIdentify),
      ])
      page.recovery = ion(.password)
    case .selectToUnlock: page = unlockPage()
    case .select: page = selectPage(transaction)
    case .confirmSending(let enrolled): page = confirmPage(enrolled, transaction)
    case .challenge(let challenge): page = challengePage(challenge, transaction)
    case .register: page = registrationPage()
    case .selectEnrolment, .enrolmentData, .channelData, .enrolling: page = enrolmentPage(transaction)
    case .newPassword(let why): page = passwordPage(why, transaction)
    case .profileUpdate: page = profilePage(transaction)
    case .consent(let consent): page = consentPage(consent, transaction)
    case .staySignedIn:
      let form = IonForm(
        "keep-me-signed-in", .keepSignedIn,
        [
          IonField(
            name: "keepMeSignedIn", type: "boolean", required: true,
            options: [.init(label: "Stay signed in", value: true), .init(label: "Don't stay signed in", value: false)])
        ])
      page = IDXPage(forms: [form])
    case .success(let code):
      page = IDXPage()
      page.success = successForm(code, transaction)
    case .terminal(let message):
      page = IDXPage()
      page.messages = [message]
      page.isTerminal = true
    }
    if transaction.goal == .recover, !page.isTerminal, page.success == nil { page.recovery = ion(.password) }
    return page
  }

  private func firstPage(_ transaction: IDXTransaction) -> IDXPage {
    var fields = [IonField.input("identifier", "Username")]
    if policy.passwordOnFirstPage {
      fields.append(.group("credentials", [.input("passcode", "Password", secret: true)]))
    }
    if policy.remembersDevice, configuration.allowRememberDevice {
      fields.append(.flag("rememberMe", "Keep me signed in"))
    }
    if let captcha = policy.captcha { fields.append(captcha.field) }
    var page = IDXPage(forms: [IonForm("identify", .identify, fields)])
    if !policy.registration.isEmpty { page.forms.append(IonForm("select-enroll-profile", .enroll)) }
    if policy.unlock, configuration.selfServiceUnlock { page.forms.append(IonForm("unlock-account", .unlock)) }
    for provider in policy.identityProviders {
      var form = IonForm(
        "redirect-idp", href: "\(baseURL)/sso/idps/\(provider.id)?stateToken=\(transaction.handle)", method: "GET")
      form.more = [
        .init("type", .string(provider.service)),
        .init("idp", ["id": .string(provider.id), "name": .string(provider.name)]),
      ]
      page.forms.append(form)
    }
    if let challenge = transaction.autofillChallenge {
      let parts =
        Self.assertionFields + [
          IonField(name: "userHandle", label: "User Handle", required: false, visible: false)
        ]
      page.forms.append(
        IonForm(
          "challenge-webauthn-autofillui-authenticator", .answerAutofill, [.group("credentials", parts)],
          relatesTo: "webauthnAutofillUIChallenge"))
      page.more = [
        .init(
          "webauthnAutofillUIChallenge",
          ["type": "object", "value": ["challengeData": challengeData(challenge)]])
      ]
    }
    if policy.passwordOnFirstPage {
      var password = ion(.password)
      if policy.recovery { password.actions = [IonForm("recover", .recover)] }
      page.current = password
    }
    if let captcha = policy.captcha { page.more.append(.init("captcha", ["type": "object", "value": captcha.json])) }
    return page
  }

  private func unlockPage() -> IDXPage {
    let list: [OrgAuthenticator] = [.email, .phone]
    let options = list.enumerated().map { index, authenticator in
      IonField.Option(
        label: authenticator.displayName, form: choiceFields(authenticator, authenticator.methods),
        relatesTo: "$.authenticatorEnrollments.value[\(index)]")
    }
    let form = IonForm(
      "select-authenticator-unlock-account", .challenge,
      [.input("identifier", "Username"), IonField(name: "authenticator", type: "object", options: options)])
    var page = IDXPage(forms: [form, IonForm("select-identify", .selectIdentify)])
    page.authenticators = list.map { ion($0) }
    page.enrollments = list.map { IonAuthenticator(authenticator: $0, methods: $0.methods) }
    return page
  }

  private func registrationPage() -> IDXPage {
    var fields = [IonField(name: "userProfile", form: policy.registration.map(Self.input))]
    var page = IDXPage()
    if policy.registersPassword {
      var password = IonField.group("credentials", [.input("passcode", "Enter password", secret: true)])
      password.relatesTo = "$.currentAuthenticator"
      fields.append(password)
      var current = ion(.password)
      current.settings = passwordSettings()
      page.current = current
    }
    page.forms = [IonForm("enroll-profile", .enrollNew, fields), IonForm("select-identify", .selectIdentify)]
    return page
  }

  private static func input(_ field: OrgPolicy.ProfileField) -> IonField {
    .input(field.name, field.label, required: field.required)
  }

  private func profilePage(_ transaction: IDXTransaction) -> IDXPage {
    let missing = transaction.login.flatMap { accounts[$0] }.map(missingProfile) ?? []
    let fields = [IonField(name: "userProfile", form: missing.map(Self.input))]
    var page = IDXPage(forms: [IonForm("profile-update", .enrollNew, fields)])
    if !missing.contains(where: \.required) { page.forms.append(IonForm("skip", .skip)) }
    return page
  }

  private func passwordPage(_ why: IDXStep.NewPassword, _ transaction: IDXTransaction) -> IDXPage {
    var parts = [IonField.input("passcode", "New password", secret: true)]
    if why == .reset { parts.append(.flag("revokeSessions", "Sign me out of all other devices", value: false)) }
    var page = IDXPage(forms: [
      IonForm(why.rawValue, .answer, [.group("credentials", parts)], relatesTo: "$.currentAuthenticator")
    ])
    var current = ion(.password)
    let account = transaction.login.flatMap { accounts[$0] }
    let days = why == .reset ? nil : account.flatMap(daysLeft)
    current.settings = passwordSettings(daysLeft: days)
    page.current = current
    page.isEnrolling = true
    page.authenticators = []
    page.enrollments = account.map { enrolled($0).map(ion) }
    if why == .expiring {
      page.forms.append(IonForm("skip", .skip))
      page.messages = [.passwordExpires(transaction.interest.client.label)]
    }
    return page
  }

  private func consentPage(_ consent: OrgPolicy.Consent, _ transaction: IDXTransaction) -> IDXPage {
    let isMail = consent == .email
    var fields = [
      IonField(
        name: "consent", type: "boolean", required: true,
        options: [
          .init(label: isMail ? "Allow" : "Allow Access", value: true),
          .init(label: isMail ? "Deny" : "Don't Allow", value: false),
        ])
    ]
    let scopes = transaction.interest.scopes
    if consent == .granular {
      fields.append(
        IonField(
          name: "optedScopes", type: "object",
          form: scopes.map { IonField(name: $0, label: $0, type: "boolean", value: true, mutable: $0 != "openid") }))
    }
    var form = IonForm(consent.rawValue, .consent, fields)
    if isMail {
      form.more = [
        .init(
          "requestInfo",
          [
            [
              "name": "appName", "type": "string", "label": "Application",
              "value": .string(transaction.interest.client.label),
            ],
            ["name": "browser", "type": "string", "label": "Browser", "value": "UNKNOWN"],
          ])
      ]
    } else {
      form.more = [
        .init(
          "scopes",
          .array(
            scopes.map {
              ["name": .string($0), "label": .string("Use \($0)."), "value": .string($0), "desc": .string($0)]
            }))
      ]
    }
    return IDXPage(forms: [form])
  }

  private func successForm(_ code: String, _ transaction: IDXTransaction) -> IonForm {
    var form = IonForm("issue", href: baseURL + transaction.interest.server + "/v1/token", method: "POST")
    form.accepts = "application/x-www-form-urlencoded"
    form.carriesHandle = false
    form.fields = [
      IonField(name: "grant_type", label: "Grant Type", value: "interaction_code", required: true),
      IonField(name: "interaction_code", label: "Interaction Code", value: .string(code), required: true),
      IonField(
        name: "client_id", label: "Client Id", value: .string(transaction.interest.client.id), required: true),
      IonField(name: "code_verifier", label: "Code Verifier", required: true),
    ]
    return form
  }
}
