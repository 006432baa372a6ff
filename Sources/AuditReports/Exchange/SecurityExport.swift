// A store, or some of its flows, in the format of another tool: one line per event.

import EventStore
import FlowKinds

/// Writes the contents of a log for other tools.
package struct SecurityExport {
  /// The forms.
  package enum Form: String, Sendable, CaseIterable {
    case ocsf, cef, ecs, otlp
  }

  private let form: Form
  private let filter: FlowFilter
  private let (since, until): (Timestamp?, Timestamp?)
  private let streams: Set<ByteName>?

  /// Makes an export.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - filter: which flows. Its bounds apply to the time of the event and, for spans, to the last event of the flow.
  ///     Exporting consecutive periods returns each event exactly once, however long its flow takes.
  ///   - streams: their names; nil for all.
  package init(as form: Form, where filter: FlowFilter = FlowFilter(), streams: [String]? = nil) {
    var anyTime = filter
    (anyTime.since, anyTime.until) = (nil, nil)
    (self.form, self.filter) = (form, anyTime)
    (since, until) = (filter.since, filter.until)
    self.streams = streams.map { Set($0.map { ByteName($0) }) }
  }

  /// Reads a log from its beginning and passes the lines to `line` in the order of its records; those of open flows
  /// come last.
  ///
  /// - Returns: the number of lines.
  package func run(on log: some RecordReading, _ line: (String) throws -> Void) throws -> Int {
    switch form {
    case .ocsf: try events(of: log) { try line(OCSF.json(of: $0).text.printable) }
    case .cef: try events(of: log) { try line(CEF.line(of: $0)) }
    case .ecs: try events(of: log) { try line(ECS.json(of: $0).text.printable) }
    case .otlp: try spans(of: log) { try line($0.text.printable) }
    }
  }

  private func records(of log: some RecordReading, _ body: (StoredRecord) throws -> Void) throws {
    if let streams {
      let found = try streams.flatMap { try log.records(of: $0.text) }
      for record in found.sorted(by: { $0.position < $1.position }) { try body(record) }
    } else {
      var failure: (any Error)?
      do throws(StoreError) {
        try log.forEach { record throws(StoreError) in
          do { try body(record) } catch {
            failure = error
            throw StoreError(.closed, "the reader has gone")
          }
        }
      } catch {
        throw failure ?? error
      }
    }
  }

  private func passes(_ flow: FlowFacts, at time: Timestamp) -> Bool {
    since.map { $0 <= time } ?? true && until.map { time <= $0 } ?? true && filter.passes(flow)
  }

  private func events(of log: some RecordReading, _ body: (SecurityEvent) throws -> Void) throws -> Int {
    var reader = SecurityEventReader(of: log.identity)
    var count = 0
    func take(_ events: [SecurityEvent]) throws {
      for event in events where passes(event.flow, at: event.evidence.at) {
        try body(event)
        count += 1
      }
    }
    try records(of: log) { try take(reader.add($0)) }
    try take(reader.finish())
    return count
  }

  private func spans(of log: some RecordReading, _ body: (JSON) throws -> Void) throws -> Int {
    let spans = FlowSpans(of: log.identity)
    var flows: [ByteName: FlowSpans.Flow] = [:]
    var order: [ByteName] = []
    try records(of: log) { record in
      let name = ByteName(record.stream)
      if var flow = flows.removeValue(forKey: name) {
        spans.add(record, to: &flow, kinds: .standard)
        flows[name] = flow
      } else if let flow = spans.flow(startingWith: record, kinds: .standard) {
        flows[name] = flow
        order.append(name)
      }
    }
    var count = 0
    for name in order {
      guard let flow = flows[name], passes(flow.facts, at: flow.facts.latest) else { continue }
      try body(spans.json(of: flow))
      count += 1
    }
    return count
  }
}
