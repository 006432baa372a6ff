// What a recorder with observers passes on, and how streams of records are read again.

import EventStore

extension RuntimeTables {
  /// Keeps the records that it receives.
  private final class Listener: RecordObserver {
    let heard = Locked<[String]>([])

    func observe(_ records: [FlowRecord], of stream: String) {
      heard.withLock { $0.append("\(stream) \(records.map(\.event.type))") }
    }
  }

  /// Two steps of a flow, each with its barrier, for logs that accept none, one, or both.
  static var teed: [String] {
    let note = FlowEvent.noteAdded(NoteAdded(text: "note"))
    let entry = JournalEntry(
      record: FlowRecord(revision: 0, at: Timestamp(microseconds: 0), cause: nil, event: note),
      encoded: EventCoding.encode(note))
    let recorders: [(String, (any Recorder)?)] =
      [("none", nil)]
      + StoppingRecorder.Place.allCases.flatMap { place in
        (0...2).map { ("\(place) \($0)", StoppingRecorder(after: $0, at: place)) }
      }
    return recorders.map { name, recorder in
      let listener = Listener()
      let tee = TeeRecorder(recorder, to: [listener, listener])
      let journal = tee.journal(for: "flow/1")
      let resumed = Locked<[String]>([])
      var ends: [String] = []
      for _ in 0..<2 {
        do throws(AuditError) {
          try journal.append([entry, entry])
          ends.append("appended")
        } catch {
          ends.append(error.message)
        }
        switch journal.barrier(resume: { error in resumed.withLock { $0.append(error?.message ?? "written") } }) {
        case .passed: ends.append("passed")
        case .failed(let error): ends.append("failed: \(error.message)")
        case .pending: ends.append("pending")
        }
      }
      tee.flush()
      return line(name, "\(ends) \(resumed.withLock { $0 }) \(listener.heard.withLock { $0 }) \(tee.omitted)")
    } + [line("many", many(entry))] + running
  }

  /// What a recorder says about itself, without its version.
  private static var running: [String] {
    let events: [RecorderEvent] = [
      .started(.required, heartbeat: .milliseconds(90_500), afterFailure: false),
      .started(.bestEffort, heartbeat: nil, afterFailure: true), .heartbeat, .stopped(lost: 0), .stopped(lost: 3),
    ]
    return events.enumerated().map { number, event in
      let record = event.record(at: Timestamp(microseconds: 7))
      let data = (try? JSON(parsing: record.data)) ?? .null
      let members = ["auditing", "heartbeat", "afterFailure", "lost"].map { "\($0) \(data[$0]?.text ?? "-")" }
      return line("running \(number)", "\(record.at) \(record.stream) \(record.type) \(record.version) \(members)")
    }
  }

  /// Gaps in a log: of one flow, of several in turn, of many, and of one that could not be recorded before.
  static var gaps: [String] {
    func gap(_ streams: [String], from start: Int) -> LogGap {
      var gap = LogGap()
      for (number, stream) in streams.enumerated() {
        let time = Timestamp(microseconds: Int64(start + number) * 1_000_000)
        gap.lose(number + 1, of: stream, at: time, reason: "reason \(start + number)")
      }
      return gap
    }
    let many = (0..<LogGap.mostFlows + 2).map { "f/\($0)" }
    let streams: [[String]] = [[], ["f/1"], ["f/1", "f/1", "f/1"], ["f/1", "f/2", "f/2", "f/1"], ["f/3"], many]
    return streams.enumerated().flatMap { number, earlier in
      [line("gap \(number)", gap(earlier, from: 5).data.text)]
        + streams.enumerated().map { place, later in
          var joined = gap(later, from: 90)
          joined.join(earlier: gap(earlier, from: 5))
          return line("gap \(place) after \(number)", joined.data.text)
        }
    }
  }

  /// How many of more steps than may wait for the observers they hear of, if none has to wait for long.
  private static func many(_ entry: JournalEntry) -> [Int] {
    let listener = Listener()
    let tee = TeeRecorder(nil, to: [listener])
    let journal = tee.journal(for: "flow/1")
    for _ in 0..<11 {
      for _ in 0..<1_000 { try? journal.append([entry]) }
      tee.flush()
    }
    return [listener.heard.withLock { $0.count }, tee.omitted]
  }

  // MARK: Streams

  /// A stream with a long event, whole and with records missing, doubled, exchanged, or of another type.
  static var streams: [String] {
    guard let records = try? stream else { return [] }
    var variants: [(String, [StoredRecord])] = [("whole", records)]
    for place in records.indices {
      variants.append(("cut at \(place)", Array(records[..<place])))
      variants.append(("without \(place)", records.enumerated().filter { $0.offset != place }.map(\.element)))
      variants.append(("\(place) twice", Array(records[...place] + records[place...])))
      guard place + 1 < records.count else { continue }
      var exchanged = records
      exchanged.swapAt(place, place + 1)
      variants.append(("\(place) exchanged", exchanged))
    }
    return variants.flatMap { name, records in
      [false, true].map { allowsGaps in line("\(name) \(allowsGaps)", read(records, allowsGaps)) }
    }
  }

  private static var stream: [StoredRecord] {
    get throws(StoreError) {
      let events: [(FlowEvent, Int?)] = [
        (.callMade(CallMade(call: "send", arguments: [:])), nil),
        (.noteAdded(NoteAdded(text: String(repeating: "long ", count: 30_000))), 0),
        (.noteAdded(NoteAdded(text: "short")), 0),
      ]
      var records: [StoredRecord] = []
      for (event, cause) in events {
        let encoded = EventCoding.encode(event)
        let all = [(event.identity.type, encoded.data)] + encoded.parts.map { (EventCoding.partType, $0) }
        for (type, data) in all {
          let new = NewRecord(
            at: Timestamp(microseconds: 0), stream: "flow/1", type: type, version: 1, data: data)
          records.append(
            try StoredRecord(
              new, position: UInt64(records.count), revision: records.count, cause: cause.map { UInt64($0) }))
        }
      }
      return records
    }
  }

  private static func read(_ records: [StoredRecord], _ allowsGaps: Bool) -> String {
    var decoder = EventDecoder(allowingGaps: allowsGaps)
    do throws(StreamError) {
      for record in records { try decoder.add(record) }
      return try decoder.finish().map { record in
        "\(record.revision) \(record.cause ?? -1) \(record.event.type) \(record.event.data.text.utf8.count)"
      }.joined(separator: ", ")
    } catch {
      return error.reason
    }
  }
}
