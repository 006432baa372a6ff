// Describes events in words. Earlier events are remembered as far as later descriptions refer to them.

import EventStore
import FlowRecording

/// Describes the events of one flow, one after the other.
struct EventTeller {
  private var calls: [Int: String] = [:]
  private var requests: [Int: Timestamp] = [:]
  private var timers: [Int: Int] = [:]
  private var narrator: any FlowNarrator

  /// Creates a teller at the beginning of a flow.
  ///
  /// - Parameter kind: the flow's kind; `nil` if it is unknown.
  init(_ kind: (any FlowKind.Type)?) { narrator = Self.narrator(of: kind) }

  private static func narrator(of kind: (any FlowKind.Type)?) -> any FlowNarrator {
    func make<Kind: FlowKind>(_ kind: Kind.Type) -> any FlowNarrator { Kind.Narrator() }
    return kind.map { make($0) } ?? PlainNarrator()
  }

  /// Describes an event.
  mutating func tell(_ record: FlowRecord) -> Words {
    switch record.event {
    case .flowStarted(let started): return Words(tell(started))
    case .flowEnded(let ended): return Words(ended.outcome, ended.outcome == "success" ? .good : .bad)
    case .noteAdded(let note): return Words(note.text, .notice)
    case .callMade(let made):
      let special = narrator.words(for: made)
      calls[record.revision] = special?.name ?? made.call
      return Words(special?.words ?? tell(made))
    case .callReturned(let returned): return tell(returned)
    case .requestSent(let request):
      requests[record.revision] = record.at
      return Words(tell(request))
    case .responseReceived(let response): return tell(response, record)
    case .requestFailed(let failure): return Words("no answer, \(failure.code): \(failure.detail)", .bad)
    case .drawAsked(let asked): return Words("\(asked.kind) asked for", .quiet)
    case .drawMade(let draw): return tell(draw)
    case .timerSet(let timer):
      timers[record.revision] = timer.duration
      return Words("\(Quantity.duration(milliseconds: timer.duration)) until the next \(timer.purpose)", .quiet)
    case .timerFired:
      let waited = record.cause.flatMap { timers[$0] }
      return Words(waited.map { "\(Quantity.duration(milliseconds: $0)) passed" } ?? "a timer fired", .quiet)
    case .domain(let event):
      return narrator.words(for: event, at: record.revision)
        ?? Words("\(event.type) version \(event.version): \(Narration.cut(event.data.text, to: 400))", .notice)
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
      if let special = narrator.words(forArgument: member.key, member.value) {
        parts.append(special)
      } else if member.key == "call", let call = member.value.int, let name = calls[call] {
        parts.append(name)
      } else {
        parts.append("\(member.key) \(Narration.brief(member.value))")
      }
    }
    return ([made.call] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ": ")
  }

  private func tell(_ returned: CallReturned) -> Words {
    let call = calls[returned.call] ?? "call \(returned.call)"
    switch returned.outcome {
    case .status:
      let status = narrator.status
      return Words(status.isEmpty ? "\(call) done" : "\(call) -> \(status)")
    case .done: return Words("\(call) done")
    case .cancelled: return Words("\(call) given up", .notice)
    case .failed(let code, let details): return Words("\(call) failed: \(Self.refusal(code, details))", .bad)
    }
  }

  private static func refusal(_ code: String, _ details: JSON) -> String {
    let about = (details.object?.members ?? []).map { member in
      switch member.key {
      case "errorCode", "text", "code", "detail", "status": Narration.brief(member.value)
      case "httpStatus": "HTTP \(Narration.brief(member.value))"
      default: "\(member.key) \(Narration.brief(member.value))"
      }
    }
    return ([code] + (about.isEmpty ? [] : ["(\(about.joined(separator: ", ")))"])).joined(separator: " ")
  }

  private func tell(_ draw: DrawMade) -> Words {
    switch draw.result {
    case .success(let value): return Words("\(draw.kind) \(Self.phrase(value))", .quiet)
    case .failure(let failure):
      let reason = failure.detail.map { "\(failure.reason.rawValue): \($0)" } ?? failure.reason.rawValue
      return Words("\(draw.kind) failed, \(reason)", .bad)
    }
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

  private mutating func tell(_ response: ResponseReceived, _ record: FlowRecord) -> Words {
    var words = "HTTP \(response.status)"
    let isBad = response.status >= 400
    switch response.body {
    case .empty: words += ", no body"
    case .opaque(let reason, let length, let placeholder):
      words += ", \(Quantity.count(length, "byte")) that cannot be read (\(reason)): \(placeholder)"
    case .json(let body):
      if let special = narrator.words(forAnswer: body) {
        words += special
        break
      }
      let names = [
        body["status"]?.string, body["factorResult"]?.string, body["errorCode"]?.string,
        body["errorSummary"]?.string,
      ]
      let known = names.compactMap { $0 }.filter { !$0.isEmpty }
      if !known.isEmpty { words += " " + known.joined(separator: " ") }
      for cause in body["errorCauses"]?.array ?? body["errorCause"]?.array ?? [] {
        if let summary = cause["errorSummary"]?.string { words += "; \(summary)" }
      }
    }
    if let sent = record.cause.flatMap({ requests[$0] }) {
      let milliseconds = Int(max(0, record.at.microseconds - sent.microseconds) / 1_000)
      words += ", after \(Quantity.duration(milliseconds: milliseconds))"
    }
    return Words(words, isBad ? .bad : .plain)
  }

  /// The path and query of an absolute URL, without the prefix that all paths of the classic API share.
  private static func path(of url: String) -> String {
    guard let scheme = url.range(ofText: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else {
      return url
    }
    let path = url[slash...]
    return path.hasPrefix(prefix) ? "…" + path.dropFirst(prefix.count - 1) : String(path)
  }

  private static let prefix = "/api/v1/authn/"

  /// The values in a JSON document with their dotted names, such as `credentials.passcode $secret.passcode.1$`.
  private static func phrase(_ value: JSON) -> String {
    leaves(of: value, at: "", depth: 0).map { $0.name.isEmpty ? $0.value : "\($0.name) \($0.value)" }
      .joined(separator: ", ")
  }

  private static func leaves(of value: JSON, at name: String, depth: Int) -> [(name: String, value: String)] {
    guard let members = value.object?.members, !members.isEmpty, depth < 4 else {
      return value == [:] ? [] : [(name, Narration.brief(value))]
    }
    return members.flatMap { member in
      leaves(of: member.value, at: name.isEmpty ? member.key : "\(name).\(member.key)", depth: depth + 1)
    }
  }
}

extension String {
  /// The range of the first occurrence of a text.
  fileprivate func range(ofText text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
