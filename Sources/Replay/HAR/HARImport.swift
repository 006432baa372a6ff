// Captured sign-ins out of HTTP archives, as recordings: requests and answers, masked. What the SDK would have decided is not
// in them.

import EventStore
public import FlowKinds
public import FlowRecording
import Foundation

/// An HTTP archive that cannot be read.
public struct HARError: Error, Sendable, CustomStringConvertible {
  /// One sentence: what, and what to do.
  public var description: String
}

/// Reads HTTP archives.
public enum HARImport {
  /// The result of reading an archive.
  public struct Result: Sendable {
    /// The recording: a flow for each kind of sign-in that the archive has requests of.
    public var recording: Recording
    /// How many requests became part of it.
    public var requests: Int
    /// How many had nothing to do with a sign-in.
    public var skipped: Int
  }

  private struct Entry {
    var at: Timestamp
    var milliseconds: Double
    var kind: String
    var request: HTTPRequest
    var response: HTTPResponse?
  }

  /// Reads an archive.
  ///
  /// A flow of it is a skeleton: the settings, one call, and the requests with their answers. It can be listed, shown, explained and
  /// played by `auditctl simulate --from`; a replay finds that the SDK does more. Secrets are replaced as in a recording: what
  /// the policy of the kind does not declare is one.
  ///
  /// - Parameters:
  ///   - name: what messages call the archive.
  ///   - bytes: the content of its file.
  ///   - kinds: the kinds of flow that are known.
  /// - Throws: `HARError` if it is no archive, or has no request of a sign-in.
  public static func recording(name: String, bytes: [UInt8], kinds: KindRegistry = .standard) throws(HARError) -> Result
  {
    guard !JSONCount.isImplausible(bytes), let json = try? JSON(parsing: bytes), let log = json["log"],
      let list = log["entries"]?.array
    else {
      throw HARError(
        description: "\(name) is no HTTP archive: it has no log.entries; save one from a browser's network panel")
    }
    var entries: [Entry] = []
    for json in list {
      if let entry = entry(json), kinds[entry.kind] != nil { entries.append(entry) }
    }
    let sorted = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    guard let first = sorted.first else {
      throw HARError(
        description: "\(name) has no request of a sign-in: none to /api/v1/authn, /idp/idx or /oauth2; capture one")
    }
    var order: [String] = []
    for entry in sorted where !order.contains(entry.kind) { order.append(entry.kind) }
    let flows = order.compactMap { kind in
      // Nothing of a URL: from its hash, a secret in it could be guessed.
      kinds[kind]?.skeleton(
        of: sorted.filter { $0.kind == kind }.map { ($0.at, $0.milliseconds, $0.request, $0.response) },
        stream: "\(kind)/har-\(StableHash.text("\(first.at) \(sorted.count)"))")
    }
    return Result(
      recording: Recording(name: name, flows: flows), requests: sorted.count, skipped: list.count - sorted.count)
  }

  /// Those that an SDK sends; any other word may be anything.
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  private static func entry(_ json: JSON) -> Entry? {
    guard let request = json["request"], let method = request["method"]?.string, let url = request["url"]?.string,
      let parts = URLParts(url), let kind = kind(of: parts.path),
      Self.methods.contains(method)
    else { return nil }
    let at = json["startedDateTime"]?.string.flatMap { Timestamp($0) } ?? Timestamp(microseconds: 0)
    let body = request["postData"].flatMap(Self.body)
    var response: HTTPResponse?
    if let answer = json["response"], let status = answer["status"]?.int, (100...599).contains(status) {
      let content = answer["content"]
      var bytes = Array((content?["text"]?.string ?? "").utf8)
      if content?["encoding"]?.string == "base64" { bytes = Data(base64Encoded: Data(bytes)).map { Array($0) } ?? [] }
      var headers = fields(answer["headers"])
      if let type = content?["mimeType"]?.string, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        headers.append(HTTPField("Content-Type", type))
      }
      response = HTTPResponse(status: status, headers: headers, body: bytes)
    }
    let time = json["time"]?.double ?? 0
    return Entry(
      at: at, milliseconds: time.isFinite ? min(max(time, 0), 86_400_000) : 0, kind: kind,
      request: HTTPRequest(method: method, url: url, headers: fields(request["headers"]), body: body),
      response: response)
  }

  private static func body(_ post: JSON) -> [UInt8]? {
    if let text = post["text"]?.string, !text.isEmpty { return Array(text.utf8) }
    guard let params = post["params"]?.array, !params.isEmpty else { return nil }
    let pairs = params.compactMap { param in param["name"]?.string.map { ($0, param["value"]?.string ?? "") } }
    return Array(FormText.encoded(pairs).utf8)
  }

  private static func fields(_ json: JSON?) -> [HTTPField] {
    (json?.array ?? []).compactMap { field in
      field["name"]?.string.flatMap { name in field["value"]?.string.map { HTTPField(name, $0) } }
    }
  }

  /// Which kind of flow sends requests to a path.
  private static func kind(of path: String) -> String? {
    if path.hasPrefix("/api/v1/authn") { return "authn" }
    if path.hasPrefix("/idp/idx") || path.hasSuffix("/v1/interact") { return "idx" }
    if path.hasPrefix("/idp/authenticators") { return "device" }
    if path.contains("/v1/token") || path.hasSuffix("/v1/authorize")
      || path.hasSuffix("/.well-known/openid-configuration")
    {
      return "oidc"
    }
    return nil
  }
}

extension FlowKind {
  /// A flow of captured messages.
  fileprivate static func skeleton(
    of messages: [(at: Timestamp, milliseconds: Double, request: HTTPRequest, response: HTTPResponse?)],
    stream: String
  ) -> RecordedFlow {
    var masking = CapturedMessages(policy: policy)
    let start = messages.first?.at ?? Timestamp(microseconds: 0)
    let org = messages.first.flatMap { URLParts($0.request.url)?.origin } ?? ""
    let settings = masking.settings(["org": .string(org)])
    var records: [FlowRecord] = []
    var next = 0
    func add(_ event: FlowEvent, at: Timestamp, cause: Int?) -> Int {
      let revision = next
      records.append(FlowRecord(revision: revision, at: max(at, records.last?.at ?? at), cause: cause, event: event))
      next += 1 + EventCoding.encode(event).parts.count
      return revision
    }
    _ = add(.flowStarted(FlowStarted(kind: name, sdk: "HAR/1.2", settings: settings)), at: start, cause: nil)
    let call = add(.callMade(CallMade(call: "captured", arguments: [:])), at: start, cause: nil)
    for message in messages {
      let sent = add(.requestSent(masking.request(message.request)), at: message.at, cause: call)
      let end = Timestamp(microseconds: message.at.microseconds + Int64(message.milliseconds * 1_000))
      if let response = message.response {
        _ = add(.responseReceived(masking.response(response)), at: end, cause: sent)
      } else {
        let error = TransportError(.unavailable, "The archive has no answer.")
        _ = add(.requestFailed(RequestFailed(error)), at: end, cause: sent)
      }
    }
    return RecordedFlow(stream: stream, records: records)
  }
}
