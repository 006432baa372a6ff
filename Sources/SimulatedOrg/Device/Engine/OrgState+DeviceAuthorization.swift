// The caller of a request, and whether its proof is enough (device.md §3, §6.3, §20.2).

/// The scopes of the API for devices.
enum DeviceScope: String, CaseIterable {
  case manage = "okta.myAccount.appAuthenticator.manage"
  case read = "okta.myAccount.appAuthenticator.read"
  case maintain = "okta.myAccount.appAuthenticator.maintenance.manage"
  case watch = "okta.myAccount.appAuthenticator.maintenance.read"

  /// Scopes that allow what this one allows: itself and the stronger ones.
  private var sufficient: Set<Self> {
    switch self {
    case .manage: [.manage]
    case .read: [.read, .manage]
    case .maintain: [.maintain, .manage]
    case .watch: [.watch, .maintain, .read, .manage]
    }
  }

  /// Whether a token with those scopes may do what needs this one.
  func isIn(_ scopes: Set<String>) -> Bool { sufficient.contains { scopes.contains($0.rawValue) } }
}

/// The caller of a request.
enum DeviceCaller {
  case token(AccessToken)
  /// A key of this enrollment signed the request.
  case key(DeviceEnrollment)
}

extension OrgState {
  /// The sender of this `Authorization`.
  ///
  /// - Throws: `E0000011` if it proves nothing.
  mutating func caller(_ call: DeviceCall) throws(Refusal) -> DeviceCaller {
    let parts = (call.authorization ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw .invalidToken }
    switch parts[0].lowercased() {
    case "bearer":
      guard let token = accessToken(parts[1]), token.server == "/oauth2" else { throw .invalidToken }
      return .token(token)
    case "ssws": return .key(try selfSigned(parts[1]))
    case _: throw .invalidToken
    }
  }

  /// The caller, whose token must have the scope. A key needs none.
  mutating func caller(_ call: DeviceCall, with scope: DeviceScope) throws(Refusal) -> DeviceCaller {
    let caller = try caller(call)
    if case .token(let token) = caller, !scope.isIn(token.scopes) { throw .missingScope }
    return caller
  }

  /// The enrollment that a request is about: the caller's own, and in use.
  mutating func enrollment(_ id: String, _ call: DeviceCall, scope: DeviceScope) throws(Refusal) -> DeviceEnrollment {
    let caller = try caller(call, with: scope)
    guard let enrollment = device.enrollments[id] else { throw .noSuchEnrollment }
    switch caller {
    case .token(let token): if token.login != enrollment.login { throw .noSuchEnrollment }
    case .key(let own): if own.id != id { throw .noSuchEnrollment }
    }
    try checkStatus(enrollment)
    return enrollment
  }

  /// The enrollment that signed an `SSWS` token; each token is taken once.
  private mutating func selfSigned(_ text: String) throws(Refusal) -> DeviceEnrollment {
    guard let token = CompactJWS(text), token.header["typ"]?.string?.lowercased() == "okta-enrollmentupdate+jwt",
      let enrollment = token.text("iss").flatMap({ device.enrollments[$0] }),
      let (_, key) = enrollment.key(token.header["kid"]?.string), token.text("kid") == key.id, key.signed(token),
      token.text("sub") == enrollment.userID, token.text("aud") == baseURL, token.isTimely(at: now),
      spend(token, of: enrollment.id)
    else { throw .invalidToken }
    return enrollment
  }

  /// Whether the `jti` of a token is new; from now on it is not.
  mutating func spend(_ token: CompactJWS, of holder: String) -> Bool {
    guard let id = token.text("jti"), !id.isEmpty, let expires = token.claims["exp"]?.number else { return false }
    if device.spent.count > 50_000 {
      let now = now
      device.spent = device.spent.filter { $0.value > now }
    }
    // Past this the times of the token refuse it; an id that asks for more than a year is kept for a year.
    let rest = min(max(0, Double(expires) - Double(now.seconds)), 31_536_000)
    let end = now + (rest + 301)
    return device.spent.updateValue(end, forKey: holder + " " + id) == nil
  }
}
