// Imports captured sign-ins from HTTP archives as recordings: masked requests and answers, the user, and what the SDK
// reads in the answers. What the SDK would have done next is not in them.

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
    /// The recording: one flow for each org and each kind of sign-in in the archive.
    public var recording: Recording
    /// The origins of the orgs that the requests went to, in order of first use.
    public var orgs: [String]
    /// How many requests are part of it.
    public var requests: Int
    /// How many requests were unrelated to a sign-in.
    public var skipped: Int
  }

  private struct Entry {
    var place: CapturedPlace
    var message: CapturedMessage
    /// Whether the content of its answer is in the stated encoding.
    var isReadable: Bool
    /// Whether it says when the request was sent.
    var hasTime: Bool
  }

  /// Reads an archive.
  ///
  /// Each flow is a skeleton: the settings, calls that name the user, the requests with their answers, and what the SDK
  /// reads in these: statuses, remediations, messages. It can be listed, shown, explained and played by `auditctl
  /// simulate --from`; a replay finds that the SDK does more. Secrets are replaced as in a recording: every value that
  /// the kind's policy does not declare is a secret.
  ///
  /// - Parameters:
  ///   - name: what messages call the archive.
  ///   - bytes: the content of its file.
  ///   - kinds: the known kinds of flow.
  /// - Throws: `HARError` if the file is not an archive, or has no request of a sign-in, or one without a time.
  public static func recording(name: String, bytes: [UInt8], kinds: KindRegistry = .standard) throws(HARError) -> Result
  {
    // A byte order mark is skipped, as HAR 1.2 requires.
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard !JSONCount.isImplausible(bytes) else {
      throw HARError(
        description: "\(name) is no HTTP archive: it has far too many values; save one from a browser's network panel")
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes[start...])
    } catch {
      throw HARError(
        description: "\(name) is no HTTP archive: \(error.reason) at byte \(error.offset + start); "
          + "save one from a browser's network panel")
    }
    guard let list = json["log"]?["entries"]?.array else {
      throw HARError(
        description: "\(name) is no HTTP archive: it has no log.entries; save one from a browser's network panel")
    }
    let endpoints = CapturedEndpoints(list)
    var entries: [Entry] = []
    for (number, json) in list.enumerated() {
      guard let entry = entry(json, among: endpoints), kinds[entry.place.kind] != nil else { continue }
      guard entry.isReadable else {
        throw HARError(
          description: "\(name) has an answer that is not the base64 that it says it is, in log.entries[\(number)]; "
            + "save the archive anew")
      }
      guard entry.hasTime else {
        throw HARError(
          description: "\(name) does not say when the request in log.entries[\(number)] was sent: its "
            + "startedDateTime is no time as in ISO 8601; save the archive anew")
      }
      entries.append(entry)
    }
    let sorted = entries.enumerated()
      .sorted { ($0.element.message.at, $0.offset) < ($1.element.message.at, $1.offset) }.map(\.element)
    guard let first = sorted.first else {
      throw HARError(
        description: "\(name) has no request of a sign-in: none to /api/v1/authn, /idp/idx, /idp/authenticators or an "
          + "endpoint of /oauth2, such as /oauth2/default/v1/authorize; capture one")
    }
    var orgs: [String] = []
    var seen: Set<String> = []
    var groups: [(kind: String, messages: [CapturedMessage])] = []
    var numbers: [String: Int] = [:]
    for (entry, place) in zip(sorted, CapturedPlace.joined(sorted.map(\.place))) {
      if seen.insert(place.org).inserted { orgs.append(place.org) }
      let key = "\(place.org) \(place.kind)"
      if let number = numbers[key] {
        groups[number].messages.append(entry.message)
      } else {
        numbers[key] = groups.count
        groups.append((place.kind, [entry.message]))
      }
    }
    let flows = groups.enumerated().compactMap { index, group -> RecordedFlow? in
      // No part of a URL, not even a hash, from which a secret in it could be guessed. No id is the beginning of another.
      let id = StableHash.text((index == 0 ? "" : "\(index) ") + "\(first.message.at) \(sorted.count)")
      return kinds[group.kind]?.skeleton(of: group.messages, stream: "\(group.kind)/har-\(id)")
    }
    return Result(
      recording: Recording(name: name, flows: flows), orgs: orgs, requests: sorted.count,
      skipped: list.count - sorted.count)
  }

  /// The methods that an SDK sends; any other word could be a secret.
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  private static func entry(_ json: JSON, among endpoints: CapturedEndpoints) -> Entry? {
    guard let request = json["request"], let method = request["method"]?.string, let url = request["url"]?.string,
      let parts = URLParts(url), Self.methods.contains(method)
    else { return nil }
    let body = request["postData"].flatMap(Self.body)
    guard let place = CapturedPlace(parts, body: body, among: endpoints) else { return nil }
    let at = json["startedDateTime"]?.string.flatMap { Self.time($0) }
    var response: HTTPResponse?
    var isReadable = true
    // Some tools write the status as text.
    if let answer = json["response"],
      let status = answer["status"].flatMap({ $0.int ?? $0.string.flatMap { Int($0) } }), (100...599).contains(status)
    {
      let content = answer["content"]
      var bytes = Array((content?["text"]?.string ?? "").utf8)
      if content?["encoding"]?.string?.lowercased() == "base64" {
        let decoded = Self.base64(bytes)
        (bytes, isReadable) = (decoded ?? [], decoded != nil)
      }
      var headers = fields(answer["headers"])
      if let type = content?["mimeType"]?.string, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        headers.append(HTTPField("Content-Type", type))
      }
      response = HTTPResponse(status: status, headers: headers, body: bytes)
    }
    let duration = json["time"]?.double ?? 0
    return Entry(
      place: place,
      message: CapturedMessage(
        at: at ?? Timestamp(microseconds: 0), milliseconds: duration.isFinite ? min(max(duration, 0), 86_400_000) : 0,
        request: HTTPRequest(method: method, url: url, headers: fields(request["headers"]), body: body),
        response: response, login: login(in: body, to: parts.path)), isReadable: isReadable, hasTime: at != nil)
  }

  /// A time as in ISO 8601; nil if a text is none. HAR 1.2 requires a zone, which some tools leave out: then it is UTC.
  private static func time(_ text: String) -> Timestamp? {
    let plain = text.replacing(",", with: ".")
    // An offset may be of hours alone.
    return Timestamp(plain) ?? Timestamp(plain + "Z") ?? Timestamp(plain + "00")
  }

  /// The bytes of a base64 text, which may have line breaks and lack padding; nil if it is not base64.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var letters = text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    letters += Array(repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map { Array($0) }
  }

  /// The user who signs in, according to a request.
  private static func login(in body: [UInt8]?, to path: String) -> CapturedLogin? {
    let isEngine = path.hasSuffix("/idp/idx/identify")
    guard isEngine || path.hasPrefix("/api/v1/authn"), let body, let json = try? JSON(parsing: body) else { return nil }
    let member = isEngine ? "identifier" : "username"
    return json[member]?.string.flatMap { $0.isEmpty ? nil : CapturedLogin(member: member, name: $0, body: json) }
  }

  private static func body(_ post: JSON) -> [UInt8]? {
    if let text = post["text"]?.string, !text.isEmpty { return Array(text.utf8) }
    guard let params = post["params"]?.array, !params.isEmpty else { return nil }
    let pairs = params.compactMap { param in param["name"]?.string.map { ($0, param["value"]?.string ?? "") } }
    return Array(FormText.encoded(pairs).utf8)
  }

  /// Header fields. Some tools join several of one name into a text with line breaks, or cookies with commas; the
  /// value of the second cookie would be read as an attribute of the first, which is no secret.
  private static func fields(_ json: JSON?) -> [HTTPField] {
    (json?.array ?? []).flatMap { field -> [HTTPField] in
      guard let name = field["name"]?.string, let value = field["value"]?.string else { return [] }
      let lines = value.split(whereSeparator: \.isNewline)
      guard !lines.isEmpty else { return [HTTPField(name, value)] }
      guard name.lowercased() == "set-cookie" else { return lines.map { HTTPField(name, String($0)) } }
      return lines.flatMap { $0.split(separator: /,\s*(?=[^;,=\s]+=)/) }.map { HTTPField(name, String($0)) }
    }
  }
}

/// A request with its answer.
private struct CapturedMessage {
  var at: Timestamp
  var milliseconds: Double
  var request: HTTPRequest
  var response: HTTPResponse?
  /// The user who signs in, if the request names one.
  var login: CapturedLogin?
}

/// The user who signs in, according to the body of a request.
private struct CapturedLogin {
  /// The member of the body that names the user.
  var member: String
  var name: String
  var body: JSON

  /// The arguments of a call that sends such a request, as far as they are about the person.
  var arguments: JSON {
    guard member == "identifier" else { return .members([(member, .string(name))]) }
    return ["name": "identify", "fields": [["name": .string(member), "value": .string(name)]]]
  }

  /// The name in masked arguments.
  func masked(in arguments: JSON) -> JSON? {
    member == "identifier" ? arguments["fields"]?.array?.first?["value"] : arguments[member]
  }

  /// The request without the name.
  func without(_ request: HTTPRequest) -> HTTPRequest {
    guard case .object(var object) = body else { return request }
    object.members.removeAll { $0.key == member }
    var rest = request
    rest.body = JSON.object(object).bytes
    return rest
  }
}

extension CapturedMessages {
  /// The arguments of a call, masked by the kind's policy for calls.
  fileprivate mutating func arguments(_ arguments: JSON) -> JSON {
    // Masked by the same part of the policy as the body of a request.
    request(HTTPRequest(method: "POST", url: "", headers: [], body: arguments.bytes)).body ?? [:]
  }

  /// A request that names the user. The name is treated as in the arguments of a call, where the kind declares it: a
  /// value that the policy does not declare is a secret, and would be one in all answers too.
  fileprivate mutating func request(_ message: CapturedMessage, naming name: JSON?) -> RequestSent {
    guard let login = message.login, let name else { return request(message.request) }
    var sent = request(login.without(message.request))
    if case .object(var object)? = sent.body {
      object[login.member] = name
      sent.body = .object(object)
    }
    return sent
  }
}

/// A flow of captured messages, as it grows.
private struct Skeleton<Core: FlowCore> {
  private(set) var records: [FlowRecord] = []
  private var core = Core()
  private var next = 0
  /// The call of the requests that do not name the user.
  private var shared: Int?
  /// The latest request, and what the SDK read in its answer.
  private var latest: (request: RequestSent, reading: [JSON])?

  /// Adds an event.
  ///
  /// - Returns: its record.
  @discardableResult
  mutating func add(_ event: FlowEvent, at: Timestamp, cause: Int?) -> FlowRecord {
    let record = FlowRecord(revision: next, at: max(at, records.last?.at ?? at), cause: cause, event: event)
    records.append(record)
    core.fold(record)
    next += 1 + EventCoding.encode(event).parts.count
    return record
  }

  /// Adds a call. A call that names the user has its own request; the other requests share one call.
  mutating func call(_ arguments: JSON?, at: Timestamp) -> Int {
    if arguments == nil, let shared { return shared }
    let made = FlowEvent.callMade(CallMade(call: "captured", arguments: arguments ?? [:]))
    let revision = add(made, at: at, cause: nil).revision
    shared = arguments == nil ? revision : nil
    return revision
  }

  /// Adds a request with its answer, and what the SDK reads in it.
  mutating func exchange(
    _ sent: RequestSent, _ answer: ResponseReceived?, _ call: Int, from start: Timestamp, to end: Timestamp
  ) {
    let request = add(.requestSent(sent), at: start, cause: call).revision
    guard let answer else {
      let error = TransportError(.unavailable, "The archive has no answer.")
      add(.requestFailed(RequestFailed(error)), at: end, cause: request)
      latest = nil
      return
    }
    let input = add(.responseReceived(answer), at: end, cause: request)
    // Statuses and the like; what the SDK would do next is not in an archive.
    let nothing = Draws { _, _ in .failure(DrawFailure(.missing)) }
    let read = core.decide(input, on: nil, draws: nothing).filter(Self.isReading)
    let reading = read.map { Self.essence($0.data) }
    // A poll with the same answer as before adds nothing.
    let isRepeated = latest.map { $0.request == sent && $0.reading == reading } ?? false
    latest = (sent, reading)
    if isRepeated { return }
    for event in read { add(event, at: end, cause: input.revision) }
  }

  /// True if an event states what the SDK read, in the vocabulary of the flow's kind.
  private static func isReading(_ event: FlowEvent) -> Bool {
    if case .domain = event { return true }
    return false
  }

  /// The data of an event without the parts that differ between equivalent events.
  private static func essence(_ data: JSON) -> JSON {
    guard case .object(var object) = data else { return data }
    object["previous"] = nil
    if case .object(var summary)? = object["summary"] {
      summary["expiresAt"] = nil
      object["summary"] = .object(summary)
    }
    return .object(object)
  }
}

extension FlowKind {
  /// A flow of captured messages.
  fileprivate static func skeleton(of messages: [CapturedMessage], stream: String) -> RecordedFlow {
    var masking = CapturedMessages(policy: policy.forCaptured)
    var skeleton = Skeleton<Core>()
    let start = messages.first?.at ?? Timestamp(microseconds: 0)
    let settings = settings(ofRequestsTo: messages.map(\.request.url))
    let started = FlowStarted(kind: name, sdk: "HAR/1.2", settings: masking.settings(settings))
    skeleton.add(.flowStarted(started), at: start, cause: nil)
    for message in messages {
      let arguments = message.login.map { masking.arguments($0.arguments) }
      let call = skeleton.call(arguments, at: message.at)
      let named = arguments.flatMap { message.login?.masked(in: $0) }
      let sent = masking.request(message, naming: named)
      let end = Timestamp(microseconds: message.at.microseconds + Int64(message.milliseconds * 1_000))
      skeleton.exchange(sent, message.response.map { masking.response($0) }, call, from: message.at, to: end)
    }
    return RecordedFlow(stream: stream, records: skeleton.records)
  }
}
