// What an application's loggers receive, and which of their destinations accept it.

import EventStore
import FlowRecording
import Foundation

/// A destination that keeps the lines it receives.
private final class KeptLines: OktaLoggerDestinationBase, @unchecked Sendable {
  // `@unchecked`: the state that it adds is behind a lock.
  private let kept = Locked<[String]>([])

  /// Returns the lines since the previous call.
  func take() -> [String] {
    kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
  }

  override func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {
    let named = (properties ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
    // The names and line numbers of the SDK's files may change.
    let place = file.contains("/") ? "the SDK" : "\(file) \(line.intValue)"
    kept.withLock { $0.append("\(level.rawValue) \(eventName) \(message ?? "-") \(named) \(place) \(funcName)") }
  }
}

extension HostTables {
  private static let levels: [(String, OktaLoggerLogLevel)] = [
    ("off", .off), ("error", .error), ("uiEvent", .uiEvent), ("warning", .warning), ("info", .info),
    ("debug", .debug), ("all", .all),
  ]

  /// Which lines reach which destinations.
  static var loggers: [String] {
    let destinations = levels.map { name, level in
      KeptLines(identifier: name, level: level, defaultProperties: ["of": name])
    }
    let twice = KeptLines(identifier: "error", level: .all, defaultProperties: nil)
    let logger = OktaLogger(destinations: destinations + [twice])
    var lines: [String] = []
    func note(_ what: String) {
      let taken = (destinations + [twice]).map { "\($0.identifier) \($0.level.rawValue): \($0.take())" }
      lines.append(line(what, taken.joined(separator: "; ")))
    }
    for (name, level) in levels {
      logger.log(
        level: level, eventName: name, message: nil, properties: nil, file: "f", line: NSNumber(value: 5),
        funcName: "g")
      note("level \(name)")
    }
    logger.debug(eventName: "debug", message: "m", properties: ["a": 1], file: "f", line: 1, funcName: "g")
    note("debug")
    logger.info(eventName: "info", message: "m", properties: ["a": 1], file: "f", line: 1, funcName: "g")
    note("info")
    logger.warning(eventName: "warning", message: "m", properties: ["a": 1], file: "f", line: 1, funcName: "g")
    note("warning")
    logger.uiEvent(eventName: "uiEvent", message: "m", properties: ["a": 1], file: "f", line: 1, funcName: "g")
    note("uiEvent")
    logger.error(eventName: "error", message: "m", properties: ["a": 1], file: "f", line: 1, funcName: "g")
    note("error")
    logger.setLogLevel(level: .debug, identifiers: ["off", "warning", "nobody"])
    logger.error(eventName: "again", message: nil, file: "f", line: 1, funcName: "g")
    logger.debug(eventName: "again", message: nil, file: "f", line: 1, funcName: "g")
    note("set")
    return lines + destinations.map { "\($0.defaultProperties?.count ?? 0)" } + observed
  }

  /// What a logger receives from the records of a flow.
  private static var observed: [String] {
    let kept = KeptLines(identifier: "all", level: .all, defaultProperties: nil)
    let logger = OktaLogger(destinations: [kept])
    let lines = FlowLines(kinds: KindRegistry([DeviceKind.self])) { logger.take($0) }
    let sent = RequestSent(method: "GET", url: "https://acme.example/", headers: [], body: nil)
    let events: [FlowEvent] = [
      .flowStarted(FlowStarted(kind: "device", sdk: "sdk", settings: [:])), .noteAdded(NoteAdded(text: "note")),
      .callMade(CallMade(call: "resolve", arguments: [:])), .requestSent(sent),
      .responseReceived(ResponseReceived(status: 399, headers: [], body: .empty)),
      .responseReceived(ResponseReceived(status: 400, headers: [], body: .empty)),
      .requestFailed(RequestFailed(TransportError(.timedOut, "late"))),
      .drawAsked(DrawAsked(kind: .deviceSign, input: [:])), .timerFired(TimerFired()),
      .device(.challengeRejected, [("check", "V6"), ("error", "e"), ("message", "m"), ("claims", ["iss": "i"])]),
      .device(.challengeVerified, [("transactionId", "ft-1"), ("kid", "key-1"), ("issuer", "i")]),
      .device(.keyFetched, [("kid", "key-1")]), .domain(DomainEvent(type: "other", version: 1, data: ["kid": "k"])),
      .callReturned(CallReturned(call: 2, outcome: .failed(code: "code", details: [:]))),
      .callReturned(CallReturned(call: 2, outcome: .done)), .callReturned(CallReturned(call: 9, outcome: .cancelled)),
      .flowEnded(FlowEnded(outcome: "failed")),
    ]
    let records = events.enumerated().map { number, event in
      FlowRecord(revision: number, at: HostSamples.time(), cause: nil, event: event)
    }
    lines.observe(records, of: "device/1")
    let device = kept.take()
    lines.observe(Array(records.prefix(3)), of: "other/2")
    return device + kept.take()
  }
}
