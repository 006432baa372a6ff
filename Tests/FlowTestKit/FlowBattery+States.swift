// Every input at every state, those among them that cannot come; and that `show --at` shows the whole state.

import EventStore
import FlowRecording
public import Replay

extension FlowBattery {
  /// Feeds records of the flows to states of the flows, and looks at what is decided and at what is shown.
  ///
  /// - Parameters:
  ///   - flows: recorded flows of the kind.
  ///   - states: how many states of each flow are fed to; all of them are looked at.
  ///   - count: how many records are fed to each.
  /// - Returns: what was found, each finding once.
  public func states(of flows: [RecordedFlow], fed states: Int = 150, with count: Int = 120) -> [String] {
    var findings: Set<String> = []
    let inputs = sample(flows.flatMap(\.records), of: count)
    for flow in flows {
      var core = Kind.Core()
      let fed = Set(sample(flow.records, of: states).map(\.revision))
      for record in flow.records {
        core.fold(record)
        for hidden in WholeState.hidden(in: core, shown: Kind.state(of: core)) {
          findings.insert("show --at hides \(hidden)")
        }
        guard fed.contains(record.revision) else { continue }
        for input in inputs { findings.formUnion(feed(input, to: core, at: record)) }
      }
    }
    return findings.sorted()
  }

  /// What is wrong with the decision on an input at a state. That there is one at all is half of the test: a core is total.
  private func feed(_ record: FlowRecord, to core: Kind.Core, at last: FlowRecord) -> [String] {
    // As an input that follows from the last record, and as one that names what it names.
    [last.revision, record.cause].flatMap { cause -> [String] in
      var core = core
      var input = record
      input.revision = last.revision + 1
      input.cause = cause
      core.fold(input)
      let before = core.openCalls
      let outputs = core.decide(input, on: nil, draws: Draws { _, _ in .failure(DrawFailure(.missing)) })
      var findings: [String] = []
      var open = before
      for output in outputs {
        if output.isInput { findings.append("\(record.event.type) is answered by the input \(output.type)") }
        guard case .callReturned(let returned) = output else { continue }
        if open.remove(returned.call) == nil {
          findings.append("\(record.event.type) returns a call that is not open, after \(last.event.type)")
        }
      }
      return findings
    }
  }

  private func sample(_ records: [FlowRecord], of count: Int) -> [FlowRecord] {
    guard records.count > count else { return records }
    return (0..<count).map { records[$0 * records.count / count] }
  }
}
