package import EventStore

extension WireSchema {
  /// Calls `found` for each value about a person that stands readable in what was recorded by this schema, with the name of the
  /// member that has it. Total: what does not fit the schema is a secret, and replaced.
  package func forEachPersonal(in json: JSON, named name: String = "", _ found: (String) -> Void) {
    switch (self, json) {
    case (.depending(let pick), _): pick(json).forEachPersonal(in: json, named: name, found)
    case (.object(let members), .object(let object)):
      for member in object.members { members[member.key]?.forEachPersonal(in: member.value, named: member.key, found) }
    case (.map(let value), .object(let object)):
      for member in object.members { value.forEachPersonal(in: member.value, named: name, found) }
    case (.object, .array(let elements)):
      for element in elements { forEachPersonal(in: element, named: name, found) }
    case (.array(let schema), .array(let elements)):
      for element in elements { schema.forEachPersonal(in: element, named: name, found) }
    case (.array(let schema), _): schema.forEachPersonal(in: json, named: name, found)
    case (.setting(let schema), _): schema.forEachPersonal(in: json, named: name, found)
    case (.personal, .string(let text)) where !text.isEmpty && !Placeholder.isForged(in: text): found(name)
    case (.login, .string(let text)) where !text.isEmpty && !Placeholder.isForged(in: text): found(name)
    case (.personal, .number): found(name)
    default: return
    }
  }
}
