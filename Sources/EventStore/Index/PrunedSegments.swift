/// Which segments of a store were pruned.
struct PrunedSegments {
  let layout: StoreLayout
  let disk: any Disk

  /// True if the records of the segment `first` were pruned. Reads a few bytes.
  func isPruned(_ first: UInt64) throws(StoreError) -> Bool {
    try FooterPlace.form(in: try disk.open(layout.segment(first), .read)) == .pruned
  }

  /// The position of the first record that was not pruned; 0 if none was. Pruned segments are the first ones, without a
  /// gap, so that a few are enough to look at.
  func firstKept() throws(StoreError) -> UInt64 {
    let firsts = try layout.segmentList(on: disk)
    guard let oldest = firsts.first, try isPruned(oldest) else { return 0 }
    var low = 1
    var high = firsts.count
    while low < high {
      let middle = low + (high - low) / 2
      if try isPruned(firsts[middle]) { low = middle + 1 } else { high = middle }
    }
    return low < firsts.count ? firsts[low] : firsts[low - 1]
  }
}
