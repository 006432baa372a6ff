// Draws for a flow that runs again with inputs other than the recorded ones.

import EventStore
import FlowRecording

/// Returns the draws that were recorded with the same input; for an additional one, the next of its kind in the
/// recording, or the last one again.
final class RemadeDraws: DrawSource {
  private struct State {
    var step: [DrawKind: [Result<JSON, DrawFailure>]] = [:]
    var all: [DrawKind: [Result<JSON, DrawFailure>]] = [:]
    var next: [DrawKind: Int] = [:]
  }

  private let state: Locked<State>

  init(_ records: [FlowRecord]) {
    var state = State()
    for record in records {
      if case .drawMade(let draw) = record.event { state.all[draw.kind, default: []].append(draw.result) }
    }
    self.state = Locked(state)
  }

  /// Sets the draws that were recorded with the next input.
  func begin(_ outputs: [FlowRecord]) {
    state.withLock { state in
      state.step = [:]
      for output in outputs {
        if case .drawMade(let draw) = output.event { state.step[draw.kind, default: []].append(draw.result) }
      }
    }
  }

  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> Result<JSON, DrawFailure> {
    state.withLock { state in
      let place = state.next[kind, default: 0]
      state.next[kind] = place + 1
      if var recorded = state.step[kind], !recorded.isEmpty {
        let first = recorded.removeFirst()
        state.step[kind] = recorded
        return first
      }
      guard let all = state.all[kind], let last = all.last else { return .failure(DrawFailure(.missing)) }
      return place < all.count ? all[place] : last
    }
  }
}
