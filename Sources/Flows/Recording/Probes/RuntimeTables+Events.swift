// Dates, limits, contexts, and events that are too long for one record.

import EventStore

extension RuntimeTables {
  static var dates: [String] {
    let texts = [
      "Thu, 15 Jan 2026 09:00:00 GMT", "Thu, 15-Jan-2026 09:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
      "Thu, 31 Dec 2026 23:59:59 GMT", "Thu, 30 Feb 2026 00:00:00 GMT", "Thu, 5 Jan 2026 09:00:00 GMT", "soon", "",
      "Thu, 15 Jan 2026 09:00:00 UTC", "Thu, 15 jan 2026 09:00:00 GMT", "Thu, 15 Jan 26 09:00:00 GMT", "5", "0", "-1",
      "3600", "99999", "Thursday, 15 Jan 2026 09:00:00 GMT", "Thu, 15 Jun 2026 09:00:00 GMT",
      "Sun, 29 Feb 2032 12:34:56 GMT",
    ]
    var lines = texts.map { line($0, HTTPDate.seconds($0)) }
    for seconds in [0, 86_399, 86_400, 1_768_467_600, 1_798_761_599, 951_782_400, -1, -86_401] as [Int64] {
      lines.append(line(seconds, HTTPDate.text(Timestamp(microseconds: seconds * 1_000_000))))
    }
    let (date, time) = ("Thu, 15 Jan 2026 09:00:00 GMT", Timestamp(microseconds: 1_768_467_630_000_000))
    for after in texts + ["Thu, 15 Jan 2026 09:00:45 GMT"] {
      for headers in [[("Retry-After", after)], [("Retry-After", after), ("Date", date)]] {
        lines.append(line("\(headers)", limit(headers, time)))
        lines.append(line("\(headers) untimed", limit(headers, nil)))
      }
    }
    for reset in ["1768467660", "1768467600", "1768467500", "9223372036854775807", "soon"] {
      for (limit, left) in [("60", "0"), ("0", "0"), ("ten", "5"), ("600", "599")] {
        for rest in [[("date", date)], []] {
          let headers = [
            ("x-rate-limit-reset", reset), ("X-Rate-Limit-Limit", limit), ("x-rate-limit-remaining", left),
          ]
          lines.append(line("\(headers) \(rest.count)", self.limit(headers + rest, time)))
        }
      }
    }
    return lines
  }

  private static func limit(_ headers: [(String, String)], _ time: Timestamp?) -> String {
    let response = ResponseReceived(status: 429, headers: headers.map { HTTPField($0, $1) }, body: .empty)
    let limit = RateLimit(response, at: time)
    let parts = [limit.limit, limit.remaining, limit.askedSeconds, limit.waitSeconds]
    return parts.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
  }

  static var limits: [String] {
    let standard = FlowLimits()
    var lines = [line("standard", "\(standard.requests) \(standard.recordedBytes)")]
    for limits in [
      FlowLimits(requests: 3, recordedBytes: 100), FlowLimits(requests: 0), FlowLimits(requests: 9, recordedBytes: 25),
    ] {
      var usage = FlowUsage()
      for number in 1...5 {
        lines.append(
          line(
            "\(limits.requests) \(limits.recordedBytes) request \(number)",
            usage.send(within: limits).map { "\($0)" } ?? "sent"))
        usage.record(10)
      }
      usage.record(50)
      lines.append(
        line("\(limits.requests) \(limits.recordedBytes) full", usage.send(within: limits).map { "\($0)" } ?? "sent"))
    }
    return lines
  }

  /// Events at and above the size limit of a record, whose text is split inside characters of all lengths, or grows
  /// when escaped.
  static var coding: [String] {
    [("a", 59_900), ("a", 60_001), ("ü", 60_001), ("€", 60_001), ("😀", 60_001), ("\"", 31_000)].map { letter, bytes in
      let text = "x" + String(repeating: letter, count: bytes / letter.utf8.count)
      let event = FlowEvent.noteAdded(NoteAdded(text: text))
      let encoded = EventCoding.encode(event)
      let isWhole = (try? EventCoding.data(of: encoded)) == event.data
      let digest = StableHash.text(encoded.parts.map { String(decoding: $0, as: UTF8.self) }.joined())
      let sizes = [
        encoded.data.count, EventCoding.size(of: [encoded]), event.largestSize, EventCoding.partCount(of: event),
      ]
      return line("\(letter) \(bytes)", "\(sizes) \(encoded.parts.map(\.count)) \(isWhole) \(digest)")
    }
  }

  static var contexts: [String] {
    let long = String(repeating: "long", count: 80)
    let contexts = [
      FlowContext(), FlowContext(device: "device"), FlowContext(instance: "instance"),
      FlowContext(app: .init(id: "id"), correlation: "correlation", trace: "trace"),
      FlowContext(
        app: .init(id: "id", name: "name", version: "version"),
        client: .init(os: "os", model: "model", locale: "locale", address: "address"), device: "device",
        instance: "instance", correlation: "correlation", trace: "trace"),
      FlowContext(app: .init(name: long), client: .init(address: long), device: long, trace: long),
    ]
    return contexts.enumerated().map { number, context in
      line(number, context.json.map { "\($0.text) \(FlowContext($0) == context)" })
    } + [line("classes", classes(of: FlowContext.schema))]
  }

  private static func classes(of schema: WireSchema) -> String {
    guard case .object(let members) = schema else { return schema.className }
    return "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(classes(of: $0.value))" })"
  }
}
