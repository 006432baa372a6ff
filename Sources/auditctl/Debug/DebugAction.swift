// The commands of a debugging session, for people and scripts.

import Replay

/// One command of `auditctl debug`.
enum DebugAction: Equatable {
  /// A place to go to, by its contents.
  enum Target: Equatable {
    case status(String)
    case anyStatus
    case request(String)
    case type(String)
    case revision(Int)
    case text(String)
  }

  case step(Int)
  case back(Int)
  case run(Target)
  case runBack(Target)
  case go(Int)
  case start
  case end
  case printState(String)
  case printRecord
  case changes
  case why(String)
  case causes
  case list(Int)
  case help
  case quit

  /// Reads commands, separated by `;` or by lines.
  ///
  /// - Throws: exit 64 for one that is not understood.
  static func parse(_ script: String) throws(CommandFailure) -> [DebugAction] {
    var actions: [DebugAction] = []
    for text in script.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      guard let action = action(words) else {
        let given = words.joined(separator: " ")
        guard Self.names.contains(words[0]) else {
          throw CommandFailure(.usage, "'\(given)' is no command of debug; type help")
        }
        throw CommandFailure(.usage, "'\(given)': \(words[0]) is given otherwise, or not with that; type help")
      }
      actions.append(action)
    }
    return actions
  }

  /// What commands begin with.
  private static let names: Set<String> = [
    "step", "n", "back", "p", "run", "r", "go", "start", "end", "print", "changes", "why", "causes", "list", "search",
    "/", "help", "?", "quit", "q",
  ]

  private static func action(_ words: [String]) -> DebugAction? {
    let rest = Array(words.dropFirst())
    let text = rest.joined(separator: " ")
    switch words[0] {
    case "step", "n": return count(rest).map(DebugAction.step)
    case "back", "p":
      return rest.first == "until"
        ? target(rest.dropFirst()).map(DebugAction.runBack) : count(rest).map(DebugAction.back)
    case "run", "r":
      if rest.isEmpty { return .end }
      return rest.first == "until" ? target(rest.dropFirst()).map(DebugAction.run) : nil
    case "go": return Int(text).map(DebugAction.go)
    case "start": return rest.isEmpty ? .start : nil
    case "end": return rest.isEmpty ? .end : nil
    case "print":
      if text == "record" { return .printRecord }
      if text.isEmpty || text == "state" { return .printState("") }
      return .printState(text.hasPrefix("state.") ? String(text.dropFirst("state.".count)) : text)
    case "changes": return rest.isEmpty ? .changes : nil
    case "why":
      guard !text.isEmpty else { return nil }
      return .why(text.hasPrefix("state.") ? String(text.dropFirst("state.".count)) : text)
    case "causes": return rest.isEmpty ? .causes : nil
    case "list": return rest.isEmpty ? .list(10) : count(rest).map(DebugAction.list)
    case "search", "/": return text.isEmpty ? nil : .run(.text(text))
    case "help", "?": return rest.isEmpty ? .help : nil
    case "quit", "q": return rest.isEmpty ? .quit : nil
    default: return nil
    }
  }

  private static func count(_ words: [String]) -> Int? {
    guard let word = words.first else { return 1 }
    guard words.count == 1, let count = Int(word), (1...1_000_000).contains(count) else { return nil }
    return count
  }

  /// `status=MFA_CHALLENGE`, `status`, `request=/verify`, `request`, `type=timer.set`, `revision=12`.
  private static func target(_ words: ArraySlice<String>) -> Target? {
    let text = words.joined(separator: " ")
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let value = parts.count == 2 ? parts[1] : nil
    switch parts.first {
    case "status": return value.map { $0.isEmpty ? .anyStatus : .status($0) } ?? .anyStatus
    case "request": return .request(value ?? "")
    case "type": return value.map(Target.type)
    case "revision": return value.flatMap { Int($0) }.map(Target.revision)
    case "text": return value.map(Target.text)
    default: return nil
    }
  }

  /// The commands, for `help`.
  static let summary = """
    step [N], back [N]         by records
    run until TARGET           forward; back until TARGET: backward
    go N, start, end           to a revision, the first, the last record
    print state[.MEMBER]       the state, or a member: print state.status
    print record               the record here, whole
    changes                    what the record here changed in the state
    why MEMBER                 what gave a member its value, and what led to that
    causes                     what led to the record here
    list [N]                   the records around this one
    search TEXT                the next record that holds a text
    quit

    TARGET is status=NAME, status (any change), request=TEXT of its URL, request,
      type=TYPE, revision=N or text=TEXT.
    """

  /// The keys at a terminal, each with what it does. With `summary` they fit on a screen of 80 columns and 24 lines.
  static let keys = """
    n p   a record forward, back (right, left)  g   to a revision
    r R   the next request, the one before      /   search a text
    s S   the next status, the one before       w   why a member has its value
    0 e   the first record, the last            i   the record, whole
    j k   scroll the state (down, up)           c   what the record changed
    ?     this page                             q   quit
    """
}
