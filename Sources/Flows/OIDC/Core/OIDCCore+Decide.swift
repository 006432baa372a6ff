// What follows from an input of a flow for tokens.

import EventStore
package import FlowRecording

extension OIDCCore {
  /// The context of a decision.
  struct Turn {
    let input: FlowRecord
    let draws: Draws
    /// The user agent for requests, drawn with the first one.
    var agent: String
    /// The request that is retried.
    var retry: OIDCRetry?
  }

  /// Decides what follows from an input.
  package func decide(_ input: FlowRecord, on snapshot: OIDCCore?, draws: Draws) -> [FlowEvent] {
    switch input.event {
    case .callMade(let made) where made.call == CallMade.giveUp: givenUp(made)
    case .callMade(let made) where made.call == CallMade.release: ledger.releasing(as: ledger.outcomeOfRelease)
    case .callMade(let made): called(made, input, draws)
    case .responseReceived, .requestFailed, .drawMade: answered(input, draws)
    case .timerFired: fired(input, draws)
    case .flowStarted, .flowEnded, .noteAdded, .callReturned, .requestSent, .drawAsked, .timerSet, .domain: []
    }
  }

  private func givenUp(_ made: CallMade) -> [FlowEvent] {
    guard let call = made.arguments["call"]?.int, ledger.calls[call] != nil else { return [] }
    let end: [FlowEvent] = operation?.call == call ? [.flowEnded(FlowEnded(outcome: "cancelled"))] : []
    return ledger.cancelling([call]) + end
  }

  private func turn(_ input: FlowRecord, _ draws: Draws) -> Turn {
    Turn(input: input, draws: draws, agent: ledger.userAgent ?? "")
  }

  private func called(_ made: CallMade, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    let call = input.revision
    guard let name = OIDCCall(rawValue: made.call) else {
      return [Refusal.internalError("this version of the SDK does not know the call '\(made.call)'").ending(call)]
    }
    let done = FlowEvent.callReturned(CallReturned(call: call, outcome: .done))
    switch name {
    case .resume:
      guard lastStep == .resumed else { return [Refusal.internalError("no redirect is waited for").ending(call)] }
      return [done] + answered(input, draws)
    case .cancel:
      guard let operation, isUnderWay else { return [done] }
      return [done] + end(operation, Refusal("userCancelledAuthorizationFlow"))
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .signOut, .renew, .introspect, .revoke, .getUser,
      .store, .read, .clear, .clearAll, .adopt:
      guard let operation, operation.call == call else { return [Refusal("alreadyInProgress").ending(call)] }
      return begin(operation, turn(input, draws))
    }
  }

  private func answered(_ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let lastStep, let operation, isUnderWay, let answer = operation.answers[lastStep] else { return [] }
    return answered(lastStep, answer, operation, turn(input, draws))
  }

  private func fired(_ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    guard let lastStep, let operation, isUnderWay else { return [] }
    if operation.retry?.step == lastStep { return go(on: operation, turn(input, draws)) }
    guard lastStep == .token else { return end(operation, Refusal("timeout")) }
    if isOver(operation, at: input.at) {
      return end(operation, .authorization("expired_token", "the codes are good no more"))
    }
    return go(on: operation, turn(input, draws))
  }

  /// Whether the codes for another device have expired.
  private func isOver(_ operation: OIDCOperation, at time: Timestamp) -> Bool {
    let seconds = operation.answers[.deviceAuthorize]?.body?["expires_in"]?.int ?? 600
    guard let start = operation.codesAt else { return true }
    let (age, isFar) = time.microseconds.subtractingReportingOverflow(start.microseconds)
    return isFar || age >= Int64(min(max(seconds, 0), 86_400)) * 1_000_000
  }

  // MARK: The beginning

  private func begin(_ operation: OIDCOperation, _ turn: Turn) -> [FlowEvent] {
    var (operation, turn) = (operation, turn)
    switch operation.name {
    case .store, .read, .clear, .clearAll: return kept(operation, turn)
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .signOut, .renew, .introspect, .revoke, .getUser,
      .adopt, .resume, .cancel:
      break
    }
    if let obstacle = obstacle(operation) { return end(operation, obstacle) }
    turn.agent = turn.draws(.userAgent).string ?? ""
    // No other operation waits for one that waits for the lock of stored tokens.
    operation.take(
      .oidcKnown, ["issuer": .string(settings.issuer), "leads": .bool(!operation.persists)], turn.draws)
    switch operation.name {
    case .signInWithSessionToken, .signInWithBrowser:
      for kind in [DrawKind.state, .nonce, .pkce] { operation.take(kind, .null, turn.draws) }
    case .signOut: operation.take(.state, .null, turn.draws)
    case .adopt: if operation.idToken != nil { operation.takeKeys(settings, turn.draws) }
    case .signInOnDevice, .renew, .introspect, .revoke, .getUser, .store, .read, .clear, .clearAll, .resume, .cancel:
      break
    }
    // The other parts of a sign-out do not need the browser.
    if let obstacle = pageObstacle(operation) { return refuse(.open, obstacle, operation, turn) }
    return go(on: operation, turn)
  }

  /// Why an operation cannot begin; nothing has been sent in that case.
  private func obstacle(_ operation: OIDCOperation) -> Refusal? {
    func isMissing(_ name: String) -> Bool { operation.arguments[name]?.string?.isEmpty ?? true }
    guard settings.discoveryURL != nil else { return Refusal("noDiscoveryEndpoint") }
    switch operation.name {
    case .renew: return isMissing("refreshToken") ? Refusal("noRefreshToken") : nil
    case .introspect, .revoke: return isMissing("token") ? Refusal("noBearerToken") : nil
    case .getUser: return isMissing("accessToken") ? Refusal("noBearerToken") : nil
    case .signOut: return operation.options == ["signOutFromOkta"] ? pageObstacle(operation) : nil
    case .signInWithSessionToken: return isMissing("sessionToken") ? Refusal("noBearerToken") : nil
    case .signInWithBrowser, .signInOnDevice, .adopt, .store, .read, .clear, .clearAll, .resume, .cancel: return nil
    }
  }

  /// Why a sign-out cannot send the browser to the sign-out page; nil if it can, or does not need to.
  private func pageObstacle(_ operation: OIDCOperation) -> Refusal? {
    guard operation.name == .signOut, operation.options.contains("signOutFromOkta") else { return nil }
    if operation.arguments["idToken"]?.string?.isEmpty ?? true { return Refusal("missingIdToken") }
    return settings.logoutRedirectURI == nil ? Refusal("missingConfigurationValues") : nil
  }

  /// The operations of the store, which need no network and end at once.
  private func kept(_ operation: OIDCOperation, _ turn: Turn) -> [FlowEvent] {
    let key: JSON = .members(["issuer", "clientId", "legacy"].map { ($0, operation.arguments[$0]) })
    let result: Result<JSON, DrawFailure>
    switch operation.name {
    case .store: result = turn.draws.attempt(.tokensKeep, ["tokens": operation.arguments["stored"] ?? .null])
    case .read: result = turn.draws.attempt(.tokensRead, key)
    case .clear: result = turn.draws.attempt(.tokensClear, key)
    case .clearAll: result = turn.draws.attempt(.tokensClear, ["all": true])
    case .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .signOut, .renew, .introspect, .revoke, .getUser,
      .adopt, .resume, .cancel:
      return []
    }
    switch result {
    case .failure(let failure): return end(operation, .storage(failure))
    case .success(let value):
      let news: [FlowEvent] =
        switch operation.name {
        case .store: stored(operation.arguments["stored"] ?? [:])
        case .clear, .clearAll: [.domain(TokenCleared(id: operation.tokenID, entries: value.int ?? 0))]
        case .read, .signInWithSessionToken, .signInWithBrowser, .signInOnDevice, .signOut, .renew, .introspect,
          .revoke,
          .getUser, .adopt, .resume, .cancel:
          []
        }
      return news + done(operation)
    }
  }

  /// The events about stored tokens.
  func stored(_ tokens: JSON) -> [FlowEvent] {
    [
      .domain(
        TokenStored(
          id: tokens["id"]?.string ?? "", issuer: tokens["issuer"]?.string ?? "",
          clientID: tokens["clientId"]?.string ?? ""))
    ]
  }

  // MARK: The end

  /// Ends a successful operation.
  func done(_ operation: OIDCOperation) -> [FlowEvent] {
    [
      .callReturned(CallReturned(call: operation.call, outcome: .done)), .flowEnded(FlowEnded(outcome: "success")),
    ]
  }

  /// Ends a failed operation.
  func end(_ operation: OIDCOperation, _ refusal: Refusal) -> [FlowEvent] {
    [refused(operation, refusal)] + over(operation, refusal)
  }

  /// The event that reports why an operation failed.
  func refused(_ operation: OIDCOperation, _ refusal: Refusal) -> FlowEvent {
    .domain(TokenRefused(id: operation.tokenID, operation: operation.name.rawValue, option: nil, refusal))
  }

  /// Ends an operation whose failure has already been reported.
  func over(_ operation: OIDCOperation, _ refusal: Refusal) -> [FlowEvent] {
    let isGivenUp = refusal.code == "userCancelledAuthorizationFlow"
    return [
      refusal.ending(operation.call), .flowEnded(FlowEnded(outcome: isGivenUp ? "cancelled" : "failed")),
    ]
  }
}

extension OIDCOperation {
  /// Applies a draw at once, as the fold will.
  mutating func take(_ kind: DrawKind, _ input: JSON, _ draws: Draws) {
    drawn(DrawMade(kind: kind, ordinal: 0, result: draws.attempt(kind, input)))
  }

  /// Draws the remembered keys of the server, for the ID token that was received.
  mutating func takeKeys(_ settings: OIDCSettings, _ draws: Draws) {
    take(.oidcKeys, ["issuer": .string(settings.issuer), "token": idToken.map(JSON.string) ?? .null], draws)
  }
}
