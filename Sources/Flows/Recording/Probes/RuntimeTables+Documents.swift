// The document that an event adds to a flow, the same event with another document, and the names of schemas.

import EventStore

extension RuntimeTables {
  /// Each event of this version and of a later one: its document, and the event with another one.
  static var documented: [String] {
    documents.flatMap { type, text -> [String] in
      guard let data = try? JSON(parsing: Array(text.utf8)) else { return [line(type, "no document")] }
      return [1, 2].map { version in
        guard let event = try? FlowEvent(type: type, version: version, data: data) else {
          return line("\(type) \(version)", "refused")
        }
        let found = ProbeCore.policy.document(of: event, draws: ProbeCore.draws)
        let document = found.map { "\($0.schema.className) \($0.json.text)" } ?? "none"
        let replaced = event.replacing(document: ["other": 1])
        return line(
          "\(type) \(version)",
          "\(event.type) \(event.version) \(event.data.text) \(document) \(replaced.type) \(replaced.data.text)")
      }
    } + classNames
  }

  private static var classNames: [String] {
    let schemas: [WireSchema] = [
      .object([:]), .map(.text), .array(.text), .word(["a"]), .text, .identifier, .place(["a"]), .errorCode, .number,
      .boolean, .date, .url, .personal, .login, .setting(.text), .own, .secret("a name"), .undeclared,
      .depending { _ in .text },
    ]
    return schemas.enumerated().map { line("class \($0)", $1.className) }
  }
}
