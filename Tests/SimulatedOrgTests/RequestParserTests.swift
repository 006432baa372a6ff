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

  private func chunked(_ body: String) -> [UInt8] {
    Array("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8)
  }

  /// The stream in pieces of a size.
  private func pieces(_ bytes: [UInt8], of size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
  }

  @Test func `many small chunks cost no more than their bytes, in whatever pieces they come`() throws {
    let count = 200_000
    let bytes = chunked(String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n")
    let start = ContinuousClock.now
    let found = try requests(pieces(bytes, of: 256))
    // One pass takes about a second; one for each piece took many minutes. Only that breaks this bound, not the load.
    #expect(start.duration(to: .now) < .seconds(120))
    #expect(found.map(\.body.count) == [count] && found.map(\.raw) == [bytes])
  }

  @Test(arguments: [256, 4096, 1 << 24])
  func `what stands around the content of chunks is bounded`(size: Int) throws {
    let field = "X-Trailer: \(String(repeating: "x", count: 1000))\r\n"
    let trailers = { (count: Int) in
      chunked("1\r\na\r\n0\r\n" + String(repeating: field, count: count) + "\r\n")
    }
    #expect(try requests(pieces(trailers(16), of: size)).map(\.text) == ["a"])
    #expect(throws: RequestDefect.headTooLarge) { try requests(pieces(trailers(17), of: size)) }
    let line = { (count: Int) in chunked("1;" + String(repeating: "x", count: count) + "\r\na\r\n0\r\n\r\n") }
    #expect(try requests(pieces(line(16 * 1024 - 4), of: size)).map(\.text) == ["a"])
    #expect(throws: RequestDefect.malformed) { try requests(pieces(line(16 * 1024 - 3), of: size)) }
    let chunk = "1;" + String(repeating: "x", count: 8186) + "\r\na\r\n"
    let extensions = { (count: Int) in chunked(String(repeating: chunk, count: count) + "0\r\n\r\n") }
    #expect(try requests(pieces(extensions(511), of: size)).map(\.body.count) == [511])
    #expect(throws: RequestDefect.bodyTooLarge) { try requests(pieces(extensions(512), of: size)) }
  }

  @Test(arguments: [
    ("3 \t;x=\"y\"\r\nabc\r\n0\r\n\r\n", "abc"), ("0000003\r\nabc\r\n00\r\n\r\n", "abc"),
    ("a\r\n0123456789\r\nB\r\n0123456789a\r\n0;last\r\nT: v\r\nU: w\r\n\r\n", "01234567890123456789a"),
  ])
  func `chunks as they may be written`(body: String, content: String) throws {
    let bytes = chunked(body)
    for size in 1...bytes.count {
      let found = try requests(pieces(bytes, of: size))
      #expect(found.map(\.text) == [content] && found.map(\.raw) == [bytes], "\(size)")
    }
  }

  @Test(arguments: ["", ";x", "g", "1 1", "\u{FF11}", "0x1", "1\r"])
  func `what is no size of a chunk is no request`(size: String) {
    #expect(throws: RequestDefect.malformed) { try requests([chunked("\(size)\r\na\r\n0\r\n\r\n")[...]]) }
  }

  @Test func `lengths that agree are one length`() throws {
    let text = "POST / HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\nx"
    #expect(try requests([Array(text.utf8)[...]]).map(\.text) == ["x"])
  }
}
