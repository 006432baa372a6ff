// The facts of a flow as bytes, for a cache: compact, and read without a parser.

import EventStore
import FlowRecording

/// Writes numbers and texts in sequence.
struct FactsWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes a number: zigzag, seven bits per byte.
  mutating func put(_ number: Int64) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(_ number: Int) { put(Int64(number)) }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes += text.utf8
  }

  /// Writes nil as -1, so that an empty text stays distinct.
  mutating func put(_ text: String?) {
    guard let text else { return put(-1) }
    put(text)
  }

  mutating func put(_ counts: [String: Int]) {
    put(counts.count)
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      put(name)
      put(count)
    }
  }
}

/// Reads the output of a `FactsWriter`. Total: invalid bytes are an error.
struct FactsReader {
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  mutating func number() throws(Malformed) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.endIndex, shift < 64 {
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
      shift += 7
    }
    throw Malformed()
  }

  mutating func int() throws(Malformed) -> Int { Int(try number()) }

  /// Reads a time, written as the microseconds since another one. A damaged cache may hold any number: a time so far
  /// away that the difference of two could overflow is an error.
  mutating func time(since start: Timestamp) throws(Malformed) -> Timestamp {
    let (time, overflowed) = start.microseconds.addingReportingOverflow(try number())
    guard !overflowed, time.magnitude <= 1 << 61 else { throw Malformed() }
    return Timestamp(microseconds: time)
  }

  /// The number of elements that follow; each takes at least one byte.
  mutating func count() throws(Malformed) -> Int {
    let count = try int()
    guard (0...bytes.endIndex - index).contains(count) else { throw Malformed() }
    return count
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = try optionalText() else { throw Malformed() }
    return text
  }

  mutating func optionalText() throws(Malformed) -> String? {
    let length = try int()
    guard length >= 0 else { return nil }
    guard length <= bytes.endIndex - index else { throw Malformed() }
    defer { index += length }
    return String(decoding: bytes[index..<index + length], as: UTF8.self)
  }

  /// Skips texts.
  mutating func skipTexts(_ count: Int = 1) throws(Malformed) {
    for _ in 0..<count {
      let length = try int()
      guard length > 0 else { continue }
      guard length <= bytes.endIndex - index else { throw Malformed() }
      index += length
    }
  }

  /// Skips what `counts` reads.
  mutating func skipCounts() throws(Malformed) {
    for _ in 0..<(try count()) {
      try skipTexts()
      _ = try number()
    }
  }

  mutating func counts() throws(Malformed) -> [String: Int] {
    var counts: [String: Int] = [:]
    for _ in 0..<(try count()) {
      let name = try text()
      counts[name] = try int()
    }
    return counts
  }
}

extension FlowFacts {
  /// Changes with the meaning of the bytes, so that a cache of another version is rebuilt.
  package static let codingVersion = 7

  /// The facts as bytes, without the store.
  package var bytes: [UInt8] {
    var out = FactsWriter()
    out.put(stream)
    out.put(started.microseconds)
    out.put(latest.microseconds - started.microseconds)
    out.put(kind)
    out.put(isFlow ? 1 : 0)
    out.put(events)
    out.put(ended)
    out.put(callErrors)
    out.put(exchanges.count)
    for exchange in exchanges {
      out.put(exchange.endpoint)
      out.put(exchange.status)
      out.put(exchange.failure)
      out.put(exchange.milliseconds ?? -1)
      out.put(exchange.transfer == nil ? 0 : 1)
      guard let transfer = exchange.transfer else { continue }
      for part in [transfer.connect, transfer.wait, transfer.receive, transfer.own] { out.put(part) }
    }
    out.put(requests)
    out.put(retries)
    for text in [sdk, org, userAgent] + context.texts { out.put(text) }
    out.put(tokens.count)
    for token in tokens {
      out.put(token.at.microseconds - started.microseconds)
      out.put(token.name)
      out.put(token.revision)
      out.put(Int64(bitPattern: token.position))
      out.put(token.id)
      out.put(token.details.text)
    }
    out.put(waiting.count)
    for request in waiting {
      out.put(Int64(bitPattern: request.position))
      out.put(request.at.microseconds - started.microseconds)
      out.put(request.endpoint)
    }
    out.put(successes.count)
    for success in successes {
      out.put(success.began.microseconds - started.microseconds)
      out.put(success.ended.microseconds - started.microseconds)
    }
    out.put(began == nil ? 0 : 1)
    out.put((began ?? started).microseconds - started.microseconds)
    signIn.write(to: &out, since: started)
    return out.bytes
  }

  /// Reads facts from bytes; nil if the bytes are invalid.
  ///
  /// - Parameter parts: the parts to read; others stay empty. Pending requests are read with the exchanges.
  package init?(bytes: ArraySlice<UInt8>, parts: FlowParts = .all) {
    var input = FactsReader(bytes)
    try? self.init(&input, parts)
  }

  private init(_ input: inout FactsReader, _ parts: FlowParts) throws(FactsReader.Malformed) {
    let stream = try input.text()
    let start = try input.time(since: Timestamp(microseconds: 0))
    self.init(stream: stream, started: start)
    latest = try input.time(since: start)
    kind = try input.text()
    isFlow = try input.int() == 1
    events = try input.int()
    ended = try input.optionalText()
    if parts.contains(.errors) { callErrors = try input.counts() } else { try input.skipCounts() }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.exchanges) else {
        try input.skipTexts()
        _ = try input.number()
        try input.skipTexts()
        _ = try input.number()
        if try input.int() == 1 { for _ in 0..<4 { _ = try input.number() } }
        continue
      }
      var exchange = Exchange(endpoint: try input.text(), status: try input.int(), failure: try input.optionalText())
      let milliseconds = try input.int()
      exchange.milliseconds = milliseconds < 0 ? nil : milliseconds
      if try input.int() == 1 {
        exchange.transfer = Exchange.Transfer(
          connect: try input.int(), wait: try input.int(), receive: try input.int(), own: try input.int())
      }
      exchanges.append(exchange)
    }
    requests = try input.int()
    retries = try input.int()
    if parts.contains(.context) {
      sdk = try input.optionalText()
      org = try input.optionalText()
      userAgent = try input.optionalText()
      context = try FlowContext(&input)
    } else {
      try input.skipTexts(3 + context.texts.count)
    }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.tokens) else {
        _ = try input.number()
        try input.skipTexts()
        for _ in 0..<2 { _ = try input.number() }
        try input.skipTexts(2)
        continue
      }
      tokens.append(
        TokenFact(
          at: try input.time(since: start), name: try input.text(), revision: try input.int(),
          position: UInt64(bitPattern: try input.number()), id: try input.optionalText(),
          details: (try? JSON(parsing: Array(try input.text().utf8)[...])) ?? [:]))
    }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.exchanges) else {
        _ = try input.number()
        _ = try input.number()
        try input.skipTexts()
        continue
      }
      waiting.append(
        Waiting(
          position: UInt64(bitPattern: try input.number()), at: try input.time(since: start),
          endpoint: try input.text()))
    }
    try readSuccesses(&input, parts)
    signIn = try SignInFacts(&input, parts, since: start)
  }

  private mutating func readSuccesses(
    _ input: inout FactsReader, _ parts: FlowParts
  ) throws(FactsReader.Malformed) {
    for _ in 0..<(try input.count()) {
      let (began, ended) = (try input.time(since: started), try input.time(since: started))
      if parts.contains(.successes) { successes.append(FlowSuccess(began: began, ended: ended)) }
    }
    let isBegun = try input.int() == 1
    let beginning = try input.time(since: started)
    began = isBegun ? beginning : nil
  }
}

extension FlowContext {
  /// The members in the order in which they are written.
  fileprivate var texts: [String?] {
    [
      app.id, app.name, app.version, client.os, client.model, client.locale, client.address, device, instance,
      correlation, trace,
    ]
  }

  fileprivate init(_ input: inout FactsReader) throws(FactsReader.Malformed) {
    self.init()
    app.id = try input.optionalText()
    app.name = try input.optionalText()
    app.version = try input.optionalText()
    client.os = try input.optionalText()
    client.model = try input.optionalText()
    client.locale = try input.optionalText()
    client.address = try input.optionalText()
    device = try input.optionalText()
    instance = try input.optionalText()
    correlation = try input.optionalText()
    trace = try input.optionalText()
  }
}

extension SignInFacts {
  func write(to out: inout FactsWriter, since start: Timestamp) {
    for text in [status, typed, login, purpose?.rawValue, standing?.rawValue] { out.put(text) }
    out.put(path.count)
    for status in path { out.put(status) }
    out.put(tries.count)
    for attempt in tries {
      out.put(attempt.factor.rawValue)
      out.put(attempt.began.microseconds - start.microseconds)
      out.put(attempt.ended == nil ? 0 : 1)
      out.put((attempt.ended ?? start).microseconds - start.microseconds)
      out.put(attempt.failure?.rawValue)
    }
    out.put(changes.count)
    for change in changes {
      out.put(change.kind.rawValue)
      out.put(change.factor?.rawValue)
      out.put(change.at.microseconds - start.microseconds)
    }
    out.put(Dictionary(setbacks.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 }))
    out.put(shown)
    out.put(memory.count)
    for (name, text) in memory.sorted(by: { $0.key < $1.key }) {
      out.put(name)
      out.put(text)
    }
    out.put(now.microseconds - start.microseconds)
  }

  init(
    _ input: inout FactsReader, _ parts: FlowParts, since start: Timestamp
  ) throws(FactsReader.Malformed) {
    self.init()
    status = try input.optionalText()
    typed = try input.optionalText()
    login = try input.optionalText()
    purpose = try input.optionalText().flatMap(Purpose.init(rawValue:))
    standing = try input.optionalText().flatMap(FailureReason.init(rawValue:))
    path = []
    for _ in 0..<(try input.count()) {
      if parts.contains(.path) { path.append(try input.text()) } else { try input.skipTexts() }
    }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.tries) else {
        try input.skipTexts()
        for _ in 0..<3 { _ = try input.number() }
        try input.skipTexts()
        continue
      }
      var attempt = FactorTry(
        FactorName(rawValue: try input.text()), began: try input.time(since: start))
      let hasEnded = try input.int() == 1
      let ended = try input.time(since: start)
      attempt.ended = hasEnded ? ended : nil
      attempt.failure = try input.optionalText().flatMap(FailureReason.init(rawValue:))
      tries.append(attempt)
    }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.changes) else {
        try input.skipTexts(2)
        _ = try input.number()
        continue
      }
      guard let kind = AccountChange.Kind(rawValue: try input.text()) else { throw FactsReader.Malformed() }
      changes.append(
        AccountChange(
          kind: kind, factor: try input.optionalText().map(FactorName.init(rawValue:)),
          at: try input.time(since: start)))
    }
    for (name, count) in try input.counts() {
      guard let reason = FailureReason(rawValue: name) else { throw FactsReader.Malformed() }
      setbacks[reason] = count
    }
    if parts.contains(.errors) { shown = try input.counts() } else { try input.skipCounts() }
    for _ in 0..<(try input.count()) {
      guard parts.contains(.memory) else {
        try input.skipTexts(2)
        continue
      }
      let name = try input.text()
      memory[name] = try input.text()
    }
    now = try input.time(since: start)
  }
}
