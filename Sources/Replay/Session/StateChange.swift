// Differences between two states, member by member.

public import EventStore

/// A member of a state that changed.
public struct StateChange: Sendable, Hashable {
  /// The member: `status`, `calls.1`.
  public var path: String
  /// Its value before; `nil` if it was not there.
  public var before: JSON?
  /// Its value after; `nil` if it is gone.
  public var after: JSON?

  /// Makes a change from its parts.
  public init(path: String, before: JSON?, after: JSON?) {
    (self.path, self.before, self.after) = (path, before, after)
  }

  /// The members that differ, in the order of the states: each named as deeply as possible, new and removed ones as a
  /// whole.
  public static func between(_ old: JSON, _ new: JSON) -> [StateChange] {
    var changes: [StateChange] = []
    collect(old, new, at: "", into: &changes)
    return changes
  }

  /// The value of a member by its path; `nil` if there is none. Names may have periods, as those of masked members do.
  public static func value(at path: String, in state: JSON) -> JSON? { value(at: path[...], in: state) }

  private static func value(at path: Substring, in state: JSON) -> JSON? {
    let path = path.drop { $0 == "." }
    if path.isEmpty { return state }
    if path.first == "[", let array = state.array {
      let index = path.dropFirst().prefix { $0 != "]" }
      guard let place = Int(index), array.indices.contains(place), index.endIndex < path.endIndex else { return nil }
      return value(at: path[index.endIndex...].dropFirst(), in: array[place])
    }
    // The shortest name first.
    let ends = path.indices.dropFirst().filter { path[$0] == "." || path[$0] == "[" } + [path.endIndex]
    for end in ends {
      guard let member = state[String(path[..<end])] else { continue }
      if let found = value(at: path[end...], in: member) { return found }
    }
    return nil
  }

  private static func byName(_ object: JSONObject) -> [ByteName: JSON] {
    Dictionary(object.members.map { (ByteName($0.key), $0.value) }) { first, _ in first }
  }

  private static func collect(_ old: JSON?, _ new: JSON?, at path: String, into changes: inout [StateChange]) {
    switch (old, new) {
    case (.object(let one)?, .object(let other)?):
      // If a name occurs twice, the first counts. An answer may have thousands of members.
      let (before, after) = (byName(one), byName(other))
      for key in one.members.map(\.key) + other.members.map(\.key).filter({ before[ByteName($0)] == nil }) {
        let name = ByteName(key)
        collect(before[name], after[name], at: path.isEmpty ? key : "\(path).\(key)", into: &changes)
      }
    case (.array(let one)?, .array(let other)?):
      for index in 0..<max(one.count, other.count) {
        collect(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil, at: "\(path)[\(index)]",
          into: &changes)
      }
    case (let one, let other):
      if one != other { changes.append(StateChange(path: path, before: one, after: other)) }
    }
  }
}
