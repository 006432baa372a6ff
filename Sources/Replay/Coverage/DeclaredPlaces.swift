// The places of a document that a schema declares.

import EventStore
import FlowRecording

/// Walks over a schema. Parts that depend on the value are skipped, since there is no value; recursive parts are walked
/// once.
enum DeclaredPlaces {
  /// How deep a schema is walked.
  private static let deepest = 14

  /// Calls `found` for each place that has a scalar, with the members that lead to it.
  static func forEach(in schema: WireSchema, at path: [String] = [], _ found: ([String], WireSchema) -> Void) {
    guard path.count < deepest else { return }
    switch schema {
    case .object(let members):
      for (name, schema) in members.sorted(by: { $0.key < $1.key }) {
        let next = path + [name]
        // A member that lies in one of the same name, twice, belongs to a schema that contains itself.
        if path.filter({ $0 == name }).count >= 2, name != "value" { continue }
        if Self.repeats(next) { continue }
        forEach(in: schema, at: next, found)
      }
    case .map(let schema): forEach(in: schema, at: path + ["*"], found)
    case .array(let schema), .setting(let schema): forEach(in: schema, at: path, found)
    case .depending(let pick): forEach(in: pick(.null), at: path, found)
    case .word, .text, .identifier, .place, .errorCode, .number, .boolean, .date, .url, .personal, .login, .own,
      .secret:
      found(path, schema)
    }
  }

  /// True if a path is cyclic: two consecutive members in it have followed each other before.
  static func repeats(_ path: [String]) -> Bool {
    guard path.count >= 4 else { return false }
    let pair = path.suffix(2)
    return zip(path.dropLast(2), path.dropFirst().dropLast()).contains { [$0, $1][...] == pair }
  }
}
