// Finds the changed line of a text.

import EventStore

/// The first line that only one of two lists has, with its counterpart in the other list.
struct LineChange: Sendable {
  /// The old line; nil if a line was added.
  var recorded: String?
  /// The new line; nil if a line was removed.
  var replayed: String?
  /// How many lines have changed, including this one.
  private var count: Int
  /// How many lines are searched for its counterpart.
  private static let mostCompared = 400

  /// The change from one list to another; nil if both have the same lines.
  ///
  /// - Parameters:
  ///   - recorded: lines that were read from a file: none has a line feed.
  ///   - replayed: lines as they were made; one with line feeds counts as several.
  init?(from recorded: [String], to replayed: [String]) {
    let replayed = replayed.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    let (before, after) = (Set(recorded), Set(replayed))
    let gone = recorded.filter { !after.contains($0) }
    let new = replayed.filter { !before.contains($0) }
    count = max(gone.count, new.count)
    guard let first = gone.first else {
      guard let line = new.first else { return nil }
      self.replayed = line
      return
    }
    self.recorded = first
    // The subject of a line is at its beginning, and the rest mostly stays.
    let nearest = new.prefix(Self.mostCompared).map { (line: $0, same: Self.same(first, $0)) }.max { $0.same < $1.same }
    if let nearest, nearest.same > 0 { self.replayed = nearest.line }
  }

  /// How much two lines have in common at their beginnings and at their ends.
  private static func same(_ left: String, _ right: String) -> Int {
    zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
      + zip(left.utf8.reversed(), right.utf8.reversed()).prefix { $0 == $1 }.count
  }

  /// `: "1 401 | status" has "…010…" (recorded: "…110…"), and 3 lines more`.
  var words: String {
    let line = recorded ?? replayed ?? ""
    let sides = (recorded: recorded.map(JSON.string), replayed: replayed.map(JSON.string))
    func side(_ line: JSON?, _ other: JSON?) -> String { line.map { Divergence.excerpt($0, beside: other) } ?? "none" }
    let more = count > 1 ? ", and \(count - 1) more" : ""
    return ". \(Self.subject(of: line)): \(side(sides.replayed, sides.recorded))"
      + " (recorded: \(side(sides.recorded, sides.replayed)))\(more)"
  }

  /// The subject of a line: the text before its first bar, or its first word.
  private static func subject(of line: String) -> String {
    let head = line.firstIndex(of: "|").map { line[..<$0] } ?? line.prefix { $0 != " " }
    return head.prefix(60).split(separator: " ").joined(separator: " ")
  }
}
