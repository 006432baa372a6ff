import EventStore
import FlowRecording
import Testing

/// How long an exchange took, as it stands in the log.
@Suite struct HTTPTimingTests {
  private func event(_ text: String) throws -> ResponseReceived {
    try ResponseReceived(data: JSON(parsing: Array(text.utf8)))
  }

  @Test("it is written last, and read as it was written; what is not known is left out")
  func roundTrip() throws {
    let whole = HTTPTiming(lookup: 1, connect: 20, secured: 300, firstByte: 4_000, total: 5_000, bytes: 6)
    for (timing, text) in [
      (whole, #"{"lookup":1,"connect":20,"secured":300,"firstByte":4000,"total":5000,"bytes":6}"#),
      (HTTPTiming(total: 5, bytes: 0), #"{"total":5,"bytes":0}"#),
    ] {
      for body in [RecordedBody.json(["a": 1]), .empty, .opaque(reason: "r", length: 3, placeholder: "p")] {
        let event = ResponseReceived(status: 200, headers: [], body: body, timing: timing)
        #expect(event.data.text.hasSuffix(",\"timing\":\(text)}"))
        #expect(try ResponseReceived(data: event.data) == event)
      }
    }
  }

  @Test("answers of before have none, and what is malformed is none")
  func without() throws {
    let head = #"{"status":200,"headers":[]"#
    #expect(try event(head + "}").timing == nil)
    for malformed in [
      "null", "7", "{}", #"{"total":1}"#, #"{"bytes":1}"#, #"{"total":"1","bytes":1}"#, #"{"total":1.5,"bytes":1}"#,
    ] {
      #expect(try event(head + ",\"timing\":\(malformed)}").timing == nil, "\(malformed)")
    }
  }
}
