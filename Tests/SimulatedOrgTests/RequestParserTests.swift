// Framing: the same requests however the bytes come, and never more than an error from bytes that are none.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct RequestParserTests {
  private let stream =
    "POST /a?b=c HTTP/1.1\r\nHost: org\r\nContent-Length: 5\r\n\r\nhello"
    + "\r\nPOST /d HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n3;x\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n"
    + "GET /e HTTP/1.0\r\n\r\n"

  private func requests(_ pieces: [ArraySlice<UInt8>]) throws -> [ReceivedRequest] {
    var parser = RequestParser()
    var found: [ReceivedRequest] = []
    for piece in pieces {
      parser.append(Array(piece))
      while let parsed = try parser.next() { found.append(parsed.request) }
    }
    return found
  }

  @Test func `every cut of the stream gives the same requests`() throws {
    let bytes = Array(stream.utf8)
    let whole = try requests([bytes[...]])
    #expect(whole.map(\.target) == ["/a?b=c", "/d", "/e"])
    #expect(whole.map(\.text) == ["hello", "abc0123456789", ""])
    #expect(whole.map(\.raw.count).reduce(0, +) == bytes.count - 2)
    for cut in bytes.indices { #expect(try requests([bytes[..<cut], bytes[cut...]]) == whole) }
    #expect(try requests(bytes.indices.map { bytes[$0...$0] }) == whole)
  }

  @Test func `changed bytes are a request or a defect, never a trap`() {
    var draws = SeededGenerator(seed: 20_26)
    for _ in 0..<5000 {
      var bytes = Array(stream.utf8)
      for _ in 0...(draws.next() % 4) {
        let place = Int(draws.next() % UInt64(bytes.count))
        bytes[place] = [0, 10, 13, 32, 58, 45, 57, 255, UInt8(truncatingIfNeeded: draws.next())][Int(draws.next() % 9)]
      }
      _ = try? requests([bytes[...]])
    }
  }

  @Test(arguments: [
    ("Content-Length: 4194305", RequestDefect.bodyTooLarge), ("Content-Length: 99999999999999999999", .malformed),
    ("Content-Length: +1", .malformed), ("Content-Length: -0", .malformed), ("Content-Length: 1, 1", .malformed),
    ("Transfer-Encoding: gzip", .malformed),
    ("Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", .bodyTooLarge),
    ("Transfer-Encoding: chunked\r\n\r\n-1\r\n", .malformed), ("Transfer-Encoding: chunked\r\n\r\n+1\r\n", .malformed),
    ("Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .malformed), (": nameless", .malformed),
    (String(repeating: "x", count: 65_536) + ": long", .headTooLarge),
  ])
  func `bad framing has a name`(header: String, defect: RequestDefect) {
    #expect(throws: defect) { try requests([Array("POST / HTTP/1.1\r\n\(header)\r\n\r\n".utf8)[...]]) }
  }

  @Test func `lengths that agree are one length`() throws {
    let text = "POST / HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\nx"
    #expect(try requests([Array(text.utf8)[...]]).map(\.text) == ["x"])
  }
}
