/// Which tickets failed with a commit.
///
/// A failed commit drops all that was queued at or behind its first position, and begins a new generation; later
/// appends get the same positions again. A ticket of generation g has failed when some failure of generation g or later
/// dropped positions under the ticket's end.
struct FailedCommits {
  private struct Loss {
    var generation: Int
    var cut: UInt64
    var error: StoreError
  }

  /// The generation of tickets issued from now on.
  private(set) var generation = 0
  private var failures: [Loss] = []
  /// If the disk stays full, every commit fails; older failures are merged into one.
  private static let limit = 256

  /// Notes that everything from `cut` on was dropped.
  mutating func note(cut: UInt64, error: StoreError) {
    failures.append(Loss(generation: generation, cut: cut, error: error))
    generation += 1
    guard failures.count > Self.limit else { return }
    let oldest = failures.removeFirst()
    failures[0].cut = min(failures[0].cut, oldest.cut)
  }

  /// Why the ticket has failed, or nil if it has not.
  func error(of ticket: Ticket) -> StoreError? {
    guard ticket.generation < generation else { return nil }
    return failures.first { $0.generation >= ticket.generation && $0.cut < ticket.positions.upperBound }?.error
  }
}
