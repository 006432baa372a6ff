// A line on a terminal that shows the progress of long work. Nothing is written if the output is not a terminal.

import EventStore
import Glibc
import Synchronization

/// A progress bar on standard error: only where that is a terminal, and only for work that takes a while.
final class ProgressBar: Sendable {
  private struct State {
    var begun: UInt64
    var drawn: UInt64 = 0
    var isShown = false
  }

  private let label: String
  private let unit: Unit
  private let state: Mutex<State>

  /// What is counted.
  enum Unit {
    case bytes, records, flows, recordings
  }

  /// The time before progress is shown, and between two updates, in milliseconds.
  private static let (patience, interval) = (UInt64(400), UInt64(100))

  /// A bar for work that `label` names, or nil if standard error is not a terminal that can redraw a line.
  init?(_ label: String, _ unit: Unit = .bytes) {
    let dumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    guard isatty(STDERR_FILENO) == 1, !dumb else { return nil }
    self.label = label
    self.unit = unit
    state = Mutex(State(begun: Self.now()))
  }

  /// Receives the progress of the work.
  var progress: WorkProgress { { done, total in self.tell(done, of: total) } }

  private func tell(_ done: UInt64, of total: UInt64) {
    let now = Self.now()
    let isDue = state.withLock { state in
      guard now >= state.begun + Self.patience, now >= state.drawn + Self.interval else { return false }
      state.drawn = now
      state.isShown = true
      return true
    }
    guard isDue else { return }
    Messages.ask("\r" + Self.line(label, done, of: total, unit: unit, width: Terminal.errorWidth) + "\u{1B}[K")
  }

  /// Takes the bar away. Call it before anything else is printed.
  func clear() {
    let wasShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    if wasShown { Messages.ask("\r\u{1B}[K") }
  }

  /// Runs work with a bar, and takes it away however the work ends.
  static func during<Result, Failure: Error>(
    _ label: String, _ unit: Unit = .bytes, _ work: (WorkProgress?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bar = ProgressBar(label, unit)
    defer { bar?.clear() }
    return try work(bar?.progress)
  }

  /// The line for some state of the work, shorter than `width`, without colour, so that NO_COLOR has nothing to switch
  /// off.
  static func line(_ label: String, _ done: UInt64, of total: UInt64, unit: Unit, width: Int) -> String {
    let share = total == 0 ? 0 : min(Double(done) / Double(total), 1)
    let percent = "\(Int(share * 100))%"
    let counts =
      switch unit {
      case .bytes: "\(mebibytes(done)) of \(mebibytes(total)) MiB"
      case .records: "\(done) of \(total) records"
      case .flows: "\(done) of \(total) flows"
      case .recordings: "\(done) of \(total) recordings"
      }
    let tail = String(repeating: " ", count: max(0, 4 - percent.count)) + "\(percent)  \(counts)"
    let room = min(30, width - 1 - label.count - tail.count - 4)
    guard room >= 5 else { return String("\(label) \(percent)".prefix(max(0, width - 1))) }
    let full = Int(share * Double(room))
    return "\(label) [" + String(repeating: "#", count: full) + String(repeating: ".", count: room - full) + "] \(tail)"
  }

  private static func mebibytes(_ bytes: UInt64) -> String {
    let tenths = bytes / (1 << 20) * 10 + bytes % (1 << 20) * 10 / (1 << 20)
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
  }
}
