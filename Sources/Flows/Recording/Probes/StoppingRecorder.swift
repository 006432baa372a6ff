// A recorder whose log takes so much, and then nothing more: for tables of what applications hear then.

/// Takes so many steps of each flow, and refuses all that follow.
package final class StoppingRecorder: Recorder {
  /// Where it refuses.
  package enum Place: CaseIterable, Sendable {
    /// When records are appended.
    case append
    /// When the flow waits until they are written, which was said at once.
    case barrier
    /// The same, said later.
    case laterBarrier
  }

  private let steps: Int
  private let place: Place

  /// A recorder that takes so many steps.
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
