// The records of flows as lines for a logger: a level, the name of the event, a sentence. Data about people is left
// out.

import EventStore
public import Logging

/// A record as a line for a logger.
public struct FlowLine: Sendable, Hashable {
  /// The importance of the line.
  public enum Level: Int, Sendable, Hashable, CaseIterable {
    /// Activity of the SDK.
    case debug
    /// A flow made progress.
    case info
    /// The server refused or did not answer; the flow may continue.
    case warning
    /// Something failed.
    case error
  }

  /// The importance.
  public var level: Level
  /// The type of the event: `challenge.verified`.
  public var event: String
  /// One sentence.
  public var message: String
  /// Ids by name: `flow`, `revision`, and those of the event that do not identify a person.
  public var properties: [String: String]
}

/// Converts the records of flows to lines for a logger.
///
/// A line contains words, ids and outcomes, but no secret, login, name or address of a person. In text from an org or
/// an application, secrets known to the flow are placeholders.
public final class FlowLines: RecordObserver {
  private struct Course {
    var narrator: any FlowNarrator
    var calls: [Int: String] = [:]
  }
  private let flows = Locked<[String: Course]>([:])
  private let kinds: KindRegistry
  private let write: @Sendable (FlowLine) -> Void

  /// Passes each line to a closure.
  ///
  /// - Parameters:
  ///   - kinds: the kinds whose events are described in words; other events are only named.
  ///   - write: receives a line. Called on one thread at a time.
  public init(kinds: KindRegistry, write: @escaping @Sendable (FlowLine) -> Void) {
    self.kinds = kinds
    self.write = write
  }

  /// Passes each line to a logger of swift-log: the sentence as the message, the event and ids as metadata.
  public convenience init(kinds: KindRegistry, logger: Logger) {
    self.init(kinds: kinds) { line in
      var metadata = [String: Logger.MetadataValue](
        uniqueKeysWithValues: line.properties.map { ($0.key, .string($0.value)) })
      metadata["event"] = .string(line.event)
      logger.log(level: Logger.Level(line.level), "\(line.message)", metadata: metadata)
    }
  }

  /// Writes the lines of some records.
  public func observe(_ records: [FlowRecord], of stream: String) {
    let lines = flows.withLock { flows in
      var flow = flows[stream] ?? Course(narrator: narrator(of: stream))
      let lines = records.compactMap { Self.line($0, stream, &flow) }
      let isOver = records.contains { if case .flowEnded = $0.event { true } else { false } }
      flows[stream] = isOver ? nil : flow
      return lines
    }
    for line in lines { write(line) }
  }

  private func narrator(of stream: String) -> any FlowNarrator {
    func make<Kind: FlowKind>(_ kind: Kind.Type) -> any FlowNarrator { Kind.Narrator() }
    return kinds[String(stream.prefix { $0 != "/" })].map { make($0) } ?? PlainNarrator()
  }

  // MARK: Lines

  /// Members of events that are ids or outcomes and do not identify a person.
  private static let known = [
    "transactionId", "enrollmentId", "orgId", "check", "error", "outcome", "stage", "keyType", "kid", "consent",
    "httpStatus", "serverCode", "operation", "changed", "reason",
  ]

  private static func line(_ record: FlowRecord, _ stream: String, _ flow: inout Course) -> FlowLine? {
    guard let (level, message) = words(record, &flow) else { return nil }
    var properties = ["flow": stream, "revision": String(record.revision)]
    if case .domain(let event) = record.event {
      for name in known {
        if let value = event.data[name] { properties[name] = Narration.brief(value) }
      }
    }
    return FlowLine(level: level, event: record.event.type, message: message, properties: properties)
  }

  private static func words(_ record: FlowRecord, _ flow: inout Course) -> (FlowLine.Level, String)? {
    switch record.event {
    case .flowStarted(let started): return (.debug, "a flow of the kind \(started.kind) begins, by \(started.sdk)")
    case .flowEnded(let ended): return (.info, "the flow ends: \(ended.outcome)")
    case .noteAdded(let note): return (.info, note.text)
    case .callMade(let made):
      flow.calls[record.revision] = made.call
      return (.debug, "\(made.call) is called")
    case .callReturned(let returned):
      let name = flow.calls.removeValue(forKey: returned.call) ?? "the call"
      switch returned.outcome {
      case .failed(let code, _): return (.error, "\(name) fails: \(code)")
      case .cancelled: return (.info, "\(name) was given up")
      case .status, .done: return (.debug, "\(name) returns")
      }
    case .requestSent(let request): return (.debug, "\(request.method) \(request.url)")
    case .responseReceived(let response):
      return (response.status < 400 ? .debug : .warning, "HTTP \(response.status)")
    case .requestFailed(let failed): return (.warning, "no answer: \(failed.error.code.rawValue)")
    case .domain(let event):
      guard let words = flow.narrator.words(for: event, at: record.revision) else { return (.debug, event.type) }
      return (level(of: words.tone), words.text)
    case .drawAsked, .drawMade, .timerSet, .timerFired: return nil
    }
  }

  private static func level(of tone: Words.Tone) -> FlowLine.Level {
    switch tone {
    case .quiet: .debug
    case .plain, .good, .notice: .info
    case .bad: .error
    }
  }
}

extension Logger.Level {
  /// The level of swift-log for a line.
  init(_ level: FlowLine.Level) {
    switch level {
    case .debug: self = .debug
    case .info: self = .info
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}
