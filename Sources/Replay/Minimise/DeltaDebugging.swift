// Delta debugging (Zeller and Hildebrandt, «Simplifying and Isolating Failure-Inducing Input», 2002): parts are left
// out in ever smaller pieces, as long as the rest still shows the sought behavior.

enum DeltaDebugging {
  /// The items of which none can be left out without losing the sought behavior.
  ///
  /// - Parameters:
  ///   - items: all items, which show the behavior.
  ///   - shows: whether a selection, in the order of `items`, still shows it.
  static func reduce<Item>(_ items: [Item], _ shows: ([Item]) -> Bool) -> [Item] {
    guard !items.isEmpty else { return items }
    if shows([]) { return [] }
    var kept = items
    var size = max(1, kept.count / 2)
    while true {
      let before = kept.count
      // From the end: later items depend on earlier ones, not the other way around.
      var end = kept.count
      while end > 0 {
        let start = max(0, end - size)
        let rest = Array(kept[..<start] + kept[end...])
        if rest.count < kept.count, shows(rest) { kept = rest }
        end = min(start, kept.count)
      }
      if size > 1 {
        size = max(1, size / 2)
      } else if kept.count == before {
        return kept
      }
    }
  }
}
