package import EventStore

extension WireSchema {
  /// Calls `found` for each readable value about a person in data recorded by this schema, with the name of its member.
  /// Total: values that do not fit the schema are secrets and were replaced.
  package func forEachPersonal(in json: JSON, _ found: (String) -> Void) {
    _ = mapValues(of: json) { schema, path, value in
      guard schema.isPersonal else { return value }
      let name = path.last { $0 != "*" } ?? ""
      switch value {
      case .string(let text): if !text.isEmpty, !Placeholder.isForged(in: text) { found(name) }
      case .number: if case .personal = schema { found(name) }
      case .null, .bool, .array, .object: break
      }
      return value
    }
  }
}
