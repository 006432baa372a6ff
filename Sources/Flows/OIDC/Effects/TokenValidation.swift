// The check of an ID token as draws: the core sees no token, and a replay has the verdict.

import EventStore
import FlowRecording

enum TokenValidation {
  /// Which parts of the verdict may be written (oidc §14): claims of the protocol, but none about a person.
  static let schema: WireSchema = .object([
    "claims": .object([
      "iss": .url, "sub": .secret("sub"), "aud": .array(.text), "exp": .number, "iat": .number, "auth_time": .number,
      "amr": .array(.identifier), "acr": .text, "jti": .identifier, "alg": .identifier, "kid": .identifier,
    ]),
    "failure": .object([
      "claim": .identifier, "rule": .word(Set(IDTokenFailure.Rule.allCases.map(\.rawValue))), "expected": .text,
      "actual": .text,
    ]),
  ])

  /// `oidc.keys`: `issuer` and `token` in; the remembered keys of the issuer out.
  static func keys(_ input: JSON, _ environment: FlowEnvironment) -> Result<JSON, DrawFailure> {
    let kid = input["token"]?.string.flatMap { JWTReading.keyID(of: $0) }
    let wanted: JSON = .members([("issuer", input["issuer"]), ("kid", kid.map(JSON.string))])
    let found = environment[KeyCacheSeam.self].value(of: wanted, at: environment.clock.now())
    return .success(
      .members([("kid", kid.map(JSON.string)), ("jwks", found["jwks"]), ("mayFetch", found["mayFetch"])]))
  }

  /// `oidc.validate`: a token, keys and expectations in; claims or the failure out. Fetched keys are cached.
  @Sendable static func verdict(_ input: JSON, _ environment: FlowEnvironment) async -> Result<JSON, DrawFailure> {
    let jwks = input["jwks"] ?? ["keys": []]
    if input["fetched"]?.bool == true, let issuer = input["issuer"]?.string {
      environment[KeyCacheSeam.self].keep(
        jwks, of: issuer, maxAge: input["maxAge"]?.int, at: environment.clock.now())
    }
    let expectation = IDTokenExpectation(input, at: environment.clock.now())
    guard let keys = KeySet(jwks) else { return .failure(DrawFailure(.failed, "the server's keys are no key set")) }
    switch await IDTokenCheck.check(input["token"]?.string ?? "", keys: keys, against: expectation) {
    case .success(let claims): return .success(["claims": claims.json])
    case .failure(let failure): return .success(["failure": failure.json])
    }
  }
}

extension IDTokenExpectation {
  /// Reads the expectations of a draw.
  fileprivate init(_ input: JSON, at now: Timestamp) {
    let time = input["now"]?.double.flatMap { Int64(exactly: $0) }.map(Timestamp.init(microseconds:)) ?? now
    self.init(
      issuer: input["issuer"]?.string ?? "", clientID: input["clientId"]?.string ?? "",
      nonce: input["nonce"]?.string, algorithms: input["algorithms"]?.array?.compactMap(\.string) ?? ["RS256"],
      skew: input["skew"]?.int ?? 300, now: time)
    maxAge = input["maxAuthAge"]?.int
    acrValues = input["acrValues"]?.array?.compactMap(\.string)
    accessToken = input["accessToken"]?.string
    deviceSecret = input["deviceSecret"]?.string
    // The previous token was checked when it was received.
    if let former = input["formerToken"]?.string, let claims = try? JWTReading.decode(former) {
      let audience = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap { $0 }
      self.former = Former(
        subject: claims["sub"]?.string ?? "", issuer: claims["iss"]?.string ?? "", audience: audience)
      nonce = nonce ?? claims["nonce"]?.string
    }
  }
}
