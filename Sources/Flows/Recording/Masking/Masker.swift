// Converts the inputs of a flow to what may be written: every secret is replaced by its placeholder. All secrets of a
// message are collected before any of it is written, so that a secret declared in a later part is also replaced in
// earlier parts (`MaskingDescent`).

import EventStore

/// Masks the inputs of one flow, by its policy, into its vault.
struct Masker {
  let policy: MaskingPolicy

  /// A value masked by a schema.
  func mask(_ json: JSON, as schema: WireSchema, into vault: inout Vault) -> JSON {
    var descent = MaskingDescent(policy: policy)
    let masked = descent.visit(json, schema, &vault)
    guard !descent.isSettled(&vault) else { return masked ?? json }
    return descent.visit(json, schema, &vault) ?? json
  }

  /// The result of a draw, masked by its schema, or as a whole without one.
  func mask(
    _ result: Result<JSON, DrawFailure>, as schema: WireSchema?, into vault: inout Vault
  ) -> Result<JSON, DrawFailure> {
    switch result {
    case .success(let value): return .success(mask(value, as: schema ?? .undeclared, into: &vault))
    case .failure(let failure):
      if let detail = failure.detail { URLMasking.collect(inside: detail, vault: &vault) }
      return .failure(DrawFailure(failure.reason, failure.detail.map { vault.mask($0) }))
    }
  }

  /// The maximum nesting of recorded JSON: less than a record allows, because the record adds levels. Deeper parts are
  /// masked as one secret.
  static let maximumDepth = 200
  /// The maximum number of secrets in a response, and of secrets in a flow.
  static let (maximumSecrets, maximumOfFlow) = (10_000, 50_000)
  /// The maximum number of bytes of a response that are stored or searched.
  private static let maximumBytes = 4 << 20
  /// Responses up to this many bytes are within all limits: masking turns one byte into less than fifty.
  private static let surelyWithin = 16 << 10

  /// Masks a response: the recorded headers and the body. A response that costs too much, or whose record would be
  /// larger than `EventCoding.maximumResponse`, is recorded as opaque, and none of it is kept. Cookies that no jar
  /// stores are not recorded, but their values are secrets too.
  func mask(_ received: HTTPResponse, into vault: inout Vault) -> ResponseReceived {
    let (response, dropped) = received.splitAtCookieLimits
    let (head, rest) = (Self.bytes(of: response.headers), Self.bytes(of: dropped))
    if response.body.count + head + rest <= Self.surelyWithin,
      vault.count <= Self.maximumOfFlow - Self.maximumSecrets
    {
      return maskWhole(response, dropped, into: &vault)
    }
    if let masked = maskBounded(response, dropped, into: &vault) { return masked }
    let bare = HTTPResponse(
      status: response.status, headers: head <= Self.surelyWithin ? response.headers : [], timing: response.timing)
    var masked =
      maskBounded(bare, head + rest <= Self.surelyWithin ? dropped : [], into: &vault)
      ?? ResponseReceived(status: response.status, headers: [], body: .empty, timing: response.timing)
    masked.body = .opaque(
      reason: RecordedBody.tooLarge, length: response.body.count, placeholder: vault.placeholder(ofNothingKept: "body"))
    return masked
  }

  private static func bytes(of fields: [HTTPField]) -> Int {
    fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  private func maskBounded(
    _ response: HTTPResponse, _ dropped: [HTTPField], into vault: inout Vault
  ) -> ResponseReceived? {
    guard !RecordedBody.hasTooManyValues(response.body) else { return nil }
    var trial = vault
    trial.budget = MaskingBudget(
      secrets: min(Self.maximumSecrets, max(0, Self.maximumOfFlow - vault.count)), bytes: Self.maximumBytes)
    let masked = maskWhole(response, dropped, into: &trial)
    guard !trial.budget.isExceeded, EventCoding.size(of: .responseReceived(masked)) <= EventCoding.maximumResponse
    else {
      return nil
    }
    trial.budget = .unbounded
    vault = trial
    return masked
  }

  private func maskWhole(
    _ response: HTTPResponse, _ dropped: [HTTPField], into vault: inout Vault
  ) -> ResponseReceived {
    let fields = response.headers.compactMap { field in
      policy.headers[field.name.lowercased()].map { (field: field, schema: $0) }
    }
    let parsed = parse(response.body)
    var heads = MaskingDescent(policy: policy)
    for (field, schema) in fields { _ = heads.visit(header: field.value, schema, &vault) }
    // After those that are recorded, whose numbers do not depend on what is dropped.
    learn(dropped, &vault)
    var descent = MaskingDescent(policy: policy)
    var body: JSON?
    if case .json(let json) = parsed { body = descent.visit(json, policy.response, &vault) ?? json }
    heads.knowsAll = true
    let headers = fields.map { HTTPField($0.name, heads.visit(header: $0.value, $1, &vault)) }
    if case .json(let json) = parsed, !descent.isSettled(&vault) {
      body = descent.visit(json, policy.response, &vault) ?? json
    }
    return ResponseReceived(
      status: response.status, headers: headers, body: recorded(parsed, as: body, response.body, &vault),
      timing: response.timing)
  }

  /// Adds the values of cookies that are not recorded, if cookies are recorded at all. Short ones, of which there may
  /// be thousands, occur in other text.
  private func learn(_ cookies: [HTTPField], _ vault: inout Vault) {
    guard policy.headers["set-cookie"] != nil else { return }
    for field in cookies {
      guard let cookie = SetCookie(recorded: field.value), cookie.value.utf8.count >= NeedleIndex.longBytes else {
        continue
      }
      cookie.addValue(as: "droppedCookie", to: &vault)
    }
  }

  private enum Parsed {
    case empty
    case json(JSON)
    case malformed(String)
  }

  /// A byte order mark before the document is skipped (RFC 8259 §8.1).
  private func parse(_ bytes: [UInt8]) -> Parsed {
    let bytes = JSON.withoutMark(bytes)
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) { return .empty }
    do { return .json(try JSON(parsing: bytes)) } catch { return .malformed(error.description) }
  }

  private func recorded(
    _ parsed: Parsed, as masked: JSON?, _ bytes: [UInt8], _ vault: inout Vault
  ) -> RecordedBody {
    switch parsed {
    case .empty: return .empty
    case .json(let json): return .json(masked ?? json)
    case .malformed(let reason):
      // Bytes that are not UTF-8 are kept in the vault as Latin-1, one scalar a byte.
      let scalars = String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })
      let text = String(validating: bytes, as: UTF8.self) ?? String(scalars)
      let placeholder = vault.placeholder(for: .string(text), kind: "body", taints: false)
      return .opaque(reason: reason, length: bytes.count, placeholder: placeholder)
    }
  }

  /// Masks a member without a declaration, including its name.
  func maskUndeclared(_ member: JSONObject.Member, into vault: inout Vault) -> JSONObject.Member {
    let masked = mask(.object(JSONObject([member])), as: .object([:]), into: &vault)
    return masked.object?.members.first ?? member
  }
}
