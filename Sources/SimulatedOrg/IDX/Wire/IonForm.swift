// Forms: what may be done next, and where to send it (idx.md §4.1).

/// A remediation or an authenticator's action.
struct IonForm {
  var name: String
  /// Where it goes; a form of another page (`redirect-idp`, `issue`) has `href` instead.
  var operation: IDXOperation?
  var href: String?
  var method = "POST"
  var fields: [IonField] = []
  var relatesTo: [String] = []
  var refresh: Int?
  var accepts: String? = "application/json; okta-version=1.0.0"
  var carriesHandle = true
  var more: [OrgJSON.Member] = []

  init(_ name: String, _ operation: IDXOperation, _ fields: [IonField] = [], relatesTo: String? = nil) {
    self.name = name
    self.operation = operation
    self.fields = fields
    self.relatesTo = relatesTo.map { [$0] } ?? []
  }

  /// A form with its own address.
  init(_ name: String, href: String, method: String) {
    self.name = name
    self.href = href
    self.method = method
  }

  /// The same form, asking to come again after so many milliseconds.
  func refreshing(_ milliseconds: Int) -> Self {
    var form = self
    form.refresh = milliseconds
    return form
  }

  func json(base: String, handle: String, messages: [String: IonMessage] = [:]) -> OrgJSON {
    var json: OrgJSON = ["rel": ["create-form"], "name": .string(name)]
    if !relatesTo.isEmpty { json["relatesTo"] = .array(relatesTo.map(OrgJSON.string)) }
    json["href"] = .string(href ?? base + (operation?.path ?? ""))
    json["method"] = .string(method)
    for member in more { json[member.name] = member.value }
    guard method == "POST" else { return json }
    if carriesHandle { json["produces"] = .string(IDXReply.ion) }
    if let refresh { json["refresh"] = .int(refresh) }
    var values = fields.map { $0.json(messages) }
    if carriesHandle { values.append(IonField.fixed("stateHandle", .string(handle), visible: false).json([:])) }
    json["value"] = .array(values)
    if let accepts { json["accepts"] = .string(accepts) }
    return json
  }
}
