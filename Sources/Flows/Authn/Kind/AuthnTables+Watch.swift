// When the end of an application's objects counts as their release, in all orders of what can happen to them.

import EventStore
import FlowRecording

extension AuthnKind {
  private enum Happening: Int {
    case waits, isGone, isOver, later
  }

  static var watched: Set<String> {
    let status = SignInTrials.start(FlowStage([]))
    var lines: [[Int]: [Bool]] = [:]
    for number in 0..<4_096 {
      let order = (0..<6).map { (number >> (2 * $0)) & 3 }
      lines[Array(order.prefix(2)), default: []] += ends(order, status)
    }
    return Set(lines.map { "\($0)|\($1.map { $0 ? 1 : 0 })" } + ["grace|\(PollWatch.grace)"])
  }

  /// Whether each end of the objects counts as their release.
  private static func ends(_ order: [Int], _ status: OktaAuthStatus) -> [Bool] {
    let time = VirtualTime(start: Timestamp(microseconds: 1_768_467_641_000_000))
    let watch = PollWatch(clock: time)
    var ends: [Bool] = []
    for happening in order.compactMap(Happening.init) {
      switch happening {
      case .waits: watch.letGo(of: Locked(status))
      case .isGone: ends.append(watch.sessionIsGone())
      case .isOver: watch.callIsOver()
      case .later: time.advance(milliseconds: 1_000)
      }
    }
    return ends
  }
}
