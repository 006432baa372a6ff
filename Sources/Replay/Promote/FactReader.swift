// From the events of a flow to the facts of its behavior.

import EventStore
import FlowRecording

/// Reads the facts of one flow, in order.
struct FactReader {
  private let kind: (any FlowKind.Type)?
  private var facts: [String] = []
  private var sign = SignInFacts()
  private var statuses: [String] = []
  /// The purposes of timers, by the revisions that set them, and how often timers of each purpose fired.
  private var purposes: [Int: String] = [:]
  private var fired: [String: Int] = [:]

  /// The facts of a flow; some may occur more than once.
  static func facts(of flow: RecordedFlow, _ kinds: KindRegistry) -> [String] {
    var reader = FactReader(kind: kinds.kind(of: flow.records))
    for record in flow.records { reader.read(record) }
    for (purpose, count) in reader.fired.sorted(by: { $0.key < $1.key }) {
      reader.facts.append("fired \(purpose) \(count == 1 ? "once" : "several")")
    }
    if reader.statuses.count > 1 { reader.facts.append("path \(reader.statuses.joined(separator: " > "))") }
    return reader.facts
  }

  private init(kind: (any FlowKind.Type)?) { self.kind = kind }

  private mutating func read(_ record: FlowRecord) {
    kind?.note(record.event.type, { record.event.data }, in: &sign)
    if let status = sign.status, status != statuses.last {
      statuses.append(status)
      facts.append("status \(status)")
    }
    if case .timerSet(let timer) = record.event { purposes[record.revision] = timer.purpose }
    if case .timerFired = record.event, let purpose = record.cause.flatMap({ purposes[$0] }) {
      fired[purpose, default: 0] += 1
    }
    facts += Self.facts(of: record.event)
    facts += (kind?.words(of: record.event) ?? []).map { "says \(record.event.type) \($0)" }
  }

  private static func facts(of event: FlowEvent) -> [String] {
    switch event {
    case .flowStarted, .drawAsked, .timerFired, .noteAdded: return []
    case .flowEnded(let ended): return ["ended \(ended.outcome)"]
    case .callMade(let made):
      let given = (made.arguments.object?.members ?? []).map(\.key).filter(FactWords.isWord).sorted()
      return ["call \(made.call)"] + (given.isEmpty ? [] : ["given \(made.call) \(given.joined(separator: ","))"])
    case .callReturned(let returned):
      switch returned.outcome {
      case .status, .done: return []
      case .cancelled: return ["cancelled"]
      case .failed(let code, let details):
        return ["error \(code)"] + FactWords.of(details).map { "detail \(code) \($0)" }
      }
    case .requestSent(let request):
      return ["request \(request.path)"] + request.headers.map { "sends \($0.name.lowercased())" }
    case .responseReceived(let response): return facts(of: response)
    case .requestFailed(let failed): return ["answer \(failed.code)"]
    case .drawMade(let draw):
      guard case .failure(let failure) = draw.result else { return ["draw \(draw.kind.rawValue)"] }
      return ["draw \(draw.kind.rawValue) \(failure.reason.rawValue)"]
    case .timerSet(let timer): return ["timer \(timer.purpose)"]
    case .domain(let event):
      return ["event \(event.type)"] + FactWords.of(event.data).map { "event \(event.type) \($0)" }
    }
  }

  private static func facts(of response: ResponseReceived) -> [String] {
    var facts: [String]
    switch response.body {
    case .empty: facts = ["answer \(response.status)"]
    case .opaque(let reason, _, _): facts = ["answer \(response.status)", "opaque \(reason)"]
    case .json(let body):
      let code = body["errorCode"]?.string ?? body["error"]?.string
      facts = ["answer \(response.status)" + (code.map { " \($0)" } ?? "")]
    }
    for header in response.headers {
      let name = header.name.lowercased()
      if name == "retry-after" { facts.append("gets retry-after") }
      if name == "set-cookie" { facts.append("gets cookie \(header.value.prefix { $0 != "=" })") }
    }
    return facts
  }
}

extension FlowKind {
  /// The words of closed vocabularies in the input from the application, the org or a draw, with their places.
  fileprivate static func words(of event: FlowEvent) -> [String] {
    guard let (schema, json) = policy.document(of: event, draws: Core.draws) else { return [] }
    var isResponse = false
    if case .responseReceived = event { isResponse = true }
    var words: [String] = []
    _ = schema.mapValues(of: json) { schema, path, value in
      let place = path.joined(separator: ".")
      // The fact that the org sends a secret, such as the number of a push, but not which one.
      if isResponse, case .secret(let name) = schema, name != "undeclared", value != .null {
        words.append("\(place)=$\(name)")
      } else if isFact(schema, path, value, isResponse: isResponse) {
        words.append("\(place)=\(value.string ?? value.text)")
      }
      return value
    }
    return words
  }

  private static func isFact(_ schema: WireSchema, _ path: [String], _ value: JSON, isResponse: Bool) -> Bool {
    // What an application asks for, not the shape of an org's forms.
    if value.bool != nil { return !isResponse }
    switch schema {
    case .word, .errorCode: return value.string.map(FactWords.isWord) == true
    case .identifier:
      return path.last.map(FactWords.isFact) == true && value.string.map(FactWords.isWord) == true
    case .text: return path.suffix(2) == ["i18n", "key"] && value.string.map(FactWords.isWord) == true
    case .object, .map, .array, .place, .number, .boolean, .date, .url, .personal, .login, .setting, .own, .secret,
      .depending:
      return false
    }
  }
}

/// The words in data that no schema describes, found by their form: what results, codes, types and reasons look like.
enum FactWords {
  /// Members that hold names, or text for people.
  private static let others: Set<String> = [
    "id", "user", "username", "login", "tag", "jti", "kid", "iss", "aud", "issuer", "message", "text", "detail",
    "errorLink", "errorSummary", "thumbprint", "fingerprint",
  ]
  private static let otherEndings = ["Id", "ID", "Ids", "Name", "Uri", "URI", "Url", "URL", "Tag", "Location"]

  /// The words, each with the members that lead to it: `result=REJECTED`, `summary.factors.type=push`.
  static func of(_ json: JSON, at path: [String] = []) -> [String] {
    switch json {
    case .null: return []
    case .bool(let flag): return ["\(path.joined(separator: "."))=\(flag)"]
    case .number(let number): return path.last == "httpStatus" ? ["\(path.joined(separator: "."))=\(number)"] : []
    case .string(let text): return isWord(text) ? ["\(path.joined(separator: "."))=\(text)"] : []
    case .array(let elements): return elements.flatMap { of($0, at: path) }
    case .object(let object):
      return object.members.flatMap { member in isFact(member.key) ? of(member.value, at: path + [member.key]) : [] }
    }
  }

  /// True if a member of that name says what happened, rather than to which thing.
  static func isFact(_ member: String) -> Bool {
    isWord(member) && !others.contains(member) && !otherEndings.contains { member.hasSuffix($0) }
  }

  /// True if a text is a word as programs use them: a letter first, no spaces, and parts that are short or consist of
  /// letters, as in `E0000004`, `RS256` and `api.authn.poll.error.push_rejected`. A long text with digits is an id, or
  /// a key.
  static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 80 else { return false }
    return text.utf8.split { "._:-".utf8.contains($0) }.allSatisfy { part in
      let digits = part.count(where: isDigit)
      let isCode = part.first == UInt8(ascii: "E") && part.count == 8 && digits == 7
      return part.allSatisfy { isLetter($0) || isDigit($0) } && (digits == 0 || part.count < 8 || isCode)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
