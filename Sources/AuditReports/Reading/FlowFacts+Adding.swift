// Updates the facts of a flow with each record. Answers are large and numerous, so only the parts needed are read.

package import EventStore
package import FlowRecording

extension FlowFacts {
  /// Processes the next record of the flow.
  package mutating func add(_ record: StoredRecord, _ kinds: KindRegistry) {
    let type = record.type
    guard type != EventCoding.partType else { return }
    events += 1
    latest = max(latest, record.at)
    signIn.now = record.at
    switch type {
    case FlowStarted.type: started(Self.data(of: record))
    case FlowEnded.type:
      ended = Self.data(of: record)["outcome"]?.string
      signIn.giveUp()
      if ended == "success", let began { successes.append(FlowSuccess(began: began, ended: record.at)) }
      began = nil
    case CallMade.type:
      ended = nil
      if began == nil, let call = Self.data(of: record)["call"]?.string, !Self.tidying.contains(call) {
        began = record.at
      }
    case CallReturned.type: returned(Self.data(of: record))
    case RequestSent.type: sent(record)
    case ResponseReceived.type: answered(record, status: RecordHead.status(record.data) ?? 0, failure: nil)
    case RequestFailed.type:
      answered(record, status: 0, failure: Self.data(of: record)["code"]?.string ?? "other")
    case TimerSet.type: if Self.data(of: record)["for"]?.string == "retry" { retries += 1 }
    case DrawMade.type:
      if record.data.starts(with: Self.userAgentDraw) { userAgent = Self.data(of: record)["value"]?.string }
    case let name where name.hasPrefix(TokenLife.prefix): tokens += [TokenFact(record, Self.data(of: record))]
    default: break
    }
    kinds[kind]?.note(type, { Self.data(of: record) }, in: &signIn)
  }

  /// Calls that begin nothing: an application may make them long before it starts again.
  private static let tidying: Set<String> = ["cancel", "reset", "stopPolling", CallMade.giveUp, CallMade.release]

  private static let userAgentDraw = Array(#"{"kind":"userAgent""#.utf8)

  /// The record's data; empty if it cannot be read, because a list must still show the other flows.
  private static func data(of record: StoredRecord) -> JSON { (try? JSON(parsing: record.data)) ?? [:] }

  private mutating func started(_ data: JSON) {
    isFlow = true
    if let kind = data["kind"]?.string { self.kind = kind }
    sdk = data["sdk"]?.string
    org = data["settings"]?["org"]?.string ?? data["settings"]?["issuer"]?.string
    if let context = data["context"] { self.context = FlowContext(context) }
  }

  private mutating func returned(_ data: JSON) {
    guard data["outcome"]?.string == "error" else { return }
    let details = data["details"] ?? [:]
    let error = data["error"]?.string ?? "unknown"
    callErrors[details["errorCode"]?.string ?? error, default: 0] += 1
    signIn.fail(error: error, details: details)
  }

  // MARK: Requests

  private mutating func sent(_ record: StoredRecord) {
    requests += 1
    let head = RecordHead.request(record.data)
    // A flow has at most a few requests in progress; requests that are never answered must not pile up.
    if waiting.count >= 64 { waiting.removeFirst() }
    waiting.append(
      Waiting(
        position: record.position, at: record.at,
        endpoint: head.map { Self.endpoint($0.method, $0.url) } ?? "unknown"))
  }

  private mutating func answered(_ record: StoredRecord, status: Int, failure: String?) {
    var exchange = Exchange(endpoint: "unknown", status: status, failure: failure)
    if let index = waiting.firstIndex(where: { $0.position == record.cause }) {
      let request = waiting.remove(at: index)
      exchange.endpoint = request.endpoint
      let whole = max(0, record.at.microseconds - request.at.microseconds)
      exchange.milliseconds = Int(whole / 1_000)
      exchange.transfer = Self.timing(record.data).map { Exchange.Transfer($0, of: Int(whole)) }
    }
    exchanges.append(exchange)
  }

  /// The last member of an answer's data, read without the body before it.
  private static func timing(_ data: ArraySlice<UInt8>) -> HTTPTiming? {
    let tail = data.suffix(longestTiming)
    guard tail.last == UInt8(ascii: "}"), var start = tail.end(of: timingName) else { return nil }
    while let next = tail[start...].end(of: timingName) { start = next }
    return (try? JSON(parsing: tail[start...].dropLast())).flatMap(HTTPTiming.init)
  }

  private static let timingName = Array(#","timing":"#.utf8)
  /// More bytes than the member can have, with numbers of 19 digits.
  private static let longestTiming = 256

  /// Method and path; path components that are ids or placeholders become `:id`.
  static func endpoint(_ method: String, _ url: String) -> String {
    var path = url.utf8[...]
    if let scheme = url.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let behind = url.utf8[scheme...].dropFirst()
      if behind.starts(with: "//".utf8) {
        path = behind.dropFirst(2)
        path = path.firstIndex(of: UInt8(ascii: "/")).map { path[$0...] } ?? path.suffix(0)
      }
    }
    if let end = path.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) { path = path[..<end] }
    var text = method
    text += " "
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true) {
      text += isIdentifier(part) ? "/:id" : "/" + (String(Substring(part)))
    }
    return text
  }

  private static func isIdentifier(_ part: Substring.UTF8View) -> Bool {
    if part.starts(with: "$secret.".utf8) { return true }
    return part.count >= 16 && part.contains { (0x30...0x39).contains($0) }
  }
}

extension TokenFact {
  init(_ record: StoredRecord, _ data: JSON) {
    let shown = (data.object?.members ?? []).filter { !["id", "tokens"].contains($0.key) }
    at = record.at
    name = String(record.type.dropFirst(TokenLife.prefix.count))
    revision = record.revision
    position = record.position
    id = data["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let renewable: [(String, JSON)] = data["tokens"]?["refresh_token"] == nil ? [] : [("renewable", true)]
    details = .members(shown.map { ($0.key, $0.value) } + renewable)
  }
}
