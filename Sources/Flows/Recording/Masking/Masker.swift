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

  /// A response: the recorded headers and the body.
  func mask(_ response: HTTPResponse, into vault: inout Vault) -> ResponseReceived {
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
    switch (schema, json) {
    case (_, .null): return
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
      for member in object.members { collect(member.value, value, into: &vault) }
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
    case (.text, .string(let text)): URLMasking.collect(inside: text, vault: &vault)
    default: if !fits(json, schema) { collectSecret(json, into: &vault) }
    }
  }

  private func collectUndeclared(_ member: JSONObject.Member, into vault: inout Vault) {
    _ = vault.placeholder(for: .string(member.key), kind: "key", taints: member.key.utf8.count >= NeedleIndex.longBytes)
    collectSecret(member.value, into: &vault)
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

  private func rewrite(_ json: JSON, _ schema: WireSchema, with vault: inout Vault) -> JSON {
    switch (schema, json) {
    case (_, .null): return json
    case (.depending(let pick), _): return rewrite(json, pick(json), with: &vault)
    case (.object(let members), .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            guard let declared = members[member.key] else { return rewriteUndeclared(member, with: &vault) }
            return JSONObject.Member(key: member.key, value: rewrite(member.value, declared, with: &vault))
          }))
    case (.map(let value), .object(let object)):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: vault.mask($0.key), value: rewrite($0.value, value, with: &vault))
          }))
    case (.object, .array(let elements)), (.secret, .array(let elements)):
      return .array(elements.map { rewrite($0, schema, with: &vault) })
    case (.array(let element), .array(let elements)):
      return .array(elements.map { rewrite($0, element, with: &vault) })
    case (.array(let element), _): return rewrite(json, element, with: &vault)
    case (.secret, _): return rewriteSecret(json, with: &vault)
    case (.url, .string(let text)): return .string(URLMasking.rewrite(text, policy: policy, vault: &vault))
    default: return rewriteScalar(json, schema, with: &vault)
    }
  }

  private func rewriteUndeclared(_ member: JSONObject.Member, with vault: inout Vault) -> JSONObject.Member {
    JSONObject.Member(
      key: vault.placeholder(for: .string(member.key), kind: "key", taints: false),
      value: rewriteSecret(member.value, with: &vault))
  }

  private func rewriteSecret(_ json: JSON, with vault: inout Vault) -> JSON {
    switch json {
    case .null, .string(""): return json
    case .bool, .number, .string:
      return .string(vault.placeholder(for: json, kind: "undeclared", taints: false))
    case .array(let elements): return .array(elements.map { rewriteSecret($0, with: &vault) })
    case .object(let object):
      return .object(JSONObject(object.members.map { rewriteUndeclared($0, with: &vault) }))
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
    case (.place, .string): true
    case (.date, .string(let text)): WordForm.isDate(text)
    default: false
    }
  }

  /// A scalar: closed vocabulary, dates and numbers stay as they are, other text that fits is searched for secrets.
  private func rewriteScalar(_ json: JSON, _ schema: WireSchema, with vault: inout Vault) -> JSON {
    if case .word(let words) = schema, case .string(let text) = json, words.contains(text) { return json }
    guard fits(json, schema) else { return rewriteSecret(json, with: &vault) }
    switch (schema, json) {
    case (.errorCode, .string(let text)) where WordForm.isErrorCode(text): return json
    case (.place(let words), .string(let text)) where WordForm.isPlace(text, of: words): return json
    case (.number, _), (.boolean, _), (.date, _): return json
    case (_, .string(let text)): return .string(vault.mask(text))
    case (_, .number(let text)): return vault.mask(text) == text ? json : rewriteSecret(json, with: &vault)
    default: return json
    }
  }

  // MARK: Headers

  private func collectHeader(_ value: String, _ schema: WireSchema, into vault: inout Vault) {
    guard case .secret("cookie") = schema else { return collect(.string(value), schema, into: &vault) }
    guard let cookie = SetCookie(value) else {
      return collectSecret(.string(value), into: &vault)
    }
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
