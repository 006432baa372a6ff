// An application's listener sees each request before it is recorded and sent, and may change it. What it answers is a
// draw: the log has the request as it left, and a replay needs no listener.

import EventStore

/// Turns a listener's answer into the value of a draw, and that value into the request that is sent.
struct RequestListening {
  let masker: Masker

  /// The value of the draw: null if the listener changed nothing, else the request, secrets replaced.
  func answer(
    of listener: @Sendable (HTTPRequest) -> HTTPRequest, to request: RequestSent, vault: inout Vault
  ) -> JSON {
    let asked = request.revealed(by: vault)
    var answer = listener(asked)
    guard answer != asked else { return .null }
    // Twice: once all secrets of the answer are known, each is found in every part of it.
    _ = recorded(answer, to: request, asked, &vault)
    // A method that is none, or has a secret in it, cannot be recorded, and the one asked about is kept.
    if !stays(answer.method, vault) { answer.method = asked.method }
    return recorded(answer, to: request, asked, &vault).data
  }

  /// Whether a name may stand readable. A short secret is not looked for in it: it would show what that is.
  private func stays(_ name: String, _ vault: Vault) -> Bool {
    WordForm.isIdentifier(name) && !vault.hasLongSecret(in: name)
  }

  private func recorded(
    _ answer: HTTPRequest, to request: RequestSent, _ asked: HTTPRequest, _ vault: inout Vault
  ) -> RequestSent {
    let url =
      answer.url == asked.url ? request.url : URLMasking.rewrite(answer.url, policy: masker.policy, vault: &vault)
    let headers = answer.headers.map { field in
      zip(asked.headers, request.headers).first { $0.0 == field }?.1
        ?? HTTPField(
          stays(field.name, vault)
            ? field.name : vault.placeholder(for: .string(field.name), kind: "key"),
          field.value.isEmpty ? "" : vault.placeholder(for: .string(field.value), kind: "header"))
    }
    // A query stands in the URL: a listener that changes that has changed it as well.
    let isQuery = request.encoding == .query
    let body: JSON? =
      if isQuery {
        answer.url == asked.url ? request.body : nil
      } else {
        answer.body == asked.body ? request.body : masked(answer.body, instead: request.body, &vault)
      }
    // Another origin as it stands in the masked URL; of one that went as a whole there is none.
    let isSame = URLParts(answer.url)?.origin == URLParts(asked.url)?.origin
    let origin = URLParts(isSame ? asked.url : url)?.origin
    let foreign = origin == URLParts(asked.url)?.origin ? request.foreignOrigin : origin
    return RequestSent(
      method: answer.method, url: url, headers: headers, body: body, encoding: request.encoding, foreignOrigin: foreign
    )
  }

  /// The request of a draw's value; the one asked about if the value is none.
  func request(_ value: JSON, instead request: RequestSent) -> RequestSent {
    (try? RequestSent(data: value)) ?? request
  }

  /// A changed body: members that stayed keep their masked form, others are secrets, since nothing declares them. A
  /// body that is no JSON object cannot be recorded, and the one asked about is kept.
  private func masked(_ bytes: [UInt8]?, instead body: JSON?, _ vault: inout Vault) -> JSON? {
    guard let bytes else { return nil }
    guard let json = try? JSON(parsing: bytes), let object = json.object else { return body }
    return .object(
      JSONObject(
        object.members.map { member in
          if let kept = body?[member.key], vault.reveal(kept) == member.value {
            return JSONObject.Member(key: member.key, value: kept)
          }
          return masker.maskUndeclared(member, into: &vault)
        }))
  }
}

extension RequestSent {
  /// The request as it leaves, secrets in their real form.
  func revealed(by vault: Vault) -> HTTPRequest {
    let url = vault.reveal(url)
    let real = body.map { vault.reveal($0) }
    let bytes: [UInt8]? =
      switch encoding {
      case .json: real?.bytes
      case .form: real.map(FormEncoding.bytes)
      case .query: nil
      }
    return HTTPRequest(
      method: method, url: encoding == .query ? FormEncoding.url(url, query: real ?? [:]) : url,
      headers: headers.map { HTTPField(vault.reveal($0.name), vault.reveal($0.value)) }, body: bytes)
  }
}
