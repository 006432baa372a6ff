// Setting authenticators up, as the page shows it.

extension OrgState {
  func enrolmentPage(_ transaction: IDXTransaction) -> IDXPage {
    guard let account = transaction.login.flatMap({ accounts[$0] }) else { return IDXPage() }
    let open = openEnrolments(transaction, account)
    var page = IDXPage()
    page.authenticators = open.map { ion($0.authenticator) }
    page.enrollments = enrolled(account).map(ion)
    switch transaction.step {
    case .enrolmentData(let authenticator):
      let field = IonField.group(
        "authenticator",
        [
          .fixed("id", .string(authenticatorID(authenticator)), visible: false),
          .choice(
            "methodType", authenticator.methods.map { (OrgAuthenticator.label(ofMethod: $0), $0) }, required: true),
          IonField(name: "phoneNumber", label: "Phone number", type: "string", required: true),
        ])
      page.forms = [
        IonForm("authenticator-enrollment-data", .credentialEnroll, [field], relatesTo: "$.currentAuthenticator")
      ]
      page.current = ion(authenticator)
    case .channelData(let channel):
      let field: IonField =
        channel == "email" ? .input("email", "Email") : .input("phoneNumber", "Phone number")
      page.forms = [IonForm("enrollment-channel-data", .send, [field]), channelForm()]
      var current = ion(.oktaVerify)
      current.contextualData = ["selectedChannel": .string(channel)]
      page.current = current
    case .enrolling(let enrolling): add(enrolling, account, &page)
    default: break
    }
    page.isEnrolling = page.current != nil
    page.forms.append(selectEnrolmentForm(open.map(\.authenticator)))
    if !open.contains(where: \.required) { page.forms.append(IonForm("skip", .skip)) }
    return page
  }

  private func selectEnrolmentForm(_ open: [OrgAuthenticator]) -> IonForm {
    let options = open.enumerated().map { index, authenticator in
      var fields = [IonField.fixed("id", .string(authenticatorID(authenticator)))]
      switch authenticator {
      case .oktaVerify: fields.append(.choice("channel", Self.channels))
      case .phone:
        fields.append(
          .choice("methodType", authenticator.methods.map { (OrgAuthenticator.label(ofMethod: $0), $0) }))
        fields.append(IonField(name: "phoneNumber", label: "Phone number", type: "string", required: false))
      default: fields.append(.fixed("methodType", .string(authenticator.methods[0]), required: false))
      }
      return IonField.Option(
        label: authenticator.displayName, form: fields, relatesTo: "$.authenticators.value[\(index)]")
    }
    return IonForm(
      "select-authenticator-enroll", .credentialEnroll,
      [IonField(name: "authenticator", type: "object", options: options)])
  }

  private static let channels: [(label: String, value: String)] = [
    ("QRCODE", "qrcode"), ("EMAIL", "email"), ("SMS", "sms"),
  ]

  private func channelForm() -> IonForm {
    let fields: [IonField] = [
      .fixed("id", .string(authenticatorID(.oktaVerify))), .choice("channel", Self.channels),
    ]
    let field = IonField(
      name: "authenticator", label: "Okta Verify", type: "object",
      value: ["form": ["value": .array(fields.map { $0.json([:]) })]])
    return IonForm("select-enrollment-channel", .credentialEnroll, [field])
  }

  private func add(_ enrolling: IDXEnrolling, _ account: Account, _ page: inout IDXPage) {
    var current = ion(enrolling.authenticator)
    var fields: [IonField] = [.input("passcode", "Enter code")]
    switch enrolling.kind {
    case .sent:
      current.methods = [enrolling.method]
      current.actions = [IonForm("resend", .resend)]
      if enrolling.authenticator == .email {
        current.contextualData = ["useEmailMagicLink": .bool(policy.emailMagicLink)]
        if policy.emailMagicLink { current.actions.append(IonForm("poll", .poll).refreshing(4000)) }
      } else {
        current.profile = enrolling.address.map { ["phoneNumber": .string(Mask.phone($0))] }
      }
    case .timeCode(let secret):
      current.contextualData = ["qrcode": Self.qrCode, "sharedSecret": .string(secret)]
    case .typed where enrolling.authenticator == .password:
      current.settings = passwordSettings()
      fields = [.input("passcode", "Enter password", secret: true)]
    case .typed:
      current.contextualData = questions
      page.forms = [IonForm("enroll-authenticator", .answer, [questionField], relatesTo: "$.currentAuthenticator")]
      page.current = current
      return
    case .push(_, let channel, _):
      var data: OrgJSON = ["selectedChannel": .string(channel)]
      switch channel {
      case "email": data["email"] = enrolling.address.map(OrgJSON.string)
      case "sms": data["phoneNumber"] = enrolling.address.map(OrgJSON.string)
      default: data["qrcode"] = Self.qrCode
      }
      current.contextualData = data
      page.forms = [IonForm("enroll-poll", .poll).refreshing(4000), channelForm()]
      page.current = current
      return
    case .signed(let challenge):
      current.contextualData = ["activationData": activationData(challenge, account)]
      fields = [
        IonField(name: "attestation", label: "Attestation", required: true, visible: false),
        IonField(name: "clientData", label: "Client Data", required: true, visible: false),
      ]
    case .duo(let token):
      current.contextualData = duoData(token)
      fields = [IonField(name: "signatureData", label: "Assertion From Duo", required: true, visible: false)]
    }
    page.forms = [
      IonForm("enroll-authenticator", .answer, [.group("credentials", fields)], relatesTo: "$.currentAuthenticator")
    ]
    page.current = current
  }

  private var questionField: IonField {
    let known = IonField(
      name: "questionKey", label: "Choose a security question", type: "string", required: true,
      options: SecurityQuestion.all.map { .init(label: $0.text, value: .string($0.key)) })
    let answer = IonField.input("answer", "Answer", secret: true)
    return IonField(
      name: "credentials", type: "object", required: true,
      options: [
        .init(label: "Choose a security question", form: [known, answer]),
        .init(
          label: "Create my own security question",
          form: [.fixed("questionKey", "custom"), .input("question", "Create a security question"), answer]),
      ])
  }

  private var questions: OrgJSON {
    [
      "questionKeys": .array((SecurityQuestion.all.map(\.key) + ["custom"]).map(OrgJSON.string)),
      "questions": .array(
        SecurityQuestion.all.map { ["questionKey": .string($0.key), "question": .string($0.text)] }),
    ]
  }

  private func activationData(_ challenge: String, _ account: Account) -> OrgJSON {
    [
      "rp": ["name": "Acme"],
      "user": [
        "displayName": .string("\(account.user.firstName) \(account.user.lastName)"),
        "name": .string(account.user.login), "id": .string(account.id),
      ],
      "pubKeyCredParams": [["type": "public-key", "alg": -7]], "challenge": .string(challenge),
      "attestation": "direct",
      "authenticatorSelection": ["userVerification": "preferred", "requireResidentKey": false],
      "u2fParams": ["appid": .string(baseURL)], "excludeCredentials": [], "extensions": ["credProps": true],
    ]
  }

  /// A picture of one dot: the secret beside it says what a scan would.
  static let qrCode: OrgJSON = [
    "method": "embedded",
    "href": .string(
      "data:image/png;base64,"
        + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="),
    "type": "image/png",
  ]
}
