// Turns what enters a flow into what may be written: every secret replaced by its placeholder. All secrets of a
// message are collected before any of it is written, so that one that is named below is already known above.

import EventStore

/// Masks the inputs of one flow, by its policy, into its vault.
struct Masker {
  let policy: MaskingPolicy

  /// A value that fits a schema, secrets replaced.
  func mask(_ json: JSON, as schema: WireSchema, into vault: inout Vault) -> JSON {
    collect(json, schema, into: &vault)
    return rewrite(json, schema, with: &vault)
  }

  /// What a draw came to, secrets replaced: as its schema has it, or all of it without one.
  func mask(
    _ result: Result<JSON, DrawFailure>, as schema: WireSchema?, into vault: inout Vault
  ) -> Result<JSON, DrawFailure> {
    switch result {
    case .success(let value): .success(mask(value, as: schema ?? .undeclared, into: &vault))
    case .failure(let failure): .failure(DrawFailure(failure.reason, failure.detail.map { vault.mask($0) }))
    }
  }

  /// How deep recorded JSON nests: below what a record may, which stands around it. What lies deeper goes as one secret.
  static let maximumDepth = 200
  /// How many values the body of a response may have, how many secrets it may bring, and how many a flow may know.
  static let (maximumValues, maximumSecrets, maximumOfFlow) = (100_000, 10_000, 50_000)
  /// How many bytes of a response are taken up or searched at most.
  private static let maximumBytes = 4 << 20
  /// Responses up to this many bytes are within all bounds: masked, a byte becomes less than fifty.
  private static let surelyWithin = 16 << 10

  /// A response: the recorded headers and the body. One that costs too much, or whose record would be larger than
  /// `EventCoding.maximumResponse`, is recorded opaque, and nothing of it is kept.
  func mask(_ response: HTTPResponse, into vault: inout Vault) -> ResponseReceived {
    let head = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    if response.body.count + head <= Self.surelyWithin, vault.count <= Self.maximumOfFlow - Self.maximumSecrets {
      return maskWhole(response, into: &vault)
    }
    if let masked = maskBounded(response, into: &vault) { return masked }
    let bare = HTTPResponse(status: response.status, headers: head <= Self.surelyWithin ? response.headers : [])
    var masked = maskBounded(bare, into: &vault) ?? ResponseReceived(status: response.status, headers: [], body: .empty)
    masked.body = .opaque(
      reason: RecordedBody.tooLarge, length: response.body.count, placeholder: vault.placeholder(ofNothingKept: "body"))
    return masked
  }

  private func maskBounded(_ response: HTTPResponse, into vault: inout Vault) -> ResponseReceived? {
    guard !Self.hasTooManyValues(response.body) else { return nil }
    var trial = vault
    trial.budget = MaskingBudget(
      secrets: min(Self.maximumSecrets, max(0, Self.maximumOfFlow - vault.count)), bytes: Self.maximumBytes)
    let masked = maskWhole(response, into: &trial)
    guard !trial.budget.isExceeded, EventCoding.size(of: .responseReceived(masked)) <= EventCoding.maximumResponse
    else {
      return nil
    }
    trial.budget = .unbounded
    vault = trial
    return masked
  }

  /// Counts commas and opening brackets outside strings, without reading the document.
  private static func hasTooManyValues(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > maximumValues else { return false }
    var (count, isString, index) = (0, false, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isString { count += 1 }
      default: break
      }
      index += 1
    }
    return count > maximumValues
  }

  private func maskWhole(_ response: HTTPResponse, into vault: inout Vault) -> ResponseReceived {
    let fields = response.headers.compactMap { field in
      policy.headers[field.name.lowercased()].map { (field: field, schema: $0) }
    }
    let parsed = parse(response.body)
    for (field, schema) in fields { collectHeader(field.value, schema, into: &vault) }
    if case .json(let json) = parsed { collect(json, policy.response, into: &vault) }
    let headers = fields.map { HTTPField($0.name, rewriteHeader($0.value, $1, with: &vault)) }
    return ResponseReceived(status: response.status, headers: headers, body: body(parsed, response.body, &vault))
  }

  private enum Parsed {
    case empty
    case json(JSON)
    case malformed(String)
  }

  /// A byte order mark before the document is skipped (RFC 8259 §8.1).
  private func parse(_ bytes: [UInt8]) -> Parsed {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) { return .empty }
    do { return .json(try JSON(parsing: bytes)) } catch { return .malformed(error.description) }
  }

  private func body(_ parsed: Parsed, _ bytes: [UInt8], _ vault: inout Vault) -> RecordedBody {
    switch parsed {
    case .empty: return .empty
    case .json(let json): return .json(rewrite(json, policy.response, with: &vault))
    case .malformed(let reason):
      // Bytes that are not UTF-8 are kept in the vault as Latin-1, one scalar a byte.
      let scalars = String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })
      let text = String(validating: bytes, as: UTF8.self) ?? String(scalars)
      let placeholder = vault.placeholder(for: .string(text), kind: "body", taints: false)
      return .opaque(reason: reason, length: bytes.count, placeholder: placeholder)
    }
  }

  /// A member that nothing declares, name and all.
  func maskUndeclared(_ member: JSONObject.Member, into vault: inout Vault) -> JSONObject.Member {
    let masked = mask(.object(JSONObject([member])), as: .object([:]), into: &vault)
    return masked.object?.members.first ?? member
  }

  // MARK: Collecting

  private func collect(_ json: JSON, _ schema: WireSchema, into vault: inout Vault) {
    guard !vault.budget.isExceeded else { return }
    switch (schema, json) {
    case (_, .null), (.own, _): return
    case (.login, .string(let text)): vault.plainTexts.set(login: text)
    case (.setting(let schema), _):
      collect(json, schema, into: &vault)
      if case .string(let text) = json, isSetting(text, schema) { vault.plainTexts.add(setting: text) }
    case (.depending(let pick), _): collect(json, pick(json), into: &vault)
    case (.object(let members), .object(let object)):
      for member in object.members {
        if let declared = members[member.key] {
          collect(member.value, declared, into: &vault)
        } else {
          collectUndeclared(member, into: &vault)
        }
      }
    case (.map(let value), .object(let object)):
      for member in object.members {
        if !WordForm.isID(member.key) { collectKey(member.key, into: &vault) }
        collect(member.value, value, into: &vault)
      }
    case (.object, .array(let elements)), (.secret, .array(let elements)):
      for element in elements { collect(element, schema, into: &vault) }
    case (.array(let element), .array(let elements)):
      for value in elements { collect(value, element, into: &vault) }
    case (.array(let element), _): collect(json, element, into: &vault)
    case (.secret(let kind), .string(let text)) where !text.isEmpty:
      _ = vault.placeholder(for: .string(text), kind: kind)
    case (.secret(let kind), .number), (.secret(let kind), .bool):
      _ = vault.placeholder(for: json, kind: kind)
    case (.secret, .object(let object)):
      for member in object.members { collectUndeclared(member, into: &vault) }
    case (.url, .string(let text)): URLMasking.collect(text, policy: policy, vault: &vault)
    case (.text, .string(let text)):
      guard vault.budget.takes(bytes: text.utf8.count) else { return }
      URLMasking.collect(inside: text, vault: &vault)
    default: if !fits(json, schema) { collectSecret(json, into: &vault) }
    }
  }

  private func collectUndeclared(_ member: JSONObject.Member, into vault: inout Vault) {
    collectKey(member.key, into: &vault)
    collectSecret(member.value, into: &vault)
  }

  private func collectKey(_ key: String, into vault: inout Vault) {
    _ = vault.placeholder(for: .string(key), kind: "key", taints: key.utf8.count >= NeedleIndex.longBytes)
  }

  /// Whether a text is one that the application configures, and not one with credentials or parameters in it.
  private func isSetting(_ text: String, _ schema: WireSchema) -> Bool {
    guard !Placeholder.isForged(in: text) else { return false }
    if case .url = schema { return URLParts(text) != nil && URLMasking.isPlain(text) }
    return true
  }

  /// Takes up every scalar of a value that nothing declares. Very short ones do not taint: `0` and `true` occur by
  /// nature.
  private func collectSecret(_ json: JSON, into vault: inout Vault) {
    switch json {
    case .null: return
    case .bool: _ = vault.placeholder(for: json, kind: "undeclared", taints: false)
    case .number(let text), .string(let text):
      guard !text.isEmpty else { return }
      _ = vault.placeholder(for: json, kind: "undeclared", taints: text.utf8.count >= 4)
    case .array(let elements): for element in elements { collectSecret(element, into: &vault) }
    case .object(let object): for member in object.members { collectUndeclared(member, into: &vault) }
    }
  }

  // MARK: Rewriting

  private func rewrite(_ json: JSON, _ schema: WireSchema, depth: Int = 0, with vault: inout Vault) -> JSON {
    if depth >= Self.maximumDepth, json.object != nil || json.array != nil { return whole(json, with: &vault) }
    switch (schema, json) {
    case (_, .null), (.own, _): return json
    case (.depending(let pick), _): return rewrite(json, pick(json), depth: depth, with: &vault)
    case (.setting(let schema), _): return rewrite(json, schema, depth: depth, with: &vault)
    case (.object(let members), .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            guard let declared = members[member.key] else {
              return rewriteUndeclared(member, depth: depth + 1, with: &vault)
            }
            return JSONObject.Member(
              key: member.key, value: rewrite(member.value, declared, depth: depth + 1, with: &vault))
          }))
    case (.map(let value), .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            let isID = WordForm.isID(member.key)
            let key = isID ? vault.mask(member.key) : rewriteKey(member.key, with: &vault)
            return JSONObject.Member(key: key, value: rewrite(member.value, value, depth: depth + 1, with: &vault))
          }))
    case (.object, .array(let elements)), (.secret, .array(let elements)):
      return .array(elements.map { rewrite($0, schema, depth: depth + 1, with: &vault) })
    case (.array(let element), .array(let elements)):
      return .array(elements.map { rewrite($0, element, depth: depth + 1, with: &vault) })
    case (.array(let element), _): return rewrite(json, element, depth: depth, with: &vault)
    case (.secret, _): return rewriteSecret(json, depth: depth, with: &vault)
    case (.url, .string(let text)): return .string(URLMasking.rewrite(text, policy: policy, vault: &vault))
    default: return rewriteScalar(json, schema, depth: depth, with: &vault)
    }
  }

  /// What nests too deep, as one secret.
  private func whole(_ json: JSON, with vault: inout Vault) -> JSON {
    .string(vault.placeholder(for: json, kind: "deep", taints: false))
  }

  private func rewriteKey(_ key: String, with vault: inout Vault) -> String {
    vault.placeholder(for: .string(key), kind: "key", taints: false)
  }

  private func rewriteUndeclared(
    _ member: JSONObject.Member, depth: Int, with vault: inout Vault
  ) -> JSONObject.Member {
    JSONObject.Member(
      key: rewriteKey(member.key, with: &vault), value: rewriteSecret(member.value, depth: depth, with: &vault))
  }

  private func rewriteSecret(_ json: JSON, depth: Int, with vault: inout Vault) -> JSON {
    switch json {
    case .null, .string(""): return json
    case .bool, .number, .string:
      return .string(vault.placeholder(for: json, kind: "undeclared", taints: false))
    case .array, .object: if depth >= Self.maximumDepth { return whole(json, with: &vault) }
    }
    switch json {
    case .array(let elements): return .array(elements.map { rewriteSecret($0, depth: depth + 1, with: &vault) })
    case .object(let object):
      return .object(JSONObject(object.members.map { rewriteUndeclared($0, depth: depth + 1, with: &vault) }))
    case .null, .bool, .number, .string: return json
    }
  }

  /// Whether a scalar is what its place declares, so that it may stay readable.
  private func fits(_ json: JSON, _ schema: WireSchema) -> Bool {
    switch (schema, json) {
    case (.text, .string), (.personal, .string), (.personal, .number), (.number, .number), (.boolean, .bool): true
    // In any case, as readers of the wire take it.
    case (.boolean, .string(let text)): ["true", "false"].contains(text.lowercased())
    case (.number, .string(let text)): WordForm.isNumber(text)
    case (.word(let words), .string(let text)): WordForm.isIdentifier(text) || words.contains(text)
    case (.identifier, .string(let text)), (.errorCode, .string(let text)): WordForm.isIdentifier(text)
    case (.place, .string), (.login, .string): true
    case (.date, .string(let text)): WordForm.isDate(text)
    default: false
    }
  }

  /// A scalar: closed vocabulary, dates and numbers stay as they are, other text that fits is searched for secrets.
  private func rewriteScalar(_ json: JSON, _ schema: WireSchema, depth: Int, with vault: inout Vault) -> JSON {
    if case .word(let words) = schema, case .string(let text) = json, words.contains(text) { return json }
    guard fits(json, schema) else { return rewriteSecret(json, depth: depth, with: &vault) }
    switch (schema, json) {
    case (.errorCode, .string(let text)) where WordForm.isErrorCode(text): return json
    case (.place(let words), .string(let text)) where WordForm.isPlace(text, of: words): return json
    case (.number, _), (.boolean, _), (.date, _): return json
    // A login is not searched; only text that could be taken for a placeholder is none.
    case (.login, .string(let text)) where !Placeholder.isForged(in: text): return json
    case (_, .string(let text)): return .string(vault.mask(text))
    case (_, .number(let text)):
      return vault.mask(text) == text ? json : rewriteSecret(json, depth: depth, with: &vault)
    default: return json
    }
  }

  // MARK: Headers

  private func collectHeader(_ value: String, _ schema: WireSchema, into vault: inout Vault) {
    guard case .secret("cookie") = schema else { return collect(.string(value), schema, into: &vault) }
    guard let cookie = SetCookie(value) else {
      return collectSecret(.string(value), into: &vault)
    }
    _ = cookie.maskedName(&vault)
    guard !cookie.value.isEmpty else { return }
    _ = vault.placeholder(for: .string(String(cookie.value)), kind: "cookie")
  }

  private func rewriteHeader(_ value: String, _ schema: WireSchema, with vault: inout Vault) -> String {
    guard case .secret("cookie") = schema else {
      return rewrite(.string(value), schema, with: &vault).string ?? ""
    }
    return SetCookie(value)?.masked(with: &vault) ?? vault.placeholder(for: .string(value), kind: "cookie")
  }
}
