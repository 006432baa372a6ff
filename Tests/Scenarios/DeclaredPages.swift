// Documents that have each member that a schema declares, so that one that is declared otherwise, or not at all, shows in a replay.

import EventStore
import FlowRecording

/// Makes documents of a schema.
struct DeclaredPages {
  /// The number of the document: which word of a vocabulary stands at a place, and how a number or a flag is written.
  private let number: Int
  private let left: Set<String>
  /// How many scalars there are so far.
  private var count = 0

  private init(_ number: Int, without left: Set<String>) { (self.number, self.left) = (number, left) }

  /// A document.
  ///
  /// - Parameters:
  ///   - schema: what a policy declares.
  ///   - number: documents of different numbers differ in their words and in how numbers and flags are written.
  ///   - left: the names of members to leave out, wherever they stand.
  static func document(_ schema: WireSchema, _ number: Int, without left: Set<String> = []) -> JSON {
    var pages = DeclaredPages(number, without: left)
    return pages.value(schema, []) ?? [:]
  }

  private mutating func value(_ schema: WireSchema, _ path: [String]) -> JSON? {
    switch schema {
    case .object(let members):
      var made: [(String, JSON?)] = []
      for (name, schema) in members.sorted(by: { $0.key < $1.key }) where isWanted(name, path) {
        made.append((name, value(schema, path + [name])))
      }
      return made.isEmpty ? nil : .members(made)
    case .map(let schema): return value(schema, path + ["*"]).map { .members([("00f1a2b3c4d5e6f7g8h9", $0)]) }
    case .array(let schema): return value(schema, path).map { .array([$0]) }
    case .setting(let schema): return value(schema, path)
    case .depending(let pick): return value(pick(.null), path)
    case .place, .own: return nil
    case .word, .text, .identifier, .errorCode, .number, .boolean, .date, .url, .personal, .login, .secret:
      count += 1
      return scalar(schema)
    }
  }

  /// What contains itself is walked once.
  private func isWanted(_ name: String, _ path: [String]) -> Bool {
    guard !left.contains(name), path.count < 12 else { return false }
    return path.count { $0 == name } < (name == "value" ? 4 : 1)
  }

  /// What distinguishes a place of this document from others, without a digit: numbers stand for secrets too.
  private var letters: String {
    String(decoding: "\(number).\(count)".utf8.map { $0 == 0x2E ? 0x78 : $0 + 0x31 }, as: UTF8.self)
  }

  private func scalar(_ schema: WireSchema) -> JSON {
    switch schema {
    case .word(let words):
      let sorted = words.sorted()
      return .string(sorted[(number * 7 + count) % sorted.count])
    case .identifier: return .string("id-\(letters)")
    case .errorCode: return "E0000004"
    case .number: return count % 2 == 0 ? .int(count) : .string("\(count)")
    case .boolean: return (number + count) % 3 == 0 ? "true" : .bool((number + count) % 2 == 0)
    case .date: return "2026-01-15T10:15:30.250Z"
    case .url: return .string("\(Stage.orgURL)/at/\(count)")
    case .personal: return .string("Person \(letters)")
    case .login: return .string(Scenario.login)
    case .secret(let name): return .string("\(name)-of-page-\(number)-\(count)")
    case .object, .map, .array, .setting, .depending, .place, .own, .text: return .string("Text \(letters)")
    }
  }
}
