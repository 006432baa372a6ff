import EventStore
import Testing

@testable import FlowRecording

/// A replay counts the records of an event without encoding it.
@Suite struct EventSizeTests {
  /// Texts that are short and long, and that grow as they are encoded.
  private static let texts = ["", "a", "\u{1}\"\\", String(repeating: "\u{1}", count: 40), "é🙂"]

  private static func events(_ text: String) -> [FlowEvent] {
    let json: JSON = .members([(text, .array([.string(text), .int(-12), .null, true, .object(JSONObject())]))])
    let fields = [HTTPField(text, text), HTTPField("a", "b")]
    return [
      .flowStarted(FlowStarted(kind: text, sdk: text, settings: json)), .flowEnded(FlowEnded(outcome: text)),
      .noteAdded(NoteAdded(text: text)), .callMade(CallMade(call: text, arguments: json, on: .max)),
      .callReturned(CallReturned(call: .min, outcome: .failed(code: text, details: json))),
      .requestSent(
        RequestSent(method: text, url: text, headers: fields, body: json, encoding: .query, foreignOrigin: text)),
      .requestSent(RequestSent(method: text, url: text, headers: [], body: nil)),
      .responseReceived(ResponseReceived(status: .max, headers: fields, body: .json(json))),
      .responseReceived(ResponseReceived(status: .min, headers: fields, body: .empty)),
      .responseReceived(
        ResponseReceived(
          status: .min, headers: fields, body: .json(json),
          timing: HTTPTiming(
            lookup: .min, connect: .min, secured: .min, firstByte: .min, total: .min, bytes: .min))),
      .responseReceived(
        ResponseReceived(status: 0, headers: fields, body: .opaque(reason: text, length: .max, placeholder: text))),
      .requestFailed(RequestFailed(TransportError(.timedOut, text))),
      .drawAsked(DrawAsked(kind: DrawKind(rawValue: text), input: json)),
      .drawMade(DrawMade(kind: DrawKind(rawValue: text), ordinal: .max, result: .success(json))),
      .timerSet(TimerSet(milliseconds: .max, purpose: text)), .timerFired(TimerFired()),
      .domain(DomainEvent(type: text, version: .max, data: json)),
    ]
  }

  @Test("no event is larger than the size that it is given", arguments: texts)
  func bound(text: String) {
    for event in Self.events(text) {
      #expect(event.data.bytes.count <= event.largestSize, "\(event)")
    }
  }

  @Test("the parts that are counted are those that are written")
  func parts() {
    for count in [0, 900, 9_900, 59_000, 60_001, 100_000, 200_000] {
      for letter in ["a", "\u{1}", "é"] {
        for event in Self.events(String(repeating: letter, count: count)) {
          #expect(EventCoding.partCount(of: event) == EventCoding.encode(event).parts.count)
        }
      }
    }
  }
}
