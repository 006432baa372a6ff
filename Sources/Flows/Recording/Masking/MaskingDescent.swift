// The walk over a message that collects its secrets and replaces them. One walk is usually enough: values that are not
// secret by their place are searched only after all secrets of the message are known, and unchanged values are not
// copied. If a secret is found in such a value, a second walk, which knows all secrets, replaces it.

import EventStore

/// One message on its way into the log. Total: values that do not fit any schema are secrets.
struct MaskingDescent {
  private let policy: MaskingPolicy
  /// Whether all secrets of the message are in the vault, so that replacements are final.
  var knowsAll = false
  /// Texts that are kept unless a secret is found in them.
  private var texts: [String] = []
  /// Plain URLs that are kept unless a secret is found in them.
  private var urls: [String] = []
  /// Whether something must be visited again, regardless of the secrets.
  private var isOpen = false

  init(policy: MaskingPolicy) { self.policy = policy }

  /// Ends the first walk. Returns whether its result is final; if not, a second walk is needed.
  mutating func isSettled(_ vault: inout Vault) -> Bool {
    knowsAll = true
    if isOpen { return false }
    var budget = vault.budget
    for text in texts {
      guard budget.takes(bytes: text.utf8.count) else { break }
      if vault.hasSecret(in: text.utf8Span.span) { return false }
    }
    for url in urls where !URLMasking.isClean(url, vault) { return false }
    vault.budget = budget
    return true
  }

  // MARK: Values

  /// Masks a value by the schema of its place; nil if it stays unchanged, as far as is known so far.
  mutating func visit(_ json: JSON, _ schema: WireSchema, depth: Int = 0, _ vault: inout Vault) -> JSON? {
    if case .null = json { return nil }
    if !knowsAll, vault.budget.isExceeded { return nil }
    if let whole = tooDeep(json, depth, &vault) { return whole }
    switch schema {
    case .own: return own(json, &vault)
    case .depending(let pick): return visit(json, pick(json), depth: depth, &vault)
    case .setting(let schema):
      let masked = visit(json, schema, depth: depth, &vault)
      if case .string(let text) = json, isSetting(text, schema) { vault.plainTexts.add(setting: text) }
      return masked
    case .array(let element):
      guard case .array(let elements) = json else { return visit(json, element, depth: depth, &vault) }
      return visit(elements, element, depth: depth, &vault)
    case .object(let members):
      if case .array(let elements) = json { return visit(elements, schema, depth: depth, &vault) }
      guard case .object(let object) = json else { break }
      return Self.visit(object) { member in
        guard let declared = members[member.key] else { return self.undeclared(member, depth: depth + 1, &vault) }
        return self.visit(member.value, declared, depth: depth + 1, &vault).map { (member.key, $0) }
      }
    case .map(let value):
      guard case .object(let object) = json else { break }
      return Self.visit(object) { member in
        let key = WordForm.isID(member.key) ? self.search(member.key, &vault) : self.key(member.key, &vault)
        let masked = self.visit(member.value, value, depth: depth + 1, &vault)
        return key == nil && masked == nil ? nil : (key ?? member.key, masked ?? member.value)
      }
    case .secret(let kind):
      if case .array(let elements) = json { return visit(elements, schema, depth: depth, &vault) }
      if case .object = json { break }
      return json == "" ? nil : .string(vault.placeholder(for: json, kind: kind))
    case .url: if case .string(let text) = json { return url(text, &vault).map(JSON.string) }
    case .word(let words):
      guard case .string(let text) = json else { break }
      if words.contains(text) { return nil }
      if WordForm.isIdentifier(text) { return search(text, &vault).map(JSON.string) }
    case .text, .identifier, .place, .errorCode, .number, .boolean, .date, .personal, .login:
      if fits(json, schema) { return scalar(json, schema, &vault) }
    }
    return secret(json, depth: depth, &vault)
  }

  /// Masks a value that is nested too deeply to be recorded as one secret; its parts are secrets of the message too.
  private mutating func tooDeep(_ json: JSON, _ depth: Int, _ vault: inout Vault) -> JSON? {
    guard depth >= Masker.maximumDepth, json.object != nil || json.array != nil else { return nil }
    isOpen = true
    return knowsAll ? .string(vault.placeholder(for: json, kind: "deep", taints: false)) : nil
  }

  /// An object with the members that change; nil if none changes.
  private static func visit(
    _ object: JSONObject, _ body: (JSONObject.Member) -> (key: String, value: JSON)?
  ) -> JSON? {
    var masked: JSONObject?
    for index in object.members.indices {
      guard let (key, value) = body(object.members[index]) else { continue }
      if masked == nil { masked = object }
      masked?.members[index] = JSONObject.Member(key: key, value: value)
    }
    return masked.map(JSON.object)
  }

  /// An array with the elements that change; nil if none changes.
  private mutating func visit(
    _ elements: [JSON], _ schema: WireSchema, depth: Int, _ vault: inout Vault
  ) -> JSON? {
    var masked: [JSON]?
    for index in elements.indices {
      guard let value = visit(elements[index], schema, depth: depth + 1, &vault) else { continue }
      if masked == nil { masked = elements }
      masked?[index] = value
    }
    return masked.map(JSON.array)
  }

  // MARK: Secrets

  /// Masks a value without a declaration. Very short scalars such as `0` and `true` do not taint, because they occur
  /// naturally. Neither do addresses of the org: its links may begin with one, and a link that is replaced as a whole
  /// cannot be followed.
  private mutating func secret(_ json: JSON, depth: Int, _ vault: inout Vault) -> JSON? {
    if let whole = tooDeep(json, depth, &vault) { return whole }
    switch json {
    case .null, .string(""): return nil
    case .bool: return .string(vault.placeholder(for: json, kind: "undeclared", taints: false))
    case .number(let text), .string(let text):
      let taints = text.utf8.count >= 4 && !vault.plainTexts.hasAddress(text)
      return .string(vault.placeholder(for: json, kind: "undeclared", taints: taints))
    case .array(let elements):
      return .array(elements.map { self.secret($0, depth: depth + 1, &vault) ?? $0 })
    case .object(let object): return Self.visit(object) { self.undeclared($0, depth: depth + 1, &vault) }
    }
  }

  /// Masks a member without a declaration, including its name.
  private mutating func undeclared(
    _ member: JSONObject.Member, depth: Int, _ vault: inout Vault
  ) -> (key: String, value: JSON) {
    let key = key(member.key, &vault)
    return (key ?? member.key, secret(member.value, depth: depth, &vault) ?? member.value)
  }

  private func key(_ key: String, _ vault: inout Vault) -> String? {
    vault.placeholder(for: .string(key), kind: "key", taints: key.utf8.count >= NeedleIndex.longBytes)
  }

  // MARK: What may stay

  /// A scalar that fits the declaration of its place: dates, numbers and closed vocabularies are kept; other text is
  /// searched for secrets.
  private mutating func scalar(_ json: JSON, _ schema: WireSchema, _ vault: inout Vault) -> JSON? {
    switch (schema, json) {
    case (.number, _), (.boolean, _), (.date, _): return nil
    case (.errorCode, .string(let text)) where WordForm.isErrorCode(text): return nil
    case (.place(let words), .string(let text)) where WordForm.isPlace(text, of: words): return nil
    case (.login, .string(let text)):
      if !knowsAll { vault.plainTexts.set(login: text) }
      // A login is not searched; it is replaced only if it could be mistaken for a placeholder.
      return Placeholder.isForged(in: text) ? search(text, &vault).map(JSON.string) : nil
    case (.text, .string(let text)):
      if !knowsAll {
        guard vault.budget.takes(bytes: text.utf8.count) else { return nil }
        URLMasking.collect(inside: text, vault: &vault)
      }
      return search(text, &vault).map(JSON.string)
    case (_, .string(let text)): return search(text, &vault).map(JSON.string)
    case (_, .number(let text)):
      guard search(text, &vault).map({ $0 != text }) == true else { return nil }
      return .string(vault.placeholder(for: json, kind: "undeclared", taints: false))
    default: return nil
    }
  }

  /// Text that the SDK or the application generates is not searched, because replacing a part would reveal a short
  /// secret. It is replaced only if it could be mistaken for a placeholder.
  private func own(_ json: JSON, _ vault: inout Vault) -> JSON? {
    switch json {
    case .null, .bool, .number: return nil
    case .string(let text): return Placeholder.isForged(in: text) ? .string(vault.mask(text)) : nil
    case .array(let elements):
      var masked = elements
      var isChanged = false
      for (index, element) in elements.enumerated() {
        guard let value = own(element, &vault) else { continue }
        masked[index] = value
        isChanged = true
      }
      return isChanged ? .array(masked) : nil
    case .object(let object):
      return Self.visit(object) { member in
        let key = Placeholder.isForged(in: member.key) ? vault.mask(member.key) : nil
        let value = self.own(member.value, &vault)
        return key == nil && value == nil ? nil : (key ?? member.key, value ?? member.value)
      }
    }
  }

  /// Text to be searched for secrets once all are known.
  private mutating func search(_ text: String, _ vault: inout Vault) -> String? {
    guard !knowsAll else { return vault.mask(text) }
    texts.append(text)
    return nil
  }

  private mutating func url(_ text: String, _ vault: inout Vault) -> String? {
    guard !knowsAll else { return URLMasking.rewrite(text, policy: policy, vault: &vault) }
    if text.isEmpty { return nil }
    if URLMasking.isPlain(text) {
      urls.append(text)
    } else {
      // Its parameters are secrets of the message.
      isOpen = true
      URLMasking.collect(text, policy: policy, vault: &vault)
    }
    return nil
  }

  /// Whether a text is a configured one, without credentials or parameters in it.
  private func isSetting(_ text: String, _ schema: WireSchema) -> Bool {
    guard !Placeholder.isForged(in: text) else { return false }
    if case .url = schema { return URLParts(text) != nil && URLMasking.isPlain(text) }
    return true
  }

  /// Whether a scalar fits the declaration of its place, so that it may stay readable.
  private func fits(_ json: JSON, _ schema: WireSchema) -> Bool {
    switch (schema, json) {
    case (.text, .string), (.personal, .string), (.personal, .number), (.number, .number), (.boolean, .bool): true
    // In any case, as readers of the messages accept it.
    case (.boolean, .string(let text)): ["true", "false"].contains(text.lowercased())
    case (.number, .string(let text)): WordForm.isNumber(text)
    case (.identifier, .string(let text)), (.errorCode, .string(let text)): WordForm.isIdentifier(text)
    case (.place, .string), (.login, .string): true
    case (.date, .string(let text)): WordForm.isDate(text)
    default: false
    }
  }

  // MARK: Headers

  /// The value of a header.
  mutating func visit(header value: String, _ schema: WireSchema, _ vault: inout Vault) -> String {
    guard case .secret("cookie") = schema, !value.isEmpty else {
      return visit(.string(value), schema, &vault)?.string ?? value
    }
    if knowsAll {
      return SetCookie(value)?.masked(with: &vault) ?? vault.placeholder(for: .string(value), kind: "cookie")
    }
    guard let cookie = SetCookie(value) else {
      // No jar takes a cookie of such a name, but its value is a secret that other text may quote. A short one is found
      // with its name only.
      if let odd = SetCookie(recorded: value), odd.value.utf8.count >= NeedleIndex.longBytes {
        odd.addValue(as: "cookieValue", to: &vault)
      }
      return secret(.string(value), depth: 0, &vault)?.string ?? value
    }
    _ = cookie.maskedName(&vault)
    if !cookie.value.isEmpty { _ = vault.placeholder(for: .string(String(cookie.value)), kind: "cookie") }
    cookie.addForms(to: &vault)
    return value
  }
}
