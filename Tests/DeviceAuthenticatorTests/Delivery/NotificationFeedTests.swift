import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Glibc
import Testing

/// Notifications that come as lines or as requests.
@Suite struct NotificationFeedTests {
  private func feed(_ pieces: [[UInt8]], longestLine: Int = 65_536) async throws -> (
    delivered: [[String: JSON]], problems: [FeedProblem]
  ) {
    let pipe = Pipe()
    let (delivered, problems) = (Locked<[[String: JSON]]>([]), Locked<[FeedProblem]>([]))
    let lines = NotificationLines(
      descriptor: pipe.fileHandleForReading.fileDescriptor, longestLine: longestLine)
    let task = Task {
      try await lines.run { item in
        delivered.withLock { $0.append(item) }
      } onProblem: { problem in
        problems.withLock { $0.append(problem) }
      }
    }
    for piece in pieces { try pipe.fileHandleForWriting.write(contentsOf: Data(piece)) }
    try pipe.fileHandleForWriting.close()
    try await task.value
    return (delivered.withLock { $0 }, problems.withLock { $0 })
  }

  @Test func `each line is handed over, in its order, whole or in pieces, the last without a line break too`()
    async throws
  {
    let text = "{\"payloadVersion\":\"IDXv1\",\"challenge\":\"a.b.c\"}\r\n\n  \n{\"n\":2}\n{\"n\":3}"
    let expected: [[String: JSON]] = [
      ["payloadVersion": "IDXv1", "challenge": "a.b.c"], ["n": 2], ["n": 3],
    ]
    let whole = try await feed([Array(text.utf8)])
    #expect(whole.delivered == expected && whole.problems.isEmpty)
    let single = try await feed(text.utf8.map { [$0] })
    #expect(single.delivered == expected && single.problems.isEmpty)
  }

  @Test func `lines that are none are reported without their content, and skipped`() async throws {
    let long = String(repeating: "x", count: 101)
    let result = try await feed(
      [Array("{\"n\":1}\ncanary\n[1]\n\"\(long)\n\u{0}\n{\"n\":2}\n{\"n\":".utf8)], longestLine: 100)
    #expect(result.delivered == [["n": 1], ["n": 2]])
    #expect(result.problems.count == 5)
    #expect(result.problems.contains(.notAnObject(line: 3)) && result.problems.contains(.tooLong(line: 4)))
    #expect(!"\(result.problems)".contains("canary"))
  }

  @Test func `a line of exactly the limit is taken`() async throws {
    let result = try await feed([Array("{\"n\":123}\n{\"n\":1234}\n".utf8)], longestLine: 9)
    #expect(result.delivered == [["n": 123]] && result.problems == [.tooLong(line: 2)])
  }

  @Test func `of a line break, LF or CRLF, no byte counts toward the limit`() async throws {
    let lines = Array("{\"n\":123}\r\n{\"n\":12\r}\n{\"n\":1234}\r\n{\"n\":1}\r\r\r\n".utf8)
    for pieces in [[lines], lines.map { [$0] }] {
      let result = try await feed(pieces, longestLine: 9)
      #expect(result.delivered == [["n": 123], ["n": 12], ["n": 1]] && result.problems == [.tooLong(line: 3)])
    }
  }

  @Test func `a reader that waits ends with its task, and the descriptor stays open`() async throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let got = Gate()
    let task = Task { try await NotificationLines(descriptor: descriptor).run { _ in await got.open() } }
    try pipe.fileHandleForWriting.write(contentsOf: Data("{}\n".utf8))
    await got.passed()
    task.cancel()
    try await task.value
    #expect(fcntl(descriptor, F_GETFD) >= 0)
  }

  @Test func `a descriptor that cannot be read is an error`() async throws {
    let folder = open("/", O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    await #expect(throws: FeedProblem.self) { try await NotificationLines(descriptor: folder).run { _ in } }
  }

  struct Request: Sendable {
    var method = "POST"
    var type: String? = "application/json"
    var authorization: String? = "Bearer t"
    var body: String
    var status: Int
  }

  static let requests = [
    Request(body: "{\"n\":1}", status: 204), Request(method: "GET", body: "{\"n\":1}", status: 405),
    Request(type: "application/json; charset=utf-8", body: "{\"n\":2}", status: 422),
    Request(type: "application/cloudevents+json", body: "{\"n\":3}", status: 503),
    Request(type: "text/plain", body: "{\"n\":1}", status: 415), Request(type: nil, body: "{\"n\":1}", status: 415),
    Request(authorization: "Bearer T", body: "{\"n\":1}", status: 401),
    Request(authorization: nil, body: "{\"n\":1}", status: 401),
    Request(authorization: "t", body: "{\"n\":1}", status: 401), Request(body: "[1]", status: 400),
    Request(body: "", status: 400), Request(body: String(repeating: "x", count: 101), status: 413),
  ]

  @Test(arguments: requests)
  func `a webhook's status says what became of the request`(request: Request) async {
    let webhook = NotificationWebhook(token: "t", longestBody: 100) { item in
      switch item["n"] {
      case 1: .taken
      case 2: .notRecognized
      default: .busy
      }
    }
    let status = await webhook.status(
      method: request.method, contentType: request.type, authorization: request.authorization,
      body: Array(request.body.utf8))
    #expect(status == request.status)
  }

  @Test func `a webhook without a token takes requests without one`() async {
    let webhook = NotificationWebhook(token: nil) { _ in .taken }
    #expect(
      await webhook.status(method: "POST", contentType: "application/json", authorization: nil, body: Array("{}".utf8))
        == 204)
  }
}
