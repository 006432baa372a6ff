// An org that answers as a recording did, for any client.

public import EventStore
public import FlowKinds
public import FlowRecording

/// Returns the recorded answers to requests, by method, path and order.
///
/// Ids and secrets in paths match any others, and bodies are ignored: any password and any code will do. If a place has
/// several recorded answers, they are returned in their order, and then the last one repeatedly; a client that begins
/// again gets the answers from the first one on. Each client has its own place in the recording: made-up values, other
/// ones for each client, replace secrets, and a request with one of them is of that client. This org's address replaces
/// that of the recorded org. Times in answers move by the distance between the recorded answer and this one, so that
/// nothing has expired that was still valid. ID tokens are signed with this org's own keys, for the client that asks
/// and with its nonce; the keys, and the metadata that refers to them, are served even if the recorded client did not
/// ask for them. An authorize request is sent back to the redirect URI that it names, with the recorded code or error
/// and its own state, also if a browser sent the recorded one.
public struct RecordedOrg: Sendable {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The headers, in order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// True if they are the same, including headers.
    public static func == (one: Answer, other: Answer) -> Bool {
      one.status == other.status && one.body == other.body && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
  }

  private var exchanges: [RecordedExchange] = []
  private var issuer: RecordedIssuer
  private var places = ClientPlaces()

  /// An org that plays a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording; all its flows are played.
  ///   - origin: its address for clients: `http://127.0.0.1:8080`.
  ///   - kinds: the kinds of flow, which declare the places of times.
  public init(_ recording: Recording, at origin: String, kinds: KindRegistry = .standard) {
    issuer = RecordedIssuer(at: origin)
    for (number, flow) in recording.flows.enumerated() {
      let requests = Dictionary(
        flow.records.compactMap { record -> (Int, RequestSent)? in
          if case .requestSent(let request) = record.event { (record.revision, request) } else { nil }
        }
      ) { first, _ in first }
      let verdicts = IDTokenVerdicts(of: flow.records, requests)
      let browsed = flow.records.map { Self.browsed($0.event) }
      var settings: JSON = [:]
      var origins = Set(requests.values.compactMap { URLParts($0.url)?.origin })
      origins.formUnion(browsed.compactMap { $0?.origin })
      if case .flowStarted(let started)? = flow.records.first?.event {
        settings = started.settings
        origins.formUnion(settings["issuer"]?.string.flatMap { URLParts($0)?.origin }.map { [$0] } ?? [])
      }
      // An empty one would match every empty text.
      let client = settings["clientId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let scene = RecordedReply.Scene(
        // The longest first: one may be the beginning of another.
        origins: origins.filter { $0 != origin }.sorted { ($0.utf8.count, $1) > ($1.utf8.count, $0) }, origin: origin,
        policy: kinds.kind(of: flow.records)?.policy)
      var shown: (page: URLParts, isOpen: Bool)?
      // The secrets of the answers so far, and the requests that carry none of them.
      var secrets: Set<Substring> = []
      var opening: Set<Int> = []
      for (index, record) in flow.records.enumerated() {
        let names = PlaceholderNames.names(in: record.event.data.text)
        let isOpen = secrets.isDisjoint(with: names)
        if case .requestSent = record.event, isOpen { opening.insert(record.revision) }
        if Self.isAnswer(record.event) { secrets.formUnion(names) }
        if let page = browsed[index] { shown = (page, isOpen) }
        if case .drawMade(let draw) = record.event, let redirect = RecordedRedirect(draw, scene) {
          if let shown {
            exchanges.append(
              RecordedExchange(
                flow: number, method: "GET", path: Self.steps(shown.page.path), reply: nil, redirect: redirect,
                client: client, isOpen: shown.isOpen))
          } else if let last = exchanges.indices.last, exchanges[last].flow == number {
            exchanges[last].redirect = redirect
          }
          shown = nil
        }
        guard let cause = record.cause, let request = requests[cause], let parts = URLParts(request.url) else {
          continue
        }
        let idToken = RecordedIDToken(
          in: record.event, verdicts[index], to: request, settings: settings, scene)
        guard let reply = RecordedReply(record, scene, idToken: idToken) else { continue }
        if let idToken { issuer.sign(by: idToken.algorithm) }
        issuer.note(record.event)
        exchanges.append(
          RecordedExchange(
            flow: number, method: request.method, path: Self.steps(parts.path), reply: reply, redirect: nil,
            client: client, isOpen: opening.contains(cause)))
      }
    }
    for index in exchanges.indices where exchanges[index].method == "GET" {
      exchanges[index].isDocument = issuer.isOfDocument("/" + exchanges[index].path.joined(separator: "/"))
    }
  }

  /// Returns whether an event brings secrets from the org: an answer, or what a browser brought back.
  private static func isAnswer(_ event: FlowEvent) -> Bool {
    switch event {
    case .responseReceived: true
    case .drawMade(let draw): draw.kind == RecordedRedirect.kind
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .callReturned, .requestSent, .requestFailed, .drawAsked,
      .timerSet, .timerFired, .domain:
      false
    }
  }

  /// The page that a browser is to show.
  private static func browsed(_ event: FlowEvent) -> URLParts? {
    guard case .drawAsked(let asked) = event, asked.kind == .browserRedirect else { return nil }
    return asked.input["url"]?.string.flatMap { URLParts($0) }
  }

  /// How many answers it has.
  public var count: Int { exchanges.count }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path, with or without its query.
  ///   - body: the body; only a form's client, nonce and PKCE values are used, for ID tokens, and made-up secrets, by
  ///     which the client is recognized.
  ///   - authorization: the header of that name, which may name the client and have made-up secrets.
  ///   - cookie: the header of that name; only made-up secrets in it are used.
  ///   - now: the time of the answer, to which its times are moved.
  /// - Returns: `nil` if no answer to that method and path was recorded.
  public mutating func answer(
    _ method: String, _ target: String, body: [UInt8] = [], authorization: String? = nil, cookie: String? = nil,
    at now: Timestamp = .now()
  ) -> Answer? {
    let place = String(target.prefix { $0 != "?" && $0 != "#" })
    let path = Self.steps(place)
    let parameters = RequestParameters(target: target, body: body, authorization: authorization)
    let fitting = exchanges.indices.filter { exchanges[$0].method == method && Self.fits(exchanges[$0].path, path) }
    // An exact match of the path takes precedence over one with ids in it.
    let exact = fitting.filter { exchanges[$0].path == path }
    let candidates = exact.isEmpty ? fitting : exact
    let isPage = method == "GET" && path.last == "authorize"
    let isBegun = BegunSignIns.isBegun(by: place, parameters)
    if candidates.isEmpty {
      if let answer = issuer.answer(method, place) { return answer }
      guard isPage || isBegun, exchanges.contains(where: { $0.path.last == "token" }) else { return nil }
    }
    let authorized = authorization.map { PlaceMark.all(in: $0.utf8) } ?? []
    let cookies = cookie.map { PlaceMark.all(in: $0.utf8) } ?? []
    let begins = isBegun || candidates.contains { canBegin($0) }
    let request = ClientPlaces.Request(
      secrets: PlaceMark.all(in: target.utf8) + PlaceMark.all(in: body) + authorized, cookies: cookies,
      client: parameters.client, begins: begins, candidates: candidates)
    let here = places.place(of: request, in: exchanges)
    let mark = places[here].mark.text
    places[here].begun.note(place, parameters)
    let pushed = parameters["request_uri"] == nil ? nil : places[here].begun.latest(of: parameters.client)
    guard let index = places[here].take(candidates, in: exchanges) else {
      guard isPage, let location = RecordedRedirect.madeUp.location(for: parameters, pushed: pushed, marked: mark)
      else { return nil }
      return Self.redirect(to: location, as: nil)
    }
    if let redirect = exchanges[index].redirect,
      let location = redirect.location(for: parameters, pushed: pushed, marked: mark)
    {
      return Self.redirect(to: location, as: exchanges[index].reply?.answer(at: now, marked: mark) { $0 })
    }
    guard let reply = exchanges[index].reply else {
      let body: JSON = ["error": "invalid_request", "error_description": "The redirect URI is missing."]
      return Answer(status: 400, headers: [("Content-Type", "application/json")], body: body.bytes)
    }
    let keys = issuer
    let begun = places[here].begun
    let signIn = begun.signIn(endedBy: parameters)
    let asking = parameters.client ?? signIn?.client
    let subject = reply.idToken?.subject(after: begun.subjects(of: asking))
    if let subject, reply.idToken?.isRenewal == false { places[here].begun.note(subject, of: asking) }
    // Forms of the Identity Engine name the client whose sign-in it is.
    let clients = exchanges[index].client.flatMap { recorded in
      (parameters.client ?? begun.latestClient).map { (recorded: recorded, asking: $0) }
    }
    // A client may keep a document for its next sign-in.
    return reply.answer(at: now, marked: exchanges[index].isDocument ? "" : mark) { json in
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

  /// Returns whether a client can begin with the request of an answer. Documents are also asked for later.
  private func canBegin(_ index: Int) -> Bool {
    guard exchanges[index].isOpen else { return false }
    return !exchanges[index].isDocument || index == 0 || exchanges[index - 1].flow != exchanges[index].flow
  }

  /// A redirect, with the other headers and the body of the recorded one.
  private static func redirect(to location: String, as recorded: Answer?) -> Answer {
    let others = (recorded?.headers ?? []).filter { $0.name.lowercased() != "location" }
    return Answer(
      status: recorded?.status ?? 302, headers: [(name: "Location", value: location)] + others,
      body: recorded?.body ?? [])
  }

  private static func naming(_ client: String, insteadOf recorded: String, in json: JSON) -> JSON {
    json.replacing { text in
      // A plain `nil` would mean the JSON value null.
      text == recorded ? JSON.string(client) : Optional.none
    } names: { _ in
      nil
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
