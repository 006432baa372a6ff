// Reading header lines, on the lines alone.

import Testing

@testable import FlowRecording

@Suite struct `Lines of a response's head` {
  private func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { head.take(Array((line + "\r\n").utf8)) }
    return head
  }

  @Test func `A folded line continues the value before it`() {
    let folded = head("HTTP/1.1 200 OK", "A:", "  b", "\tc  ", "")
    #expect(folded.fields == [HTTPField("A", "b c")])
    #expect(folded.isComplete)
  }

  @Test func `An interim response is not complete, and its fields are forgotten`() {
    let interim = head("HTTP/1.1 100 Continue", "A: b", "")
    #expect(!interim.isComplete)
    let final = head("HTTP/1.1 100 Continue", "A: b", "", "HTTP/2 204", "")
    #expect(final.status == 204)
    #expect(final.fields.isEmpty)
    #expect(final.isComplete)
  }

  @Test func `Lines after the head change nothing`() {
    let trailed = head("HTTP/1.1 200", "", "Trailer: t", "HTTP/1.1 500 X", "nonsense")
    #expect(trailed == head("HTTP/1.1 200", ""))
  }

  @Test(arguments: [
    "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 099", "HTTP/1.1 600", "HTTP/1.1 +20", "A: b", " folded",
  ])
  func `A first line that is no status line is malformed`(line: String) {
    #expect(head(line).isMalformed)
  }

  @Test(arguments: [" folded too early", "no colon", ": no name", ":", "HTTP/1.1 200 OK"])
  func `What is not a field is malformed`(line: String) {
    // A second status line after a final one has a colon nowhere, or is no field.
    #expect(head("HTTP/1.1 200 OK", line).isMalformed)
  }
}
