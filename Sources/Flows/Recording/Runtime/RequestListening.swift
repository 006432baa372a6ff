// An application's listener sees each request before it is recorded and sent, and may change it. Its answer is a draw:
// the log has the request as it was sent, and a replay needs no listener.

import EventStore

/// Converts a listener's answer to the value of a draw, and that value to the request that is sent.
struct RequestListening {
  let masker: Masker

  /// The value of the draw: null if the listener changed nothing, otherwise the request with secrets replaced.
  func answer(
    of listener: @Sendable (HTTPRequest) -> HTTPRequest, to request: RequestSent, vault: inout Vault
  ) -> JSON {
    let asked = request.revealed(by: vault)
    var answer = listener(asked)
    guard answer != asked else { return .null }
    // Twice, because after all secrets of the answer are known, each is found in every part of it.
    _ = recorded(answer, to: request, asked, &vault)
    // A method that is invalid or contains a secret cannot be recorded, so the original one is kept.
    if !stays(answer.method, vault) { answer.method = asked.method }
    return recorded(answer, to: request, asked, &vault).data
  }

  /// Whether a name may stay readable. It is not searched for short secrets, because replacing one would reveal it.
  private func stays(_ name: String, _ vault: Vault) -> Bool {
    WordForm.isIdentifier(name) && !vault.hasLongSecret(in: name)
  }

  private func recorded(
    _ answer: HTTPRequest, to request: RequestSent, _ asked: HTTPRequest, _ vault: inout Vault
  ) -> RequestSent {
    let url =
      answer.url == asked.url ? request.url : URLMasking.rewrite(answer.url, policy: masker.policy, vault: &vault)
    for field in answer.headers where !asked.headers.contains(field) {
      for secret in field.credentials where !secret.isEmpty {
        _ = vault.placeholder(for: .string(secret), kind: "authorization", taints: secret.utf8.count >= 4)
      }
      for cookie in field.cookies { cookie.addValue(as: "sentCookie", to: &vault) }
    }
    let headers = answer.headers.map { field in
      zip(asked.headers, request.headers).first { $0.0 == field }?.1
        ?? HTTPField(
          stays(field.name, vault)
            ? field.name : vault.placeholder(for: .string(field.name), kind: "key"),
          field.value.isEmpty ? "" : vault.placeholder(for: .string(field.value), kind: "header"))
    }
    // A query is part of the URL: a listener that changes the URL has changed it as well.
    let isQuery = request.encoding == .query
    let body: JSON? =
      if isQuery {
        answer.url == asked.url ? request.body : nil
      } else {
        answer.body == asked.body ? request.body : masked(answer.body, instead: request.body, &vault)
      }
    // The other origin as in the masked URL; none if the URL was masked as a whole.
    let isSame = URLParts(answer.url)?.origin == URLParts(asked.url)?.origin
    let origin = URLParts(isSame ? asked.url : url)?.origin
    let foreign = origin == URLParts(asked.url)?.origin ? request.foreignOrigin : origin
    return RequestSent(
      method: answer.method, url: url, headers: headers, body: body, encoding: request.encoding, foreignOrigin: foreign
    )
  }

  /// The request of a draw's value; the original one if the value is not a request.
  func request(_ value: JSON, instead request: RequestSent) -> RequestSent {
    (try? RequestSent(data: value)) ?? request
  }

  /// A changed body: unchanged members keep their masked form, others are secrets, because they are undeclared. A body
  /// that is not a JSON object cannot be recorded, so the original one is kept.
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
  /// The request as it is sent, with secrets revealed.
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
