// The requests of a flow (idx §2.3, §2.4, §3): where they go and what they carry, secrets as placeholders.

import EventStore
import FlowRecording

/// A request, but for the headers that all have.
struct IDXPlan: Equatable {
  var method = "POST"
  var url: String
  var accept = IDXVocabulary.ion
  var contentType: String?
  var body: JSON?
  var encoding = RequestSent.Encoding.json

  /// The methods that carry a form. TRACE, CONNECT and what is no word of HTTP are none.
  private static let methods: Set<String> = ["POST", "PUT", "PATCH", "DELETE"]

  static let json = "application/json; charset=UTF-8"
  static let formData = "application/x-www-form-urlencoded; charset=UTF-8"

  /// A form with what was filled in.
  ///
  /// - Throws: `IDXRefusal`: the form cannot be sent, or a field is not right. Nothing has been sent then.
  static func submission(
    of form: FormReading, _ fills: FormFills, in core: IDXCore
  ) throws(IDXRefusal) -> IDXPlan {
    let method = form.method?.uppercased() ?? "POST"
    guard method != "GET" else { throw .browserForm(form.name ?? "") }
    guard methods.contains(method) else {
      throw .invalidRequest("the form asks for a method that no form is sent with")
    }
    let body = try FormSubmission(fills).body(of: form)
    let url = try core.allowed(form.href, carriesEntries: fills.fills.values.contains { $0.value != nil })
    let type = form.accepts.flatMap { $0.isEmpty ? nil : $0 } ?? IDXVocabulary.ion
    guard isHeaderValue(type) else {
      throw .invalidRequest("the form asks for a content type that no header can carry")
    }
    let isForm = type.lowercased().utf8.starts(with: IDXVocabulary.form.utf8)
    return IDXPlan(
      method: method, url: url, contentType: type, body: body.sorted, encoding: isForm ? .form : .json)
  }

  static func interact(_ core: IDXCore, _ pending: IDXCore.Context, _ options: JSON) throws(IDXRefusal) -> IDXPlan {
    let settings = core.settings
    let url = try core.own(core.interactURL)
    var members: [(String, JSON?)] = [
      ("client_id", .string(settings.clientID)), ("scope", .string(settings.scope)),
      ("redirect_uri", .string(settings.redirectURI)), ("code_challenge", pending.challenge.map(JSON.string)),
      ("code_challenge_method", "S256"), ("state", pending.state.map(JSON.string)),
      ("client_secret", settings.clientSecret.map(JSON.string)),
    ]
    for name in IDXVocabulary.interactOptions.sorted() { members.append((name, options[name])) }
    for member in (options["parameters"]?.object?.members ?? []) + settings.parameters {
      // What the protocol says itself cannot be overridden, and what `start` was given counts more.
      guard !members.contains(where: { $0.0 == member.key && $0.1 != nil }) else { continue }
      members.append((member.key, member.value))
    }
    return IDXPlan(
      url: url, accept: json, contentType: formData, body: JSON.members(members).sorted, encoding: .form)
  }

  static func introspect(_ core: IDXCore, _ handle: String) throws(IDXRefusal) -> IDXPlan {
    IDXPlan(
      url: try core.own(core.introspectURL), contentType: json, body: ["interactionHandle": .string(handle)])
  }

  static func discovery(_ core: IDXCore) throws(IDXRefusal) -> IDXPlan {
    IDXPlan(method: "GET", url: try core.own(core.discoveryURL), accept: json)
  }

  /// The exchange that the success form describes (§2.4, 1).
  static func exchange(of form: FormReading?, in core: IDXCore) throws(IDXRefusal) -> IDXPlan {
    guard let form, form.name == IDXVocabulary.issue else { throw .successResponseMissing }
    guard let verifier = core.context?.verifier else { throw .invalidContext }
    var members = JSONObject()
    for field in form.fields {
      if let name = field.name, let value = field.value { members[name] = value }
    }
    if let client = members["client_id"]?.string, client != core.settings.clientID, !client.contains("$secret.") {
      throw .invalidParameter("client_id")
    }
    guard members["interaction_code"]?.string != nil else { throw .missingParameter("interaction_code") }
    return IDXPlan(token: try core.allowed(form.href, carriesEntries: true), members, verifier, core)
  }

  /// The exchange of the code of a redirect (§2.4, 2): under its own name, never as `code`.
  static func exchange(of code: String, at endpoint: String?, in core: IDXCore) throws(IDXRefusal) -> IDXPlan {
    guard let verifier = core.context?.verifier else { throw .invalidContext }
    var members = JSONObject()
    members["interaction_code"] = .string(code)
    members["redirect_uri"] = .string(core.settings.redirectURI)
    return IDXPlan(token: try core.allowed(endpoint, carriesEntries: true), members, verifier, core)
  }

  private init(token url: String, _ members: JSONObject, _ verifier: String, _ core: IDXCore) {
    var members = members
    if members["grant_type"] == nil { members["grant_type"] = "interaction_code" }
    members["client_id"] = .string(core.settings.clientID)
    members["client_secret"] = core.settings.clientSecret.map(JSON.string)
    members["code_verifier"] = .string(verifier)
    self.url = url
    accept = Self.json
    contentType = Self.formData
    body = JSON.object(members).sorted
    encoding = .form
  }

  private init(
    method: String = "POST", url: String, accept: String = IDXVocabulary.ion, contentType: String? = nil,
    body: JSON? = nil, encoding: RequestSent.Encoding = .json
  ) {
    self.method = method
    self.url = url
    self.accept = accept
    self.contentType = contentType
    self.body = body
    self.encoding = encoding
  }

  /// Whether a text can stand in a header. It is sent as the org writes it, media type or not (§3).
  private static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
