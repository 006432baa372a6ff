// Operations of administrators on tokens, answers of people at devices, and queries for tests.

extension SimulatedOrg {
  /// A session token, as a sign-in through the classic API would have issued it: valid once, for five minutes by
  /// default.
  ///
  /// - Returns: The token, or `nil` if there is no such user.
  public func sessionToken(for login: String) -> String? {
    responder.withMemory { $0.org.grantSession(OrgState.key(login)) }
  }

  /// Spoils the next token answers, whatever the grant.
  ///
  /// - Parameters:
  ///   - defect: The defect.
  ///   - times: How many answers are spoiled.
  public func spoilTokens(_ defect: OrgTokenDefect, times: Int = 1) {
    responder.withMemory { $0.org.oauth.defects += Array(repeating: defect, count: max(0, times)) }
  }

  /// Answers a device that waits, as a person at the activation page does.
  ///
  /// - Parameters:
  ///   - userCode: The code that the device shows; `nil` for the only waiting device.
  ///   - login: The login of the user who answers.
  ///   - allows: Whether the person allows it.
  ///   - polls: How often the device asks before the answer counts.
  /// - Returns: Whether such a device waited and there is such a user.
  @discardableResult
  public func activateDevice(
    userCode: String? = nil, as login: String, allows: Bool = true, afterPolls polls: Int = 0
  ) -> Bool {
    responder.withMemory { memory in
      let key = OrgState.key(login)
      let waiting = memory.org.oauth.activations.filter {
        $0.value.answer == nil && (userCode == nil || $0.value.userCode == userCode)
      }
      guard waiting.count == 1, let code = waiting.first?.key, memory.org.accounts[key] != nil else { return false }
      memory.org.answerActivation(code, key, allows: allows, afterPolls: polls)
      return true
    }
  }

  /// True if a token is valid now: an access token, a refresh token, or an ID token of this org, whichever server
  /// issued it.
  public func isActive(_ token: String) -> Bool {
    responder.withMemory { memory in
      if memory.org.accessToken(token) != nil || memory.org.refreshToken(token) != nil { return true }
      guard let id = CompactJWS(token), memory.org.isOwnIDToken(id) else { return false }
      return id.claims["exp"]?.number.map { Int64($0) > memory.org.now.seconds } ?? false
    }
  }

  /// Revokes everything that a user ever allowed: every access and refresh token stops working.
  public func revokeAuthorizations(of login: String) {
    responder.withMemory { memory in
      for (id, found) in memory.org.oauth.authorizations where found.grant.login == OrgState.key(login) {
        memory.org.oauth.authorizations[id]?.isRevoked = true
      }
    }
  }
}

extension OrgState {
  /// A session token for a user.
  mutating func grantSession(_ login: String) -> String? {
    guard let token = withAccount(login, { $0.draws.text("20111", length: 37) }) else { return nil }
    sessions[token] = Session(login: login, expires: now + configuration.sessionTokenLifetime)
    return token
  }
}
