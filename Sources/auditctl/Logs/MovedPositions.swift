// The new positions of lines that name their old positions, because causes of later lines name the old ones.

import EventStore

/// New positions by old ones. Lines that follow each other in both logs take no room of their own.
struct MovedPositions {
  private struct Run {
    var old: UInt64
    var new: UInt64
    var count: UInt64
  }

  private var runs: [Run] = []

  /// Notes where a line stands now. Its old position is above all that were noted before.
  mutating func note(_ old: UInt64, at new: UInt64) {
    if let run = runs.last, run.old + run.count == old, run.new + run.count == new {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(old: old, new: new, count: 1))
    }
  }

  /// Where the line with an old position stands now; nil if there was none.
  func position(of old: UInt64) -> UInt64? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].old <= old { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    return old - run.old < run.count ? run.new + (old - run.old) : nil
  }
}
