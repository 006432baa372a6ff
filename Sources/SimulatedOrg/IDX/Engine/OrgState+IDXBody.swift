// The response of a step as JSON (idx.md §4).

extension OrgState {
  /// The whole response: what the step shows, with the messages of a refused request.
  func body(of transaction: IDXTransaction, _ refusal: IDXRefusal? = nil) -> OrgJSON {
    let page = page(of: transaction)
    let (base, handle) = (baseURL, transaction.handle)
    let fields = refusal?.fields ?? [:]
    var body: OrgJSON = [
      "version": "1.0.0", "stateHandle": .string(handle), "expiresAt": .string(transaction.expires.iso8601),
      "intent": "LOGIN",
    ]
    if !page.forms.isEmpty {
      // Only the form that was sent has fields with messages: the first one that knows the field.
      body["remediation"] = [
        "type": "array",
        "value": .array(
          page.forms.enumerated().map { index, form in
            form.json(base: base, handle: handle, messages: index == 0 ? fields : [:])
          }),
      ]
    }
    var messages = page.messages + (refusal?.messages ?? [])
    // A message about a field that is not shown belongs to the whole step.
    let shown = page.forms.first.map { Set($0.paths) } ?? []
    messages += fields.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
    if !messages.isEmpty { body["messages"] = IonMessage.list(messages) }
    func put(_ name: String, _ authenticator: IonAuthenticator?) {
      guard let authenticator else { return }
      body[name] = ["type": "object", "value": authenticator.json(base: base, handle: handle)]
    }
    func put(_ name: String, _ list: [IonAuthenticator]?) {
      guard let list else { return }
      body[name] = ["type": "array", "value": .array(list.map { $0.json(base: base, handle: handle) })]
    }
    put("currentAuthenticator", page.current)
    put("currentAuthenticatorEnrollment", page.currentEnrollment)
    put("recoveryAuthenticator", page.recovery)
    put("authenticators", page.authenticators)
    put("authenticatorEnrollments", page.enrollments)
    if page.isEnrolling, let current = page.current {
      put("enrollmentAuthenticator", ion(current.authenticator, methods: current.methods))
    }
    for member in page.more { body[member.name] = member.value }
    if let user = user(transaction) { body["user"] = ["type": "object", "value": user] }
    if !page.isTerminal { body["cancel"] = IonForm("cancel", .cancel).json(base: base, handle: handle) }
    body["app"] = [
      "type": "object",
      "value": [
        "name": "oidc_client", "label": .string(transaction.interest.client.label),
        "id": .string(transaction.interest.client.id),
      ],
    ]
    body["authentication"] = ["type": "object", "value": authentication(transaction.interest)]
    if let success = page.success { body["successWithInteractionCode"] = success.json(base: base, handle: handle) }
    return body
  }

  private func authentication(_ interest: IDXInterest) -> OrgJSON {
    [
      "protocol": "OAUTH2.0",
      "issuer": ["name": "default", "uri": .string(issuer(interest.server))],
      "request": [
        "max_age": -1, "scope": .string(interest.scopes.joined(separator: " ")), "response_type": "code",
        "redirect_uri": .string(interest.redirectURI), "state": .string(interest.state),
        "code_challenge_method": "S256", "code_challenge": .string(interest.challenge), "response_mode": "query",
      ],
    ]
  }

  /// The user, as far as the org reveals it: the name as typed, and more once an authenticator has been verified.
  private func user(_ transaction: IDXTransaction) -> OrgJSON? {
    guard let identifier = transaction.identifier else { return nil }
    let isProved = !transaction.verified.isEmpty || transaction.isFederated
    guard isProved, let account = transaction.login.flatMap({ accounts[$0] }) else {
      return ["identifier": .string(identifier)]
    }
    return [
      "id": .string(account.id), "identifier": .string(account.user.login),
      "profile": [
        "firstName": .string(account.user.firstName), "lastName": .string(account.user.lastName),
        "timeZone": "America/Los_Angeles", "locale": "en_US",
      ],
    ]
  }
}

extension IonForm {
  /// The dotted paths of its fields.
  var paths: [String] { Self.paths(fields, below: "") }

  private static func paths(_ fields: [IonField], below prefix: String) -> [String] {
    fields.flatMap { field -> [String] in
      let path = prefix.isEmpty ? field.name : "\(prefix).\(field.name)"
      let inner = (field.options ?? []).enumerated().flatMap { index, option in
        paths(option.form, below: "\(path)[\(index)]")
      }
      return [path] + paths(field.form ?? [], below: path) + inner
    }
  }
}
