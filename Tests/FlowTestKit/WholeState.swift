public import EventStore

/// Finds what a state holds and its JSON does not show.
public enum WholeState {
  /// The stored properties of a state, by their path, that hold a text, a number or a time of which the JSON shows nothing.
  ///
  /// A value that the JSON shows at another place counts as shown. Short ones are left out: they stand somewhere by chance.
  public static func hidden(in state: some Sendable, shown json: JSON) -> [String] {
    var shown: Set<String> = []
    collect(json, into: &shown)
    var paths: [String] = []
    visit(state, at: "", depth: 0) { path, value in
      if !shown.contains(value) { paths.append(path) }
    }
    return paths
  }

  /// The texts and numbers that a document shows, names of members among them.
  private static func collect(_ json: JSON, into shown: inout Set<String>) {
    switch json {
    case .string(let text): shown.insert(text)
    case .number: shown.insert(json.text)
    case .array(let elements): for element in elements { collect(element, into: &shown) }
    case .object(let object):
      for member in object.members {
        shown.insert(member.key)
        collect(member.value, into: &shown)
      }
    case .null, .bool: break
    }
  }

  private static func visit(_ value: Any, at path: String, depth: Int, _ leaf: (String, String) -> Void) {
    guard depth < 24 else { return }
    switch value {
    case let text as String:
      if text.utf8.count > 2 { leaf(path, text) }
    case let time as Timestamp: leaf(path, time.description)
    case let json as JSON: visit(json, at: path, leaf)
    case let number as Int: if abs(number) > 9 { leaf(path, String(number)) }
    case let number as Int64: if abs(number) > 9 { leaf(path, String(number)) }
    default:
      for (index, child) in Mirror(reflecting: value).children.enumerated() {
        visit(child.value, at: path + "." + (child.label ?? String(index)), depth: depth + 1, leaf)
      }
    }
  }

  /// A document is shown as a whole or not at all: its texts are looked for.
  private static func visit(_ json: JSON, at path: String, _ leaf: (String, String) -> Void) {
    switch json {
    case .string(let text): if text.utf8.count > 2 { leaf(path, text) }
    case .array(let elements): for element in elements { visit(element, at: path, leaf) }
    case .object(let object): for member in object.members { visit(member.value, at: path, leaf) }
    case .null, .bool, .number: break
    }
  }
}
