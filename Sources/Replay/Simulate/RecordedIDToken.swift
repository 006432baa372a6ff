// ID tokens of a recording, which has none of their signatures, issued again for another client.

import EventStore
import FlowRecording

/// What is known of the ID token in a recorded answer.
struct RecordedIDToken: Sendable {
  /// The claims that were recorded: those of the protocol, the subject as a made-up one.
  private let claims: JSONObject
  private let issuer: String
  /// The client that it was for.
  private let client: String?
  /// How it was signed; by RSA, which every client takes, if it was not checked.
  let algorithm: OrgSigner.Algorithm
  /// How the sign-in was begun is unknown to a request that renews tokens.
  let isRenewal: Bool
  /// Stands for a subject that was not recorded.
  private static let unknown = "surrogate-subject"

  /// The ID token of an answer.
  ///
  /// - Parameters:
  ///   - event: the answer.
  ///   - verdict: what became of its ID token.
  ///   - request: what it answers.
  ///   - settings: those of the flow.
  ///   - scene: what the answers of the flow have in common.
  /// - Returns: `nil` if the answer has none, or if the recorded client refused it: what stands for it is no token, and
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

  /// Who the token is of.
  ///
  /// - Parameter given: the subjects of the tokens that the client got when it signed in, the latest last. A renewal
  ///   must not name another one, also if the recorded client checked that token and not the one of the sign-in.
  func subject(after given: [String]) -> String {
    let recorded = claims["sub"]?.string
    guard isRenewal, let latest = given.last else { return recorded ?? Self.unknown }
    if let recorded, given.contains(recorded) { return recorded }
    return latest
  }

  /// The token for a client: its own name and nonce, and times of now.
  ///
  /// - Parameters:
  ///   - parameters: the request for tokens.
  ///   - begun: the sign-in that it ends.
  ///   - subject: who it is of.
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
      // Times of years that no token has are none.
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
    // Whoever asks for it has just signed in here; the recorded client may have had a session. A renewal keeps its time.
    let signedIn = isRenewal ? since("auth_time") ?? age : age ?? since("auth_time")
    members["auth_time"] = signedIn.map { JSON.int(seconds + $0) }
    members["nonce"] = isRenewal ? nil : begun?.nonce.map(JSON.string)
    members["at_hash"] = accessToken.map { JSON.string(OrgSigner.hash(of: $0)) }
    return OrgSigner.key(for: algorithm).token(.object(members))
  }
}

/// The sign-ins that clients have begun, by what they sent then.
struct BegunSignIns: Sendable {
  /// One of them.
  struct SignIn: Sendable {
    /// The PKCE challenge.
    var challenge: String?
    /// The client.
    var client: String?
    /// What its ID token must repeat.
    var nonce: String?
    /// Whether it asked for the time at which the person signed in.
    var hasMaxAge: Bool
  }

  private var latest: [SignIn] = []
  /// The client of the sign-in that was begun last.
  var latestClient: String? { latest.last?.client }
  private static let most = 256
  /// Who signed in, by the clients, the latest last.
  private var subjects: [(client: String?, subject: String)] = []

  /// Takes a request up, if it begins a sign-in.
  mutating func note(_ path: String, _ parameters: RequestParameters) {
    guard ["/interact", "/authorize", "/par"].contains(where: { path.hasSuffix($0) }), parameters.client != nil,
      // What was pushed is known already (RFC 9126).
      parameters["request_uri"] == nil
    else { return }
    if latest.count == Self.most { latest.removeFirst() }
    latest.append(
      SignIn(
        challenge: parameters["code_challenge"], client: parameters.client, nonce: parameters["nonce"],
        hasMaxAge: parameters["max_age"] != nil))
  }

  /// Takes up who a client's ID token is of.
  mutating func note(_ subject: String, of client: String?) {
    subjects.removeAll { $0.client == client && $0.subject == subject }
    if subjects.count == Self.most { subjects.removeFirst() }
    subjects.append((client, subject))
  }

  /// Who the ID tokens are of that a client got when it signed in, the latest last.
  func subjects(of client: String?) -> [String] { subjects.filter { $0.client == client }.map(\.subject) }

  /// The sign-in that a request for tokens ends: that of its verifier, or the latest one of its client.
  func signIn(endedBy parameters: RequestParameters) -> SignIn? {
    if let verifier = parameters["code_verifier"] {
      let challenge = OrgSigner.challenge(of: verifier)
      return latest.last { $0.challenge == challenge || $0.challenge == verifier }
    }
    return latest.last { $0.client == parameters.client } ?? (parameters.client == nil ? latest.last : nil)
  }
}
