// ID tokens of a recording, which does not contain their signatures, issued again for another client.

import EventStore
import FlowRecording

/// The known facts about the ID token in a recorded answer.
struct RecordedIDToken: Sendable {
  /// The recorded claims: those of the protocol, with a made-up subject.
  private let claims: JSONObject
  private let issuer: String
  /// The client that it was for.
  private let client: String?
  /// Its algorithm; RSA, which every client accepts, if it was not checked.
  let algorithm: OrgSigner.Algorithm
  /// True for a renewal of tokens, which does not know how the sign-in was begun.
  let isRenewal: Bool
  /// Stands for a subject that was not recorded.
  private static let unknown = "surrogate-subject"

  /// The ID token of an answer.
  ///
  /// - Parameters:
  ///   - event: the answer.
  ///   - verdict: the recorded client's verdict on its ID token.
  ///   - request: what it answers.
  ///   - settings: the settings of the flow.
  ///   - scene: the common facts of the flow's answers.
  /// - Returns: `nil` if the answer has none, or if the recorded client refused it: its replacement is not a token, and
  ///   is refused too.
  init?(
    in event: FlowEvent, _ verdict: IDTokenVerdicts.Verdict?, to request: RequestSent, settings: JSON,
    _ scene: RecordedReply.Scene
  ) {
    guard Self.text(in: event) != nil else { return nil }
    let claims: JSON?
    switch verdict {
    case .refused?: return nil
    case .taken(let recorded)?: claims = scene.json(recorded)
    case nil: claims = nil
    }
    self.claims = claims?.object ?? JSONObject()
    algorithm = claims?["alg"]?.string.flatMap { OrgSigner.Algorithm(rawValue: $0) } ?? .rsa
    client = settings["clientId"]?.string.map(scene.text)
    isRenewal = request.body?["grant_type"] == "refresh_token"
    issuer =
      claims?["iss"]?.string ?? settings["issuer"]?.string.map(scene.text)
      ?? Self.issuer(of: URLParts(request.url)?.path ?? "", at: scene.origin)
  }

  /// The ID token in an answer, as it was recorded; `nil` for any other event, and for an answer without one.
  static func text(in event: FlowEvent) -> String? {
    guard case .responseReceived(let response) = event, case .json(let body) = response.body,
      (200...299).contains(response.status), let token = body["id_token"]?.string, !token.isEmpty
    else { return nil }
    return token
  }

  /// The issuer whose token endpoint has a path: that of the org itself is below `/oauth2/v1`.
  private static func issuer(of path: String, at origin: String) -> String {
    let ending = "/v1/token"
    let server = path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : ""
    return server == "/oauth2" ? origin : origin + server
  }

  /// The subject of the token.
  ///
  /// - Parameter given: the subjects of the tokens that the client got when it signed in, the latest last. A renewal
  ///   must not name another one, even if the recorded client checked only the renewed token.
  func subject(after given: [String]) -> String {
    let recorded = claims["sub"]?.string
    guard isRenewal, let latest = given.last else { return recorded ?? Self.unknown }
    if let recorded, given.contains(recorded) { return recorded }
    return latest
  }

  /// The token for a client: with the client's own name and nonce, and current times.
  ///
  /// - Parameters:
  ///   - parameters: the request for tokens.
  ///   - begun: the sign-in that it ends.
  ///   - subject: its subject.
  ///   - accessToken: the access token that comes with it.
  ///   - now: when it is issued.
  func text(
    for parameters: RequestParameters, _ begun: BegunSignIns.SignIn?, of subject: String, accessToken: String?,
    at now: Timestamp
  ) -> String {
    let seconds = Int(now.microseconds / 1_000_000)
    let issued = claims["iat"]?.int
    func since(_ name: String) -> Int? {
      guard let issued, let time = claims[name]?.int else { return nil }
      let (distance, overflows) = time.subtractingReportingOverflow(issued)
      // Times in years that no token has are ignored.
      return overflows || abs(distance / 2) > 1 << 32 ? nil : distance
    }
    let age: Int? = begun?.hasMaxAge == true ? 0 : nil
    var members = claims
    for name in ["alg", "kid"] { members[name] = nil }
    members["iss"] = .string(issuer)
    members["aud"] = .string(parameters.client ?? begun?.client ?? client ?? "client")
    members["sub"] = .string(subject)
    members["iat"] = .int(seconds)
    members["exp"] = .int(seconds + max(1, since("exp") ?? 3_600))
    // The client that asks for it has just signed in here; the recorded client may have had a session. A renewal keeps
    // its time.
    let signedIn = isRenewal ? since("auth_time") ?? age : age ?? since("auth_time")
    members["auth_time"] = signedIn.map { JSON.int(seconds + $0) }
    members["nonce"] = isRenewal ? nil : begun?.nonce.map(JSON.string)
    members["at_hash"] = accessToken.map { JSON.string(OrgSigner.hash(of: $0)) }
    return OrgSigner.key(for: algorithm).token(.object(members))
  }
}

/// The sign-ins that clients have begun, by the parameters that they sent.
struct BegunSignIns: Sendable {
  /// A sign-in that was begun.
  struct SignIn: Sendable {
    /// The PKCE challenge.
    var challenge: String?
    /// The client.
    var client: String?
    /// The nonce that its ID token must repeat.
    var nonce: String?
    /// Whether it asked for the time at which the person signed in.
    var hasMaxAge: Bool
    /// Where its client is to be sent back.
    var redirect: String?
    /// What its client gets back then.
    var state: String?
  }

  private var latest: [SignIn] = []
  /// The client of the sign-in that was begun last.
  var latestClient: String? { latest.last?.client }
  private static let most = 256
  /// The subjects who signed in, with their clients, the latest last.
  private var subjects: [(client: String?, subject: String)] = []

  /// Returns whether a request begins a sign-in.
  static func isBegun(by path: String, _ parameters: RequestParameters) -> Bool {
    // Pushed parameters are known already (RFC 9126).
    ["/interact", "/authorize", "/par"].contains { path.hasSuffix($0) } && parameters.client != nil
      && parameters["request_uri"] == nil
  }

  /// Notes a request if it begins a sign-in.
  mutating func note(_ path: String, _ parameters: RequestParameters) {
    guard Self.isBegun(by: path, parameters) else { return }
    if latest.count == Self.most { latest.removeFirst() }
    latest.append(
      SignIn(
        challenge: parameters["code_challenge"], client: parameters.client, nonce: parameters["nonce"],
        hasMaxAge: parameters["max_age"] != nil, redirect: parameters["redirect_uri"], state: parameters["state"]))
  }

  /// The sign-in that a client began last.
  func latest(of client: String?) -> SignIn? { latest.last { $0.client == client } }

  /// Notes the subject of a client's ID token.
  mutating func note(_ subject: String, of client: String?) {
    subjects.removeAll { $0.client == client && $0.subject == subject }
    if subjects.count == Self.most { subjects.removeFirst() }
    subjects.append((client, subject))
  }

  /// The subjects of the ID tokens that a client got when it signed in, the latest last.
  func subjects(of client: String?) -> [String] { subjects.filter { $0.client == client }.map(\.subject) }

  /// The sign-in that a request for tokens ends: the one that matches its verifier, or the latest one of its client.
  func signIn(endedBy parameters: RequestParameters) -> SignIn? {
    if let verifier = parameters["code_verifier"] {
      let challenge = OrgSigner.challenge(of: verifier)
      return latest.last { $0.challenge == challenge || $0.challenge == verifier }
    }
    return latest(of: parameters.client) ?? (parameters.client == nil ? latest.last : nil)
  }
}
