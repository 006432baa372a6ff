// How notifications arrive: as lines, payloads, requests of a push provider, and pulls.

import EventStore
import FlowRecording

/// A source of bits that are always the same.
private struct SameBits: Entropy {
  let bits: UInt64

  func next() -> UInt64 { bits }
}

extension HostTables {
  // MARK: Lines and payloads

  /// Lines that arrive in pieces, and the notifications that they contain.
  static var feeds: [String] {
    let feeds: [[String]] = [
      ["a\nbb\n"], ["a", "b\nc", "d"], ["\n\n  \r\n", "x \r\n"], ["1234\n", "12345\n", "123", "456\n7"], ["123456"],
      [""], ["1234\r\n", " a", "\n"], ["\r", " \r "], ["12345", "6\n", "ok\n"],
    ]
    let split = feeds.enumerated().map { number, pieces -> String in
      var splitter = LineSplitter(longest: 4)
      var lines = pieces.map { piece in "\(splitter.take(Array(piece.utf8)).map { show($0) })" }
      for _ in 0..<2 { lines.append(splitter.end().map { show($0) } ?? "none") }
      return line("feed \(number)", lines.joined(separator: " "))
    }
    let texts = [
      #"{"a":1,"a":"2","b":null}"#, "{}", "[]", "5", "", "{", #"{"a":}"#, #" {"challenge":"c"} "#, #"{"a":1} x"#,
      "\"text\"",
    ]
    return split + texts.map { line($0, payload($0, line: 7)) }
  }

  private static func show(_ line: LineSplitter.Line) -> String {
    switch line {
    case .whole(let number, let bytes): "\(number) '\(String(decoding: bytes, as: UTF8.self))'"
    case .tooLong(let number): "\(number) is too long"
    }
  }

  private static func payload(_ text: String, line: Int) -> String {
    do throws(FeedProblem) {
      let read = try NotificationPayload.read(Array(text.utf8), line: line)
      return read.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    } catch {
      return switch error {
      case .tooLong(let line): "too long: \(line)"
      case .notJSON(let line, let reason): "no JSON: \(line) \(reason)"
      case .notAnObject(let line): "no object: \(line)"
      case .unreadable(let reason): "unreadable: \(reason)"
      }
    }
  }

  // MARK: A push provider

  /// The responses to a push provider.
  static var webhooks: [String] {
    let (json, long) = ("application/json", #"{"a":"bcd"}"#)
    let requests: [(method: String, type: String?, authorization: String?, body: String)] = [
      ("POST", json, "Bearer t", "{}"), ("GET", json, "Bearer t", "{}"), ("post", json, "Bearer t", "{}"),
      ("POST", json, nil, "{}"), ("POST", json, "Bearer", "{}"), ("POST", json, "bearer t", "{}"),
      ("POST", json, "Bearer tt", "{}"), ("POST", nil, "Bearer t", "{}"), ("POST", "text/plain", "Bearer t", "{}"),
      ("POST", " Application/JSON ; charset=utf-8", "Bearer t", "{}"), ("POST", "a/b+json", "Bearer t", "{}"),
      ("POST", "a/json", "Bearer t", "{}"), ("POST", "+json;x", "Bearer t", "{}"), ("POST", json, "Bearer t", "[]"),
      ("POST", json, "Bearer t", ""), ("POST", json, "Bearer t", #"{"a":"bc"}"#), ("POST", json, "Bearer t", long),
      ("GET", nil, nil, long), ("POST", nil, nil, long), ("POST", nil, "Bearer t", long),
      ("POST", json, "Bearer t", #"{"b":1}"#), ("POST", json, "Bearer t", #"{"n":1}"#),
    ]
    let deliver: @Sendable ([String: JSON]) async -> NotificationWebhook.Delivery = { userInfo in
      userInfo["b"] != nil ? .busy : userInfo["n"] != nil ? .notRecognized : .taken
    }
    let webhooks = [
      NotificationWebhook(token: "t", longestBody: 10, deliver: deliver),
      NotificationWebhook(token: nil, longestBody: 10, deliver: deliver),
    ]
    return webhooks.enumerated().flatMap { number, webhook in
      requests.enumerated().map { place, request -> String in
        let status = outcome {
          await webhook.status(
            method: request.method, contentType: request.type, authorization: request.authorization,
            body: Array(request.body.utf8))
        }
        return line("\(number) request \(place)", status.map { "\($0)" })
      }
    }
  }

  // MARK: Pulls

  private static func show(_ outcome: PullOutcome) -> String {
    switch outcome {
    case .answered: "answered"
    case .rateLimited(let seconds): "limited \(seconds.map { "\($0)" } ?? "-")"
    case .failed: "failed"
    }
  }

  /// The meaning of the org's answers to pulls.
  static var pulled: [String] {
    let (date, later) = ("Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15 Jan 2026 09:00:45 GMT")
    let (after, reset) = ("retry-after", "x-rate-limit-reset")
    let headers: [[String: String]] = [
      [:], [after: "30"], [after: "0"], [after: "-1"], [after: "-1", "date": date], [after: later],
      [after: later, "date": date], [after: date, "date": later], [reset: "1768467660", "date": date],
      [reset: "1768467660"], [reset: "soon", "date": date], [reset: "5", "date": date],
      [after: "soon", reset: "1768467660", "date": date], [after: "5", reset: "1768467660", "date": date],
      [reset: "-9223372036854775808", "date": date], [reset: "1768467660", "date": "now"],
    ]
    let statuses = [100, 199, 200, 204, 299, 300, 401, 428, 429, 430, 503].map { status in
      line("\(status)", show(PullOutcome(status: status) { _ in "7" }))
    }
    return statuses
      + headers.map { fields in
        let shown = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return line("\(shown)", show(PullOutcome(status: 429) { fields[$0] }))
      }
  }

  /// The pauses between pulls.
  static var pauses: [String] {
    let ends: [PullOutcome] = [
      .answered, .failed, .rateLimited(seconds: nil), .rateLimited(seconds: 0), .rateLimited(seconds: 5),
      .rateLimited(seconds: 6), .rateLimited(seconds: 40), .rateLimited(seconds: 3_600), .rateLimited(seconds: 9_999),
    ]
    let lasting = [UInt64.min, 1 << 62, 1 << 63, UInt64.max].flatMap { bits in
      let loop = PullLoop(entropy: SameBits(bits: bits))
      return ends.flatMap { end in
        [-1, 0, 1, 2, 4, 5, 6, 20].map { failures in
          line("\(bits) \(show(end)) \(failures)", "\(loop.pause(after: end, failures: failures))")
        }
      }
    }
    let intervals: [(Double, Double)] = [
      (0, 0.5), (1, 0), (-5, 2), (3_600, 1), (4_000, 1), (.nan, .nan), (.infinity, .infinity), (2.5, -1), (1_000, 0.2),
    ]
    let made = intervals.map { interval, jitter in
      let loop = PullLoop(interval: interval, jitter: jitter, entropy: SameBits(bits: .max))
      let lengths = ends.map { loop.pause(after: $0, failures: 3) }
      return line("\(interval) \(jitter)", "\(lengths)")
    }
    return lasting + made + loops
  }

  /// A loop that pulls until its task ends.
  private static var loops: [String] {
    let time = VirtualTime(start: HostSamples.time())
    let loop = PullLoop(interval: 2, jitter: 0, timers: time, entropy: SameBits(bits: 1 << 63))
    let script = Locked<[PullOutcome]>([.answered, .failed, .rateLimited(seconds: nil), .failed, .answered, .failed])
    let (tasks, lines) = (PlayedTasks(), Locked<[String]>([]))
    tasks.run(0) {
      await loop.run {
        let next: PullOutcome = script.withLock { $0.isEmpty ? .answered : $0.removeFirst() }
        lines.withLock { $0.append("\(show(next)) at \(time.now())") }
        return next
      }
      lines.withLock { $0.append("over at \(time.now())") }
    }
    for _ in 0..<8 {
      tasks.runReady()
      lines.withLock { $0.append("waits \(time.untilNextTimer ?? -1)") }
      time.advance(milliseconds: time.untilNextTimer ?? 0)
    }
    tasks.runReady()
    _ = tasks.cancel(0)
    tasks.runReady()
    return lines.withLock { $0 } + ["\(time.pending) left"]
  }
}
