// Walks over a document with the schema of each place.

package import EventStore

extension WireSchema {
  /// The document with each scalar replaced by what `change` returns for it. Total: what does not fit the schema is
  /// undeclared.
  ///
  /// - Parameters:
  ///   - json: the document, masked or not.
  ///   - path: the members that lead to it; `*` stands for the members of a map.
  ///   - change: receives the schema of the place, the members that lead there, and the scalar.
  package func mapValues(
    of json: JSON, at path: [String] = [], _ change: (WireSchema, [String], JSON) -> JSON
  ) -> JSON {
    switch (self, json) {
    case (.depending(let pick), _): return pick(json).mapValues(of: json, at: path, change)
    case (.setting(let schema), _): return schema.mapValues(of: json, at: path, change)
    case (.object(let members), .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            let schema = members[member.key] ?? .undeclared
            let value = schema.mapValues(of: member.value, at: path + [member.key], change)
            return JSONObject.Member(key: member.key, value: value)
          }))
    case (.map(let schema), .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            JSONObject.Member(
              key: member.key, value: schema.mapValues(of: member.value, at: path + ["*"], change))
          }))
    case (.array(let schema), .array(let elements)):
      return .array(elements.map { schema.mapValues(of: $0, at: path, change) })
    case (.array(let schema), _): return schema.mapValues(of: json, at: path, change)
    case (_, .array(let elements)): return .array(elements.map { mapValues(of: $0, at: path, change) })
    case (_, .object(let object)):
      return .object(
        JSONObject(
          object.members.map { member in
            let value = WireSchema.undeclared.mapValues(of: member.value, at: path + [member.key], change)
            return JSONObject.Member(key: member.key, value: value)
          }))
    default: return change(self, path, json)
    }
  }

  /// Whether the value at a place is about a person.
  package var isPersonal: Bool {
    switch self {
    case .personal, .login: true
    default: false
    }
  }
}
