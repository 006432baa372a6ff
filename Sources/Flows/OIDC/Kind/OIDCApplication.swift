// The application of a token flow in a replay. It has the recorded configuration and tokens, and calls the methods of
// the public classes.

import EventStore
package import FlowRecording
import Foundation

extension OIDCKind: PlayableKind {
  package typealias Application = OIDCApplication
}

/// A replayed application that uses the public API. Each flow is one operation.
package final class OIDCApplication: PlayedApplication {
  private let auth: OktaAppAuth
  private let session: OIDCSession
  private let rerun: FlowRerun
  /// Whether the configuration requires the person to sign in every time.
  private let noSSO: Bool
  private let got = PlayedResults<Got>()

  /// The requested parts of sign-outs, keyed by the revision of the call.
  private let asked = Locked<[Int: SignOutOptions]>([:])
  /// The codes shown by a sign-in on another device.
  private let shown = Locked<[DeviceCode]>([])
  private var isOnDevice = false
  /// Whether a public method that uses the browser began the flow's operation.
  private var isBrowsing = false

  /// The result of a call.
  enum Got: @unchecked Sendable {
    case manager(OktaAuthStateManager)
    /// The requested tokens do not exist.
    case nothing
    /// The call neither succeeded nor failed.
    case undecided
    case values([String: Any], OIDCStep)
    case done
    /// The parts of a sign-out that failed.
    case failedParts(SignOutOptions)
    case error(OktaError, OktaAuthStateManager?)
    /// An object shows a wrong value, described in a sentence.
    case wrong(String)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal) {
    // Without an issuer, the flow was begun with stored tokens only.
    guard start.resumes == nil, let rerun = environment.rerun, start.settings["skew"] != nil else { return nil }
    guard var configuration = Self.configuration(start.settings) else {
      throw PlayedRefusal("such a configuration is not taken")
    }
    self.rerun = rerun
    // A configuration without single sign-on always sends a prompt.
    let shown = rerun.calls.filter { OIDCCall(rawValue: $0.call) == .signInWithBrowser }
    let isPrompted = shown.allSatisfy { $0.arguments["parameters"]?["prompt"] != nil }
    noSSO =
      !shown.isEmpty && isPrompted
      && rerun.forms.choose("single sign-on", among: ["shared", "none"]) == "none"
    configuration.noSSO = noSSO
    let ready = ReadySession()
    var environment = environment
    environment[ReadySessionSeam.self] = ready
    guard let auth = try? OktaAppAuth(configuration: configuration, environment: environment) else {
      throw PlayedRefusal("a client with such a configuration cannot be made")
    }
    self.auth = auth
    session = auth.client.begin()
    ready.keep(session)
  }

  /// The configuration that a flow was begun with; `nil` if there was none, for example if it used only stored tokens.
  private static func configuration(_ settings: JSON) -> OktaAuthConfig? {
    var values: [String: String] = [:]
    for name in ["issuer", "clientId", "scopes", "redirectUri", "logoutRedirectUri"] {
      values[name] = settings[name]?.string
    }
    for member in settings["parameters"]?.object?.members ?? [] {
      guard values[member.key] == nil, let text = member.value.string else { return nil }
      values[member.key] = text
    }
    guard var configuration = try? OktaAuthConfig(with: values) else { return nil }
    configuration.options.clientSecret = settings["clientSecret"]?.string
    if let skew = settings["skew"]?.int { configuration.options.allowedClockSkew = skew }
    if let seconds = settings["redirectSeconds"]?.int { configuration.options.redirectTimeout = seconds }
    if let names = settings["algorithms"]?.array {
      configuration.options.idTokenAlgorithms = names.compactMap(\.string)
    }
    return configuration
  }

  package var flow: Flow<OIDCCore> { session.flow }

  // MARK: Calls

  package func call(_ made: CallMade, at revision: Int, on snapshot: OIDCCore?) -> PlayedCall {
    guard let name = OIDCCall(rawValue: made.call) else { return .noForm }
    let (arguments, auth, got) = (made.arguments, auth, got)
    let table = OIDCFormTable(
      call: name, revision: revision, forms: rerun.forms, tasks: rerun.tasks,
      keep: { got.keep($0, of: revision) })
    let refused = PlayedCall.refused("the tokens that the call is about are not taken")
    switch name {
    case .signInWithSessionToken:
      guard let token = arguments["sessionToken"]?.string else { return .noForm }
      return table.tokens {
        auth.authenticate(withSessionToken: token, callback: $0)
      } awaited: { () throws(OktaError) in
        try await auth.authenticate(withSessionToken: token)
      }
    case .signInWithBrowser:
      guard var parameters = Self.texts(arguments["parameters"]) else { return .noForm }
      // A configuration without single sign-on adds this on its own.
      let isAdded = noSSO && auth.configuration.additionalParams?["prompt"] == nil
      if isAdded, parameters["prompt"] == "login" { parameters["prompt"] = nil }
      return browsing(
        table.tokens { [parameters] in
          auth.signInWithBrowser(additionalParameters: parameters, callback: $0)
        } awaited: { [parameters] () throws(OktaError) in
          try await auth.signInWithBrowser(additionalParameters: parameters)
        })
    case .signInOnDevice:
      let shown = shown
      isOnDevice = true
      return table.play([
        table.awaited("awaited") { () throws(OktaError) in
          .manager(try await auth.signInOnDevice { code in shown.withLock { $0.append(code) } })
        }
      ])
    case .renew:
      guard let manager = stored(arguments) else { return refused }
      return table.tokens(of: manager) {
        manager.renew(callback: $0)
      } awaited: { () throws(OktaError) in
        try await manager.renew()
      }
    case .introspect:
      guard let manager = holder(of: arguments["token"], arguments) else { return .noForm }
      let token = arguments["token"]?.string
      return table.values(.introspect) {
        manager.introspect(token: token, callback: $0)
      } awaited: {
        () throws(OktaError) in
        try await manager.introspect(token: token)
      }
    case .revoke:
      return revoke(table, arguments)
    case .getUser:
      // The subject comes from an ID token, which is not in the log.
      guard arguments["subject"] == nil, let manager = holder(of: nil, arguments) else { return .noForm }
      return table.values(.userInfo) {
        manager.getUser($0)
      } awaited: { () throws(OktaError) in
        try await manager.getUser()
      }
    case .signOut: return browsing(signOut(table, arguments))
    case .store, .clear, .read: return storage(table, arguments)
    case .cancel:
      // An operation that no public method began cannot be cancelled through one.
      guard isBrowsing else { return .noForm }
      return table.play([
        PlayedForm("closure") { auth.cancelBrowserSession { table.keep(.done) } },
        PlayedForm("without closure", .silent) { auth.cancelBrowserSession() },
      ])
    // These have no configuration, or a redirect that is not in the log.
    case .clearAll, .adopt, .resume: return .noForm
    }
  }

  /// Notes whether a public method began an operation with the browser.
  private func browsing(_ outcome: PlayedCall) -> PlayedCall {
    if outcome == .played { isBrowsing = true }
    return outcome
  }

  private func revoke(_ table: OIDCFormTable, _ arguments: JSON) -> PlayedCall {
    guard let manager = holder(of: arguments["token"], arguments) else { return .noForm }
    let token = arguments["token"]?.string
    return table.play([
      PlayedForm("closure") {
        manager.revoke(token) { isDone, error in
          table.keep(error.map { .error($0, nil) } ?? (isDone == true ? .done : .undecided))
        }
      },
      table.awaited("awaited") { () throws(OktaError) in
        try await manager.revoke(token)
        return .done
      },
    ])
  }

  private func signOut(_ table: OIDCFormTable, _ arguments: JSON) -> PlayedCall {
    guard let manager = holder(of: nil, arguments) else { return .noForm }
    let auth = auth
    let options = SignOutOptions((arguments["options"]?.array ?? []).compactMap(\.string))
    asked.withLock { $0[table.revision] = options }
    var forms: [PlayedForm] = []
    if options == .signOutFromOkta {
      forms = [
        PlayedForm("of the org") {
          auth.signOutOfOkta(manager) { error in table.keep(error.map { .error($0, nil) } ?? .done) }
        },
        table.awaited("of the org, awaited") { () throws(OktaError) in
          try await auth.signOutOfOkta(manager)
          return .done
        },
      ]
    } else {
      forms = [
        table.awaited("of parts, awaited") { () throws(OktaError) in
          .failedParts(await auth.signOut(manager, options: options))
        }
      ]
    }
    return table.play(forms)
  }

  private func storage(_ table: OIDCFormTable, _ arguments: JSON) -> PlayedCall {
    let auth = auth
    switch table.call {
    case .store:
      guard let manager = stored(arguments) else {
        return .refused("the tokens that the call is about are not taken")
      }
      return table.play([
        table.now("throwing") { () throws(OktaError) in
          try manager.writeToSecureStorageOrThrow()
          return manager.autoPersist ? .done : .wrong("tokens that were stored are not kept up to date there")
        },
        PlayedForm("without an error", .silent) { manager.writeToSecureStorage() },
      ])
    case .clear:
      guard let manager = holder(of: nil, arguments) else { return .noForm }
      return table.play([
        table.now("throwing") { () throws(OktaError) in
          try manager.removeFromSecureStorage()
          return manager.autoPersist ? .wrong("tokens that were removed are stored when they are renewed") : .done
        },
        PlayedForm("without an error", .silent) { manager.clear() },
      ])
    case _:
      guard arguments["legacy"] == nil else { return .noForm }
      return table.play([
        table.now("throwing") { () throws(OktaError) in
          try OktaAuthStateManager.readFromSecureStorageOrThrow(
            for: auth.configuration, environment: auth.client.environment
          ).map { .manager($0) } ?? .nothing
        },
        PlayedForm("without an error", .silent) {
          let manager = OktaAuthStateManager.readFromSecureStorage(
            for: auth.configuration, environment: auth.client.environment)
          if let manager { table.keep(.manager(manager)) }
        },
      ])
    }
  }

  /// A manager for the tokens that a call passes in full.
  private func stored(_ arguments: JSON) -> OktaAuthStateManager? {
    guard let tokens = arguments["stored"].flatMap({ StoredTokens(json: $0) }) else { return nil }
    return OktaAuthStateManager(
      tokens, auth.client, clockSkew: arguments["clockSkew"]?.int.map { Int64($0) },
      autoPersist: arguments["persists"]?.bool == true, isStored: arguments["kept"]?.bool == true)
  }

  /// A manager for the tokens that a call refers to: those in its arguments and the one that it is about.
  private func holder(of token: JSON?, _ arguments: JSON) -> OktaAuthStateManager? {
    var tokens = StoredTokens(
      id: arguments["tokenId"]?.string ?? "", issuer: auth.configuration.issuer, clientID: auth.configuration.clientId,
      tokenType: "Bearer", accessToken: arguments["accessToken"]?.string, issued: 0)
    tokens.idToken = arguments["idToken"]?.string
    tokens.refreshToken = arguments["refreshToken"]?.string
    switch arguments["hint"]?.string {
    case nil: break
    case "access_token": tokens.accessToken = token?.string
    case "refresh_token": tokens.refreshToken = token?.string
    case "id_token": tokens.idToken = token?.string
    case "device_secret": tokens.deviceSecret = token?.string
    case .some: return nil
    }
    return OktaAuthStateManager(tokens, auth.client, clockSkew: 0)
  }

  private static func texts(_ json: JSON?) -> [String: String]? {
    var texts: [String: String] = [:]
    for member in json?.object?.members ?? [] {
      guard let text = member.value.string, texts.updateValue(text, forKey: member.key) == nil else { return nil }
    }
    return texts
  }

  // MARK: Results

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: OIDCCore) -> String? {
    if let complaint = got.complaint(about: call) { return complaint }
    let got = got.take(call)
    let check = OIDCObjectCheck(operation: core.operation, secrets: rerun.secrets)
    switch (outcome, got) {
    case (_, .wrong(let sentence)): return sentence
    case (_, nil) where rerun.forms.manner(of: call) == .silent: return nil
    case (.done, .done): return nil
    case (.done, .failedParts(let parts)) where parts.isEmpty: return nil
    case (.failed, .failedParts(let parts)):
      let failed = SignOutOptions(core.operation?.failedOptions ?? [])
      let asked = asked.withLock { $0.removeValue(forKey: call) } ?? []
      return parts == (failed.isEmpty ? asked : failed) ? nil : "other parts of the sign-out are said to have failed"
    case (.done, .manager(let manager)): return check.complaint(about: manager)
    case (.done, .nothing): return check.stored == nil ? nil : "stored tokens were not handed over"
    case (.done, .values(let values, let step)): return check.complaint(about: values, of: step)
    case (.failed(let code, let details), .error(let error, let manager)):
      // A sign-out in the browser fails as its only part did.
      let part = core.operation?.name == .signOut ? core.operation?.partFailure : nil
      let (name, known) = (part?.code ?? code, part?.details ?? details)
      // Compared with its placeholders, and heard as it would be with the server's own words.
      let whole = OktaError(code: name, details: rerun.secrets.reveal(known))
      let ancestor = whole.ancestorCode.map { "\($0.domain.rawValue) \($0.number)" }
      let numbers = [ancestor, whole.httpStatus.map(String.init), whole.isRetryable ? "may be tried again" : nil]
      rerun.forms.hear(whole, numbers + [whole.oauthCode, whole.requestId], of: call)
      guard error == OktaError(code: name, details: known) else { return PlayedResults<Got>.error("\(error)") }
      return manager.flatMap { check.complaint(about: $0, after: error) }
    case (.cancelled, .error(.userCancelledAuthorizationFlow, _)): return nil
    case (_, .error(let error, _)): return PlayedResults<Got>.error("\(error)")
    case (_, .manager), (_, .values), (_, .done), (_, .nothing), (_, .undecided), (_, .failedParts):
      return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  package func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: OIDCCore) -> (Int, String)? {
    let codes = shown.withLock { codes in
      defer { codes = [] }
      return codes
    }
    let answer = rerun.secrets.reveal(core.operation?.answers[.deviceAuthorize]?.body ?? .null)
    let awaited = events.filter { TokenAwaited($0.event) != nil }
    guard isOnDevice, let place = awaited.first ?? events.first else { return nil }
    guard codes.count == awaited.count else { return (place.revision, "\(codes.count) codes were shown") }
    // Google and others use the name in drafts of RFC 8628.
    let page = (answer["verification_uri"] ?? answer["verification_url"])?.string
    let isRight = codes.allSatisfy { code in
      code.userCode == answer["user_code"]?.string && code.verificationUri == page
        && code.verificationUriComplete == answer["verification_uri_complete"]?.string
        && (answer["expires_in"]?.int ?? code.expiresIn) == code.expiresIn
    }
    return isRight ? nil : (place.revision, "another code than the org's was shown")
  }
}
