// An org that answers as a recording did, for any client.

public import EventStore
public import FlowKinds
public import FlowRecording

/// Gives the recorded answers to requests, by method, path and order.
///
/// Ids and secrets in paths fit any other, and bodies are not looked at: any password and any code will do. What was
/// answered several times to the same place is given in that order, and the last of them again; a client that begins
/// anew gets the answers from the first one on. Made-up values stand for secrets, and the address that it is reached at
/// for that of the recorded org. Times in answers move by the distance between the recorded answer and this one, so
/// that nothing has expired that had not. ID tokens are signed with keys of its own, for the client that asks and with
/// its nonce; the keys and the metadata that lead to them are served if the recorded client did not ask for them, too.
public struct RecordedOrg: Sendable {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The headers, in order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// Whether they are the same, headers included.
    public static func == (one: Answer, other: Answer) -> Bool {
      one.status == other.status && one.body == other.body && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
  }

  private struct Exchange {
    var flow: Int
    var method: String
    var path: [Substring]
    var reply: RecordedReply
    /// The client that was recorded.
    var client: String?
    var isUsed = false
  }

  private var exchanges: [Exchange] = []
  private var issuer: RecordedIssuer
  private var begun = BegunSignIns()

  /// An org that plays a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording; all its flows are played.
  ///   - origin: where clients reach it: `http://127.0.0.1:8080`.
  ///   - kinds: the kinds of flow, which say where times stand.
  public init(_ recording: Recording, at origin: String, kinds: KindRegistry = .standard) {
    issuer = RecordedIssuer(at: origin)
    for (number, flow) in recording.flows.enumerated() {
      let requests = Dictionary(
        flow.records.compactMap { record -> (Int, RequestSent)? in
          if case .requestSent(let request) = record.event { (record.revision, request) } else { nil }
        }
      ) { first, _ in first }
      let verdicts = IDTokenVerdicts(of: flow.records, requests)
      var settings: JSON = [:]
      var origins = Set(requests.values.compactMap { URLParts($0.url)?.origin })
      if case .flowStarted(let started)? = flow.records.first?.event {
        settings = started.settings
        origins.formUnion(settings["issuer"]?.string.flatMap { URLParts($0)?.origin }.map { [$0] } ?? [])
      }
      // An empty one would stand for every empty text.
      let client = settings["clientId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let scene = RecordedReply.Scene(
        origins: origins.filter { $0 != origin }.sorted(), origin: origin, policy: kinds.kind(of: flow.records)?.policy)
      for (index, record) in flow.records.enumerated() {
        guard let request = record.cause.flatMap({ requests[$0] }), let parts = URLParts(request.url) else { continue }
        let idToken = RecordedIDToken(
          in: record.event, verdicts[index], to: request, settings: settings, scene)
        guard let reply = RecordedReply(record, scene, idToken: idToken) else { continue }
        if let idToken { issuer.sign(by: idToken.algorithm) }
        issuer.note(record.event)
        exchanges.append(
          Exchange(flow: number, method: request.method, path: Self.steps(parts.path), reply: reply, client: client))
      }
    }
  }

  /// How many answers it has.
  public var count: Int { exchanges.count }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path, with its query or without.
  ///   - body: the body, of which a form's client, nonce and PKCE values count, for ID tokens.
  ///   - authorization: the header of that name, which may name the client.
  ///   - now: when it is given; times in it move to there.
  /// - Returns: `nil` if nothing of that method and path was recorded.
  public mutating func answer(
    _ method: String, _ target: String, body: [UInt8] = [], authorization: String? = nil, at now: Timestamp = .now()
  ) -> Answer? {
    let place = String(target.prefix { $0 != "?" && $0 != "#" })
    let path = Self.steps(place)
    let parameters = RequestParameters(target: target, body: body, authorization: authorization)
    begun.note(place, parameters)
    let fitting = exchanges.indices.filter { exchanges[$0].method == method && Self.fits(exchanges[$0].path, path) }
    // One whose path is the same to the letter comes before one with ids in it.
    let exact = fitting.filter { exchanges[$0].path == path }
    let candidates = exact.isEmpty ? fitting : exact
    guard let last = candidates.last else { return issuer.answer(method, place) }
    var index = candidates.first { !exchanges[$0].isUsed } ?? last
    if exchanges[index].isUsed, let first = beginning(of: candidates) { index = first }
    exchanges[index].isUsed = true
    let (reply, keys) = (exchanges[index].reply, issuer)
    let signIn = begun.signIn(endedBy: parameters)
    let asking = parameters.client ?? signIn?.client
    let subject = reply.idToken?.subject(after: begun.subjects(of: asking))
    if let subject, reply.idToken?.isRenewal == false { begun.note(subject, of: asking) }
    // Forms of the Identity Engine name the client whose sign-in it is.
    let clients = exchanges[index].client.flatMap { recorded in
      (parameters.client ?? begun.latestClient).map { (recorded: recorded, asking: $0) }
    }
    return reply.answer(at: now) { json in
      let json = clients.map { Self.naming($0.asking, insteadOf: $0.recorded, in: json) } ?? json
      guard let idToken = reply.idToken, let subject, case .object(var object) = json else {
        return method == "GET" ? keys.changed(json, of: place) : json
      }
      object["id_token"] = .string(
        idToken.text(
          for: parameters, signIn, of: subject, accessToken: object["access_token"]?.string, at: now))
      return .object(object)
    }
  }

  /// The first answer of a flow again if all its answers to this request are given, and later ones to others: a client
  /// begins anew. The answers of that flow are given once more then.
  private mutating func beginning(of candidates: [Int]) -> Int? {
    guard let first = candidates.first, let last = candidates.last,
      first == exchanges.firstIndex(where: { $0.flow == exchanges[first].flow }),
      exchanges[last...].dropFirst().contains(where: { $0.flow == exchanges[first].flow && $0.isUsed })
    else { return nil }
    for index in exchanges.indices where exchanges[index].flow == exchanges[first].flow {
      exchanges[index].isUsed = false
    }
    return first
  }

  private static func naming(_ client: String, insteadOf recorded: String, in json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number: json
    case .string(let text): text == recorded ? .string(client) : json
    case .array(let elements): .array(elements.map { naming(client, insteadOf: recorded, in: $0) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: naming(client, insteadOf: recorded, in: $0.value))
          }))
    }
  }

  private static func steps(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func fits(_ recorded: [Substring], _ path: [Substring]) -> Bool {
    recorded.count == path.count
      && zip(recorded, path).allSatisfy {
        $0 == $1 || $0.contains("$secret.") || RequestSent.isID($0) && RequestSent.isID($1)
      }
  }
}
