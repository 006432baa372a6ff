// A recorder whose log stops accepting records after a while: for tables of what applications receive then.

/// Accepts a number of steps of each flow, and refuses all later ones.
package final class StoppingRecorder: Recorder {
  /// Where it refuses.
  package enum Place: CaseIterable, Sendable {
    /// When records are appended.
    case append
    /// When the flow waits for them to be written, reported at once.
    case barrier
    /// The same, reported later.
    case laterBarrier
  }

  private let steps: Int
  private let place: Place

  /// Makes a recorder that accepts this many steps.
  package init(after steps: Int, at place: Place) { (self.steps, self.place) = (steps, place) }

  package func journal(for stream: String) -> any FlowJournal { Journal(left: Locked(steps), place: place) }

  private struct Journal: FlowJournal {
    let left: Locked<Int>
    let place: Place
    static let error = AuditError("The disk is full.")

    private func takes() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }

    func append(_ entries: [JournalEntry]) throws(AuditError) {
      if place == .append, !takes() { throw Self.error }
    }

    func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
      switch place {
      case .append: return .passed
      case .barrier: return takes() ? .passed : .failed(Self.error)
      case .laterBarrier:
        resume(takes() ? nil : Self.error)
        return .pending
      }
    }
  }
}
