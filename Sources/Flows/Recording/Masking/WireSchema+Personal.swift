package import EventStore

extension WireSchema {
  /// Calls `found` for each value about a person that stands readable in what was recorded by this schema, with the
  /// name of the member that has it. Total: what does not fit the schema is a secret, and replaced.
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
