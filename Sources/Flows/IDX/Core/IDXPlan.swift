// The requests of a flow (idx §2.3, §2.4, §3): their addresses and contents, with placeholders for secrets.

import EventStore
import FlowRecording

/// The requests of a flow of the Identity Engine.
enum IDXPlan {
  /// The methods that may carry a form. TRACE, CONNECT, and anything that is not an HTTP method are excluded.
  private static let methods: Set<String> = ["POST", "PUT", "PATCH", "DELETE"]

  static let json = "application/json; charset=UTF-8"
  static let formData = "application/x-www-form-urlencoded; charset=UTF-8"

  /// The request that submits a form with the values filled in.
  ///
  /// - Throws: `Refusal` if the form cannot be sent or a field is not valid. In that case, nothing has been sent.
  static func submission(
    of form: FormReading, _ fills: FormFills, in core: IDXCore
  ) throws(Refusal) -> RequestPlan {
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
    return RequestPlan(
      method: method, url: url, accept: IDXVocabulary.ion, contentType: type, body: body,
      encoding: isForm ? .form : .json)
  }

  static func interact(_ core: IDXCore, _ pending: IDXCore.Context, _ options: JSON) throws(Refusal) -> RequestPlan {
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
      // Parameters of the protocol cannot be overridden, and the arguments of `start` take precedence.
      guard !members.contains(where: { $0.0 == member.key && $0.1 != nil }) else { continue }
      members.append((member.key, member.value))
    }
    return RequestPlan(url: url, accept: json, contentType: formData, body: .members(members), encoding: .form)
  }

  static func introspect(_ core: IDXCore, _ handle: String) throws(Refusal) -> RequestPlan {
    RequestPlan(
      url: try core.own(core.introspectURL), accept: IDXVocabulary.ion, contentType: json,
      body: ["interactionHandle": .string(handle)])
  }

  static func discovery(_ core: IDXCore) throws(Refusal) -> RequestPlan {
    RequestPlan(method: "GET", url: try core.own(core.discoveryURL), accept: json)
  }

  /// The request for the server's keys, at the address in its metadata.
  static func keys(_ metadata: JSON, in core: IDXCore) throws(Refusal) -> RequestPlan {
    guard let url = metadata["jwks_uri"]?.string else {
      throw .invalidResponse("the server's metadata name no place of its keys")
    }
    return RequestPlan(method: "GET", url: try core.allowed(url), accept: json)
  }

  /// The exchange that the success form describes (§2.4, 1).
  static func exchange(of form: FormReading?, in core: IDXCore) throws(Refusal) -> RequestPlan {
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
    return exchange(at: try core.allowed(form.href, carriesEntries: true), members, verifier, core)
  }

  /// The exchange of a redirect's code (§2.4, 2), which is sent under its own name, never as `code`.
  static func exchange(of code: String, at endpoint: String?, in core: IDXCore) throws(Refusal) -> RequestPlan {
    guard let verifier = core.context?.verifier else { throw .invalidContext }
    var members = JSONObject()
    members["interaction_code"] = .string(code)
    members["redirect_uri"] = .string(core.settings.redirectURI)
    return exchange(at: try core.allowed(endpoint, carriesEntries: true), members, verifier, core)
  }

  private static func exchange(
    at url: String, _ members: JSONObject, _ verifier: String, _ core: IDXCore
  ) -> RequestPlan {
    var members = members
    if members["grant_type"] == nil { members["grant_type"] = "interaction_code" }
    members["client_id"] = .string(core.settings.clientID)
    members["client_secret"] = core.settings.clientSecret.map(JSON.string)
    members["code_verifier"] = .string(verifier)
    return RequestPlan(url: url, accept: json, contentType: formData, body: .object(members), encoding: .form)
  }

  /// Whether text can be used in a header. It is sent as the org wrote it, whether or not it is a media type (§3).
  private static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
