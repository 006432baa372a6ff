// Reading the members of a request, so that a refusal names the one that is wrong.

/// An object somewhere in a body.
struct DeviceFields {
  let json: OrgJSON
  /// Its dotted path; empty for the body itself.
  let path: String

  /// The object at a path.
  ///
  /// - Throws: `E0000001` if it is not an object.
  init(_ json: OrgJSON?, path: String) throws(Refusal) {
    guard let json, case .object = json else {
      throw .invalidField(path.isEmpty ? "body" : path, "must be an object")
    }
    (self.json, self.path) = (json, path)
  }

  private func name(_ name: String) -> String { path.isEmpty ? name : path + "." + name }

  /// `E0000001` that names a member.
  func wrong(_ member: String, _ why: String) -> Refusal { .invalidField(name(member), why) }

  /// The value of a member; `nil` if it is missing or `null`.
  private func given(_ member: String) -> OrgJSON? {
    let value = json[member]
    return value == .null ? nil : value
  }

  /// Whether the member is there and not `null`.
  func has(_ member: String) -> Bool { given(member) != nil }

  func object(_ member: String) throws(Refusal) -> DeviceFields { try .init(given(member), path: name(member)) }

  /// A text that must be there and must not be empty.
  func text(_ member: String) throws(Refusal) -> String {
    guard let text = try optionalText(member), !text.isEmpty else {
      throw wrong(member, "The field cannot be left blank")
    }
    return text
  }

  func optionalText(_ member: String) throws(Refusal) -> String? {
    guard let value = given(member) else { return nil }
    guard let text = value.string else { throw wrong(member, "must be a string") }
    return text
  }

  func check(_ member: String, isOneOf values: Set<String>) throws(Refusal) {
    guard let text = try optionalText(member) else { return }
    if !values.contains(text) { throw wrong(member, "must be one of \(values.sorted().joined(separator: ", "))") }
  }

  func checkFlag(_ member: String) throws(Refusal) {
    switch given(member) {
    case nil, .bool: break
    case .some: throw wrong(member, "must be true or false")
    }
  }
}
