// Checking segments on several threads. Each segment states in its header the tree over what is before it, so that it
// can be checked by itself; the tree in its header and the revisions of its streams are compared when its turn comes.
// If anything is wrong, the segment is checked once more in its turn, by the thread that goes through all in order: the
// report does not depend on the threads.
/// A segment without faults, provided that its header is right about the log before it.
struct SegmentAhead {
  /// The tree that its header states.
  let start: MerkleFrontier
  /// The check's results for it.
  let check: LogCheck
}

extension LogCheck {
  /// Takes in a segment that was checked ahead, as if it were checked now. Returns false, and takes in nothing, if it
  /// does not follow the log before it.
  mutating func adopt(_ segment: SegmentAhead) -> Bool {
    let seen = segment.check
    guard segment.start == frontier else { return false }
    for stream in seen.streams.entries {
      let known = streams.index(of: stream.name.span).map { streams[$0].next }
      guard known ?? firstRevision(of: stream.name.span, as: stream.first) == stream.first else { return false }
    }
    for stream in seen.streams.entries {
      if let known = streams.index(of: stream.name.span) {
        streams[known].next = stream.next
      } else {
        _ = streams.add(stream.name.span, first: stream.first, next: stream.next)
      }
    }
    frontier = seen.frontier
    synced = max(synced, seen.synced)
    pruning.add(seen.pruning)
    if whole == nil {
      take(signed: seen.signed)
      take(newest: seen.newest)
    }
    if whole == nil { roots.merge(seen.roots) { $1 } }
    wanted.removeAll { $0 <= frontier.size }
    return true
  }
}

/// The segments of a log that are checked ahead of their turn, a few at a time.
final class ChecksAhead: @unchecked Sendable {  // guarded by `monitor`
  /// The state of a segment.
  private enum State {
    case waiting
    case begun
    case done(SegmentAhead?)
  }

  private let check: LogCheck
  private let firsts: [UInt64]
  private let threads: Int
  private let monitor = Monitor()
  private var states: [State]
  /// How many segments have had their turn, and the index from which none was begun.
  private var turn = 0
  private var next = 0
  private var running = 0
  private var isStopped = false

  /// Begins to check segments on `threads` threads, that of the caller counted in.
  init(of check: LogCheck, firsts: [UInt64], threads: Int) {
    self.check = check
    self.firsts = firsts
    self.threads = max(1, min(threads, firsts.count))
    states = [State](repeating: .waiting, count: firsts.count)
    running = self.threads - 1
    for _ in 1..<self.threads {
      do throws(StoreError) {
        try startThread("LogCheck", stackSize: 1 << 20) { self.help() }
      } catch {
        // The other threads check its share, or the caller does when the turn comes.
        monitor.lock()
        running -= 1
        monitor.unlock()
      }
    }
  }

  /// The results of checking the segment `index`, whose turn it is; nil if the caller must check it now. Works on later
  /// ones while another thread is checking it.
  func take(_ index: Int) -> SegmentAhead? {
    monitor.lock()
    defer { monitor.unlock() }
    turn = index
    monitor.tell(.work)
    while true {
      switch states[index] {
      case .waiting:
        states[index] = .begun
        next = max(next, index + 1)
        return nil
      case .done(let segment):
        states[index] = .begun
        return segment
      case .begun:
        if !checkNext() { monitor.wait(for: .work) }
      }
    }
  }

  /// Ends the threads, and waits for them.
  func stop() {
    monitor.lock()
    isStopped = true
    monitor.tell(.work)
    while running > 0 { monitor.wait(for: .work) }
    monitor.unlock()
  }

  private func help() {
    monitor.lock()
    while !isStopped, next < firsts.count {
      if !checkNext() { monitor.wait(for: .work) }
    }
    running -= 1
    monitor.tell(.work)
    monitor.unlock()
  }

  /// Checks the next segment that no thread is checking. False if there is none, or if enough wait for their turn.
  /// Called with the lock, which it releases meanwhile.
  private func checkNext() -> Bool {
    guard !isStopped, next < firsts.count, next <= turn + 2 * threads else { return false }
    let index = next
    next += 1
    states[index] = .begun
    monitor.unlock()
    let segment = check.ahead(index, of: firsts)
    monitor.lock()
    states[index] = .done(segment)
    monitor.tell(.work)
    return true
  }
}
