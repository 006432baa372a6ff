import Authn
import EventStore
import Testing

@testable import FlowRecording
@testable import Replay

/// Events as a whole replay reads them from their bytes.
@Suite struct RereadTests {
  private static func reread(_ event: FlowEvent, _ change: (JSON) -> JSON = { $0 }) -> FlowEvent {
    var changed = EventCoding.encode(event)
    if changed.parts.isEmpty, let data = try? JSON(parsing: changed.data) { changed.data = change(data).bytes }
    return AuthnKind.reread(event, from: changed)
  }

  @Test("each event of a recording is the same when it is read again, one of many parts too")
  func same() throws {
    for record in try GoldenRecordings.read("push-approved").flows.flatMap(\.records) {
      #expect(Self.reread(record.event).isSame(as: record.event))
    }
    let long = FlowEvent.noteAdded(NoteAdded(text: String(repeating: "\u{e4}\"", count: 50_000)))
    #expect(EventCoding.encode(long).parts.count > 1)
    #expect(Self.reread(long).isSame(as: long))
  }

  @Test("an event that is written otherwise than it is read shows")
  func otherwise() throws {
    let records = try GoldenRecordings.read("push-approved").flows.flatMap(\.records)
    let changed = try #require(records.first { $0.event.type == "status.changed" }?.event)
    let withMore = Self.reread(changed) { json in
      guard case .object(var object) = json else { return json }
      object["unheard"] = "of"
      return .object(object)
    }
    #expect(withMore.isSame(as: changed), "the typed view writes what it knows")
    let other = Self.reread(changed) { json in
      guard case .object(var object) = json else { return json }
      object["status"] = "SUCCESS"
      return .object(object)
    }
    #expect(!other.isSame(as: changed))
  }

  @Test("an event that no reader can read says so")
  func unreadable() throws {
    let sent = try #require(
      try GoldenRecordings.read("push-approved").flows.flatMap(\.records).first { $0.event.type == "request.sent" })
    let read = Self.reread(sent.event) { _ in ["method": 7] }
    #expect(read.type == "request.sent" && read.data["unreadable"]?.string?.contains("request.sent") == true)
    let broken = AuthnKind.reread(sent.event, from: EncodedEvent(data: Array("{".utf8), parts: []))
    #expect(broken.data["unreadable"]?.string?.isEmpty == false)
  }
}
