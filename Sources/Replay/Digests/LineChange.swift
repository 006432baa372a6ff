// Which line of a text is another than before.

import EventStore

/// The first line that one of two lists has and the other has not, with the one of the other list that it was or
/// became.
struct LineChange: Sendable {
  /// The line as it was; nil if there is one more now.
  var recorded: String?
  /// The line as it is; nil if there is one less now.
  var replayed: String?
  /// How many lines were others, this one among them.
  private var count: Int
  /// How many lines are looked through for the one that it became.
  private static let mostCompared = 400

  /// The change from one list to another; nil if both have the same lines.
  init?(from recorded: [String], to replayed: [String]) {
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
    // What a line is about stands at its beginning, and the rest mostly stays.
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

  /// What a line is about: what stands before its first bar, or its first word.
  private static func subject(of line: String) -> String {
    let head = line.firstIndex(of: "|").map { line[..<$0] } ?? line.prefix { $0 != " " }
    return head.prefix(60).split(separator: " ").joined(separator: " ")
  }
}
