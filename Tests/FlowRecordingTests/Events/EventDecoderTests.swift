import EventStore
import Testing

@testable import FlowRecording

/// Streams that are read one record at a time.
@Suite struct EventDecoderTests {
  private func record(
    _ number: Int, _ type: String, _ data: JSON, cause: Int? = nil, revision: Int? = nil
  ) throws -> StoredRecord {
    let line = JSON.members([
      ("n", .int(number)), ("at", "2026-01-15T09:00:00.000000Z"), ("stream", "authn/01"),
      ("rev", .int(revision ?? number)), ("type", .string(type)), ("v", 1), ("cause", cause.map(JSON.int)),
      ("data", data),
    ])
    return try StoredRecord(line: line.bytes)
  }

  private func answer(_ number: Int) -> JSON {
    [
      "status": 200, "headers": [["Date", .string("day \(number % 3)")]],
      "body": [
        "expiresAt": .string("2026-01-15T09:05:\(10 + number % 7)Z"),
        "_embedded": ["user": ["id": "00u1", "profile": ["login": "ann@acme.example"]]],
      ],
    ]
  }

  @Test("a long stream of like records is read as each record by itself")
  func like() throws {
    let records = try (0..<400).map { try record($0, "response.received", answer($0)) }
    let flow = try EventCoding.decode(records)
    #expect(flow.map(\.event.data) == (0..<400).map(answer))
    #expect(flow.map(\.revision) == Array(0..<400))
  }

  @Test("what answers of a long stream have in common is in memory once, so that polls do not fill it")
  func shared() throws {
    let flow = try EventCoding.decode((0..<400).map { try record($0, "response.received", answer($0)) })
    var places: Set<UInt> = []
    for record in flow {
      guard case .responseReceived(let response) = record.event, case .json(let body) = response.body,
        case .object(let object)? = body["_embedded"]
      else { continue }
      places.insert(object.members.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
    }
    // Those of the beginning, where streams that do not poll end, have their own.
    #expect(places.count <= 101, "\(places.count)")
  }

  @Test("a cause is the revision of the record at that position, wherever that stands")
  func causes() throws {
    let records = [
      try record(10, "timer.fired", [:], revision: 0), try record(12, "timer.fired", [:], cause: 10, revision: 1),
      try record(18, "timer.fired", [:], cause: 17, revision: 2),
      try record(17, "timer.fired", [:], cause: 9, revision: 3),
    ]
    #expect(try EventCoding.decode(records).map(\.cause) == [nil, 0, 3, nil])
  }

  @Test("an event in parts is read whole, and refused if a part is missing, of another type or too many")
  func parts() throws {
    let note = FlowEvent.noteAdded(NoteAdded(text: String(repeating: "é", count: 60_000)))
    let encoded = EventCoding.encode(note)
    try #require(encoded.parts.count > 2)
    let head = try record(0, "note.added", JSON(parsing: encoded.data))
    let parts = try encoded.parts.enumerated().map { try record($0.offset + 1, "body.part", JSON(parsing: $0.element)) }
    let last = try record(parts.count + 1, "timer.fired", [:])
    let flow = try EventCoding.decode([head] + parts + [last])
    #expect(flow.map(\.event) == [note, .timerFired(TimerFired())])
    #expect(flow.map(\.revision) == [0, parts.count + 1])
    for records in [[head], [head] + parts.dropLast(), [head] + parts.dropLast() + [last]] {
      #expect(throws: StreamError.self) { try EventCoding.decode(records, allowingGaps: true) }
    }
    for count in [0, -1, 257] {
      let error = #expect(throws: StreamError.self) {
        try EventCoding.decode([record(0, "note.added", ["parts": .int(count)])])
      }
      #expect(error?.reason == "its \(count) parts are not all there")
    }
  }

  @Test("a revision that is missing is refused, unless gaps are allowed")
  func gaps() throws {
    let records = [try record(0, "timer.fired", [:]), try record(1, "timer.fired", [:], revision: 2)]
    #expect(throws: StreamError.self) { try EventCoding.decode(records) }
    #expect(try EventCoding.decode(records, allowingGaps: true).map(\.revision) == [0, 2])
    let twice = [try record(0, "timer.fired", [:]), try record(1, "timer.fired", [:], revision: 0)]
    let error = #expect(throws: StreamError.self) { try EventCoding.decode(twice) }
    #expect(error?.reason == "revision 0 stands there twice")
  }
}
