// An event in words. What came before is remembered as far as it takes to say what is answered.

import EventStore
import FlowRecording

/// Tells the events of one flow, one after the other.
struct EventTeller {
  private var calls: [Int: String] = [:]
  private var requests: [Int: Timestamp] = [:]
  private var timers: [Int: Int] = [:]
  private var factors: [JSON] = []
  var status = ""
  /// The last answer that is a response of the Identity Engine, and each that became the flow's, by the revision of its
  /// `remediation.changed`: calls are made on one of them.
  var answer: JSON = .null
  var responses: [Int: JSON] = [:]

  /// What an event says.
  mutating func tell(_ record: FlowRecord) -> (words: String, tone: EventTone) {
    switch record.event {
    case .flowStarted(let started): return (tell(started), .plain)
    case .flowEnded(let ended): return (ended.outcome, ended.outcome == "success" ? .good : .bad)
    case .noteAdded(let note): return (note.text, .notice)
    case .callMade(let made):
      if let form = made.arguments["form"]?.string {
        let name = made.arguments["name"]?.string ?? form
        calls[record.revision] = "\(made.call) \(name)"
        return (tell(made, form: form, named: name), .plain)
      }
      calls[record.revision] = made.call
      return (tell(made), .plain)
    case .callReturned(let returned): return tell(returned)
    case .requestSent(let request):
      requests[record.revision] = record.at
      return (tell(request), .plain)
    case .responseReceived(let response): return tell(response, record)
    case .requestFailed(let failure): return ("no answer, \(failure.code): \(failure.detail)", .bad)
    case .drawAsked(let asked): return ("\(asked.kind) asked for", .quiet)
    case .drawMade(let draw): return ("\(draw.kind) \(Self.phrase(draw.value))", .quiet)
    case .timerSet(let timer):
      timers[record.revision] = timer.milliseconds
      return ("\(Quantity.duration(milliseconds: timer.milliseconds)) until the next \(timer.purpose)", .quiet)
    case .timerFired:
      let waited = record.cause.flatMap { timers[$0] }
      return (waited.map { "\(Quantity.duration(milliseconds: $0)) passed" } ?? "a timer fired", .quiet)
    case .statusChanged(let changed): return tell(changed)
    case .factorUpdated(let update): return ("factor \(update.result)", update.result == "WAITING" ? .notice : .plain)
    case .remediationChanged(let changed):
      responses[record.revision] = answer
      return tell(changed)
    case .messageShown(let message): return (Self.tell(message), message.severity == "ERROR" ? .bad : .notice)
    case .tokenIssued(let issued): return (Self.tell(issued), .good)
    case .unknown(let type, let version, let data):
      return ("\(type) version \(version): \(data.text.cut(to: 400))", .notice)
    }
  }

  private func tell(_ started: FlowStarted) -> String {
    var words = "\(started.kind) flow"
    if let org = started.settings["org"]?.string { words += " with \(org)" }
    if let poll = started.settings["pollMilliseconds"]?.int {
      words += ", polls every \(Quantity.duration(milliseconds: poll))"
    }
    if let resumed = started.resumes { words += ", takes up \(resumed)" }
    return words + ", by \(started.sdk)"
  }

  // MARK: Calls

  private func tell(_ made: CallMade) -> String {
    var parts: [String] = []
    for member in made.arguments.object?.members ?? [] where member.value != .null {
      if member.key == "factor", let index = member.value.int, factors.indices.contains(index) {
        parts.append("factor \(Self.name(factors[index]))")
      } else if member.key == "call", let call = member.value.int, let name = calls[call] {
        parts.append(name)
      } else {
        parts.append("\(member.key) \(Self.brief(member.value))")
      }
    }
    return ([made.call] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ": ")
  }

  private func tell(_ returned: CallReturned) -> (String, EventTone) {
    let call = calls[returned.call] ?? "call \(returned.call)"
    switch returned.outcome {
    case .status: return (status.isEmpty ? "\(call) done" : "\(call) -> \(status)", .plain)
    case .done: return ("\(call) done", .plain)
    case .cancelled: return ("\(call) given up", .notice)
    case .failed(let code, let details): return ("\(call) failed: \(Self.refusal(code, details))", .bad)
    }
  }

  private static func refusal(_ code: String, _ details: JSON) -> String {
    let about = (details.object?.members ?? []).map { member in
      switch member.key {
      case "errorCode", "text", "code", "detail", "status": brief(member.value)
      case "httpStatus": "HTTP \(brief(member.value))"
      default: "\(member.key) \(brief(member.value))"
      }
    }
    return ([code] + (about.isEmpty ? [] : ["(\(about.joined(separator: ", ")))"])).joined(separator: " ")
  }

  // MARK: HTTP

  private func tell(_ request: RequestSent) -> String {
    var words = "\(request.method) \(Self.path(of: request.url))"
    if let body = request.body {
      let phrase = Self.phrase(body)
      if !phrase.isEmpty { words += " with " + phrase }
    }
    return words
  }

  private mutating func tell(_ response: ResponseReceived, _ record: FlowRecord) -> (String, EventTone) {
    var words = "HTTP \(response.status)"
    let isBad = response.status >= 400
    switch response.body {
    case .empty: words += ", no body"
    case .opaque(let reason, let length, let placeholder):
      words += ", \(Quantity.count(length, "byte")) that cannot be read (\(reason)): \(placeholder)"
    case .json(let body) where Self.isOfIdentityEngine(body):
      answer = body
      words += Self.tell(answer: body)
    case .json(let body):
      let names = [
        body["status"]?.string, body["factorResult"]?.string, body["errorCode"]?.string,
        body["errorSummary"]?.string,
      ]
      let known = names.compactMap { $0 }.filter { !$0.isEmpty }
      if !known.isEmpty { words += " " + known.joined(separator: " ") }
      for cause in body["errorCauses"]?.array ?? [] {
        if let summary = cause["errorSummary"]?.string { words += "; \(summary)" }
      }
    }
    if let sent = record.cause.flatMap({ requests[$0] }) {
      let milliseconds = Int(max(0, record.at.microseconds - sent.microseconds) / 1_000)
      words += ", after \(Quantity.duration(milliseconds: milliseconds))"
    }
    return (words, isBad ? .bad : .plain)
  }

  /// Path and query of an absolute URL, without what all paths of the classic API begin with.
  private static func path(of url: String) -> String {
    guard let scheme = url.range(ofText: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else {
      return url
    }
    let path = url[slash...]
    return path.hasPrefix(prefix) ? "…" + path.dropFirst(prefix.count - 1) : String(path)
  }

  private static let prefix = "/api/v1/authn/"

  // MARK: Statuses

  private mutating func tell(_ changed: StatusChanged) -> (String, EventTone) {
    var words = changed.previous.map { "\($0) -> \(changed.status)" } ?? changed.status
    factors = changed.summary["factors"]?.array ?? []
    status = changed.status
    if let result = changed.summary["factorResult"]?.string { words += ", factor \(result)" }
    if !factors.isEmpty { words += ", \(factors.map(Self.name).joined(separator: " or "))" }
    if let token = changed.summary["sessionToken"]?.string { words += ", session token \(token)" }
    switch changed.status {
    case "SUCCESS": return (words, .good)
    case "LOCKED_OUT": return (words, .bad)
    default: return (words, .notice)
    }
  }

  private static func name(_ factor: JSON) -> String {
    let names = [factor["provider"]?.string, factor["type"]?.string]
    return names.compactMap { $0 }.joined(separator: " ")
  }

  /// A value in a few words.
  static func brief(_ value: JSON) -> String { (value.string ?? value.text).cut(to: 200) }

  /// The values in a JSON document by their names, dots leading further in: `credentials.passcode $secret.passcode.1$`.
  private static func phrase(_ value: JSON) -> String {
    leaves(of: value, at: "", depth: 0).map { $0.name.isEmpty ? $0.value : "\($0.name) \($0.value)" }
      .joined(separator: ", ")
  }

  private static func leaves(of value: JSON, at name: String, depth: Int) -> [(name: String, value: String)] {
    guard let members = value.object?.members, !members.isEmpty, depth < 4 else {
      return value == [:] ? [] : [(name, brief(value))]
    }
    return members.flatMap { member in
      leaves(of: member.value, at: name.isEmpty ? member.key : "\(name).\(member.key)", depth: depth + 1)
    }
  }
}

extension String {
  /// Where a piece of text first stands.
  fileprivate func range(ofText text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
