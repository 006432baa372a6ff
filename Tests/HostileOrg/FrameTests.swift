import Foundation
import Testing

/// HTTP/2, frame by frame, in clear text with prior knowledge.
@Suite struct FrameTests {
  /// A frame of RFC 9113.
  private static func frame(_ type: UInt8, _ flags: UInt8 = 0, on stream: UInt32 = 1, _ payload: [UInt8] = [])
    -> [UInt8]
  {
    let length = UInt32(payload.count)
    return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags] + bytes(stream)
      + payload
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(number >> UInt32($0) & 0xFF) }
  }

  /// A header field that is in no table (RFC 7541 §6.2.2); names and values under 127 bytes.
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
  }

  private static let ok: [UInt8] = [0x88]  // :status 200
  private static let head = frame(1, 4, ok)
  private static func frame(_ type: UInt8, _ flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
    frame(type, flags, on: 1, payload)
  }
  private static func data(_ text: String, _ flags: UInt8 = 1) -> [UInt8] { frame(0, flags, Array(text.utf8)) }

  /// Answers to the first request.
  private static let answers: [String: [UInt8]] = [
    "data over the limit": head + frame(0, 1, [UInt8](repeating: 0x20, count: 20_000)),
    "data over the limit after some": head + data("{", 0) + frame(0, 1, [UInt8](repeating: 0x20, count: 20_000)),
    "headers over the limit": frame(1, 5, ok + [UInt8](repeating: 0, count: 20_000)),
    "an unknown frame over the limit": head + frame(77, 0, [UInt8](repeating: 0, count: 20_000)),
    "a frame of 16 MiB that never comes": head + [0xFF, 0xFF, 0xFF, 0, 1, 0, 0, 0, 1],
    "no compression that can be read": frame(1, 5, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    "an index that is in no table": frame(1, 5, [0xFE]),
    "a table of 4 GiB": frame(1, 5, [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F] + ok),
    "a text longer than its frame": frame(1, 5, ok + [0, 1, 0x61, 0x7E, 0x62]),
    "Huffman that never ends": frame(1, 5, ok + [0, 1, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
    "no status": frame(1, 5, field("x-a", "b")),
    "two statuses": frame(1, 5, ok + ok),
    "a status after a field": frame(1, 5, field("x-a", "b") + ok),
    "a status not a number": frame(1, 5, field(":status", "2xx")),
    "status 099": frame(1, 5, field(":status", "099")),
    "status 101": frame(1, 5, field(":status", "101")),
    "an unknown pseudo-header": frame(1, 5, ok + field(":path", "/")),
    "a name in upper case": frame(1, 5, ok + field("X-Upper", "b")),
    "a name with a colon": frame(1, 5, ok + field("a:b", "c")),
    "an empty name": frame(1, 5, ok + field("", "c")),
    "a line end in a value": frame(1, 5, ok + field("x-a", "b\r\nset-cookie: c=d")),
    "NUL in a value": frame(1, 5, ok + field("x-a", "b\0c")),
    "transfer-encoding": frame(1, 4, ok + field("transfer-encoding", "chunked")) + data("2\r\n{}\r\n0\r\n\r\n"),
    "connection": frame(1, 4, ok + field("connection", "close")) + data("{}"),
    "a longer length": frame(1, 4, ok + field("content-length", "100")) + data("{}"),
    "a shorter length": frame(1, 4, ok + field("content-length", "1")) + data("{}"),
    "a length below zero": frame(1, 4, ok + field("content-length", "-1")) + data("{}"),
    "two lengths": frame(1, 4, ok + field("content-length", "2") + field("content-length", "3")) + data("{}"),
    "data before headers": data("{}"),
    "data on stream 0": head + frame(0, 1, on: 0, [0x7B]),
    "data on a stream of the server": head + frame(0, 1, on: 2, [0x7B]),
    "data on a stream to come": head + frame(0, 1, on: 99, [0x7B]),
    "data after the end": head + data("{}") + data("{}"),
    "headers after the end": head + data("{}") + head,
    "headers on stream 0": frame(1, 5, on: 0, ok),
    "headers in the middle": head + data("{", 0) + head + data("}"),
    "padding over the frame": head + frame(0, 9, [255, 0x7B]),
    "padding alone": head + frame(0, 9, [3, 0, 0, 0]),
    "a continuation of nothing": head + frame(9, 4, ok),
    "headers that are not continued": frame(1, 0, ok) + data("{}"),
    "settings of five bytes": head + frame(4, 0, on: 0, [0, 1, 2, 3, 4]),
    "settings on a stream": head + frame(4, 0, [0, 3, 0, 0, 0, 1]),
    "an acknowledgement with a payload": head + frame(4, 1, on: 0, [0, 3, 0, 0, 0, 1]),
    "a window over 2^31": head + frame(4, 0, on: 0, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
    "a frame size of 0": head + frame(4, 0, on: 0, [0, 5, 0, 0, 0, 0]),
    "a window that grows by nothing": head + frame(8, 0, [0, 0, 0, 0]),
    "a window that overflows": head + frame(8, 0, on: 0, [0x7F, 0xFF, 0xFF, 0xFF])
      + frame(8, 0, on: 0, [0x7F, 0xFF, 0xFF, 0xFF]),
    "a ping of seven bytes": head + frame(6, 0, on: 0, [1, 2, 3, 4, 5, 6, 7]),
    "a ping on a stream": head + frame(6, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
    "a promise": frame(5, 4, bytes(2) + [0x82]) + head + data("{}"),
    "a stream that depends on itself": frame(2, 0, bytes(1) + [0]) + head + data("{}"),
    "a reset": head + frame(3, 0, bytes(2)),
    "a reset without an error": head + frame(3, 0, bytes(0)),
    "a reset of three bytes": head + frame(3, 0, [0, 0, 0]),
    "a refused stream": frame(3, 0, bytes(7)),
    "HTTP/1.1 required": frame(3, 0, bytes(13)),
    "an end of the session": frame(7, 0, on: 0, bytes(0) + bytes(0)),
    "an end of the session in the middle": head + data("{", 0) + frame(7, 0, on: 0, bytes(0) + bytes(1)),
    "an end of the session on a stream": head + frame(7, 0, bytes(0) + bytes(0)),
    "HTTP/1.1": Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8),
    "half a frame": [0, 0, 9],
    "nothing": [],
  ]

  /// Answers that never end.
  private static let floods: [String: (first: [UInt8], again: [UInt8])] = [
    "pings": (head, frame(6, 0, on: 0, [0, 0, 0, 0, 0, 0, 0, 0])),
    "settings": (head, frame(4, 0, on: 0, [])),
    "empty data": (head, frame(0, 0, [])),
    "padding": (head, frame(0, 8, [255] + [UInt8](repeating: 0, count: 255))),
    "priorities": (head, frame(2, 0, bytes(3) + [1])),
    "unknown frames": (head, frame(200, 0, on: 0, [UInt8](repeating: 0, count: 1_000))),
    "window updates": (head, frame(8, 0, on: 0, [0, 0, 0, 1])),
    "interim answers": ([], frame(1, 4, field(":status", "103") + field("link", "</x>"))),
    "continuations": (frame(1, 0, ok), frame(9, 0, field("x-flood", String(repeating: "y", count: 100)))),
    "empty continuations": (frame(1, 0, ok), frame(9, 0, [])),
    "fields out of a table": (
      [],
      frame(
        1, 4, [0x40, 1, 0x61, 126] + [UInt8](repeating: 0x62, count: 126) + [UInt8](repeating: 0xBE, count: 10_000))
    ),
    "data": (head, frame(0, 0, [UInt8](repeating: 0x20, count: 16_000))),
  ]

  private func attack(_ name: String, _ api: API, _ serve: @escaping @Sendable (Line) -> Void) async throws {
    let server = try HostileServer { line in
      // The preface has the form of a request, and the client's first frames come with it or soon.
      guard line.request() != nil, line.read() != nil else { return }
      line.write(Self.frame(4, 0, on: 0, []) + Self.frame(4, 1, on: 0, []))
      serve(line)
    }
    defer { server.stop() }
    let output = try await Aftermath.of("hostile-subject", "HTTP/2, \(api): \(name)") { store in
      [api.rawValue, server.url, store, "h2=1", "timeout=1500"]
    }.output
    #expect(output.contains("error"), "\(name): \(output)")
    #expect(server.connections <= 4, "\(name): \(server.connections) connections")
  }

  @Test("answers that break the rules", arguments: answers.keys.sorted())
  func broken(name: String) async throws {
    let bytes = try #require(Self.answers[name])
    try await attack(name, name.utf8.count % 2 == 0 ? .authn : .idx) { $0.write(bytes) }
  }

  @Test("frames without end", arguments: floods.keys.sorted())
  func flood(name: String) async throws {
    let flood = try #require(Self.floods[name])
    let many = Array(repeatElement(flood.again, count: max(1, 20_000 / flood.again.count)).joined())
    try await attack(name, name.utf8.count % 2 == 0 ? .authn : .idx) { line in
      line.write(flood.first)
      // libcurl 7.88 reads on as long as there is something to read, and looks at the time only then (docs/SECURITY.md): a server
      // that never pauses keeps it as long as it likes.
      while line.write(many) { usleep(5_000) }
    }
  }

  @Test("an answer that is cut at any byte")
  func cut() async throws {
    let whole = Self.head + Self.data("{", 0) + Self.data(#""status":"SUCCESS","sessionToken":"x"}"#)
    let count = Locked(0)
    let server = try HostileServer { line in
      guard line.request() != nil, line.read() != nil else { return }
      let length = count.withLock { count in
        defer { count += 1 }
        return count
      }
      line.write(Self.frame(4, 0, on: 0, []) + Self.frame(4, 1, on: 0, []) + whole.prefix(length))
    }
    defer { server.stop() }
    let output = try await Aftermath.of("hostile-subject", "HTTP/2, cut") { store in
      ["authn", server.url, store, "h2=1", "timeout=3000", "times=\(whole.count)"]
    }.output
    #expect(!output.contains("SUCCESS"), "\(output)")
  }
}
