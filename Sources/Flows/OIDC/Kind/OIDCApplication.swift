// The application of a flow for tokens in a replay: it has the configuration and the tokens that the recording says, and calls
// the methods of the seed's classes.

import EventStore
package import FlowRecording
import Foundation

extension OIDCKind: PlayableKind {
  package typealias Application = OIDCApplication
}

/// Plays an application of the seed's API. Each flow is one operation.
package final class OIDCApplication: PlayedApplication {
  private let auth: OktaAppAuth
  private let session: OIDCSession
  private let got = PlayedResults<Got>()

  /// What a call brought.
  private enum Got: @unchecked Sendable {
    case manager(OktaAuthStateManager)
    /// Tokens that were asked for and are not there.
    case nothing
    case values([String: Any], OIDCStep)
    case done
    case error(OktaError, OktaAuthStateManager?)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) {
    guard start.resumes == nil, let configuration = Self.configuration(start.settings) else { return nil }
    let ready = ReadySession()
    var environment = environment
    environment[ReadySessionSeam.self] = ready
    guard let auth = try? OktaAppAuth(configuration: configuration, environment: environment) else { return nil }
    self.auth = auth
    session = auth.client.begin()
    ready.keep(session)
  }

  /// The configuration that a flow was begun with; nil if it was begun without one, such as by stored tokens alone.
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

  package func call(_ made: CallMade, at revision: Int, on snapshot: OIDCCore?) -> Bool {
    guard let name = OIDCCall(rawValue: made.call) else { return false }
    let arguments = made.arguments
    switch name {
    case .signInWithSessionToken:
      guard let token = arguments["sessionToken"]?.string else { return false }
      auth.authenticate(withSessionToken: token, callback: tokens(revision))
    case .signInWithBrowser:
      guard let parameters = Self.texts(arguments["parameters"]) else { return false }
      auth.signInWithBrowser(additionalParameters: parameters, callback: tokens(revision))
    case .renew:
      guard let manager = stored(arguments) else { return false }
      manager.renew(callback: tokens(revision, of: manager))
    case .introspect:
      guard let manager = holder(of: arguments["token"], arguments) else { return false }
      manager.introspect(token: arguments["token"]?.string, callback: values(revision, .introspect))
    case .revoke:
      guard let manager = holder(of: arguments["token"], arguments) else { return false }
      manager.revoke(arguments["token"]?.string) { [got] _, error in
        got.keep(error.map { .error($0, nil) } ?? .done, of: revision)
      }
    case .getUser:
      // The subject is that of an ID token, which is not in the log.
      guard arguments["subject"] == nil, let manager = holder(of: nil, arguments) else { return false }
      manager.getUser(values(revision, .userInfo))
    case .signOut:
      guard arguments["options"] == ["signOutFromOkta"], let manager = holder(of: nil, arguments) else { return false }
      auth.signOutOfOkta(manager) { [got] error in
        got.keep(error.map { .error($0, nil) } ?? .done, of: revision)
      }
    case .store:
      guard let manager = stored(arguments) else { return false }
      keep(revision) { () throws(OktaError) in
        try manager.writeToSecureStorageOrThrow()
        return .done
      }
    case .clear:
      guard let manager = holder(of: nil, arguments) else { return false }
      keep(revision) { () throws(OktaError) in
        try manager.removeFromSecureStorage()
        return .done
      }
    case .read:
      guard arguments["legacy"] == nil else { return false }
      keep(revision) { [auth] () throws(OktaError) in
        try OktaAuthStateManager.readFromSecureStorageOrThrow(
          for: auth.configuration, environment: auth.client.environment
        ).map { .manager($0) } ?? .nothing
      }
    case .cancel: auth.cancelBrowserSession { [got] in got.keep(.done, of: revision) }
    // Awaited alone, without a configuration, or with a redirect that is not in the log.
    case .signInOnDevice, .clearAll, .adopt, .resume: return false
    }
    return true
  }

  private func keep(_ call: Int, _ body: () throws(OktaError) -> Got) {
    do throws(OktaError) {
      got.keep(try body(), of: call)
    } catch {
      got.keep(.error(error, nil), of: call)
    }
  }

  private func tokens(
    _ call: Int, of asked: OktaAuthStateManager? = nil
  ) -> (OktaAuthStateManager?, OktaError?) -> Void {
    { [got] manager, error in
      if let manager { got.keep(.manager(manager), of: call) }
      if let error { got.keep(.error(error, asked), of: call) }
    }
  }

  private func values(_ call: Int, _ step: OIDCStep) -> ([String: Any]?, OktaError?) -> Void {
    { [got] values, error in
      if let values { got.keep(.values(values, step), of: call) }
      if let error { got.keep(.error(error, nil), of: call) }
    }
  }

  /// A manager of the tokens that a call hands over whole.
  private func stored(_ arguments: JSON) -> OktaAuthStateManager? {
    guard let tokens = arguments["stored"].flatMap({ StoredTokens(json: $0) }) else { return nil }
    return OktaAuthStateManager(
      tokens, auth.client, clockSkew: Int64(arguments["clockSkew"]?.int ?? 0),
      autoPersist: arguments["persists"]?.bool == true)
  }

  /// A manager of the tokens that a call names: those among its arguments, and the one that it is about.
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

  // MARK: What they brought

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: OIDCCore) -> String? {
    if got.isRepeated(call) { return PlayedResults<Got>.repeated }
    let got = got.take(call)
    let check = OIDCObjectCheck(operation: core.operation, vault: flow.vault)
    switch (outcome, got) {
    case (.done, .done): return nil
    case (.done, .manager(let manager)): return check.complaint(about: manager)
    case (.done, .nothing): return check.stored == nil ? nil : "stored tokens were not handed over"
    case (.done, .values(let values, let step)): return check.complaint(about: values, of: step)
    case (.failed(let code, let details), .error(let error, let manager)):
      let expected = OktaError(code: code, details: flow.vault.reveal(details))
      guard error == expected else { return PlayedResults<Got>.error("\(error)") }
      return manager.flatMap { check.complaint(about: $0, after: error) }
    case (.cancelled, .error(.userCancelledAuthorizationFlow, _)): return nil
    case (_, .error(let error, _)): return PlayedResults<Got>.error("\(error)")
    case (_, .manager), (_, .values), (_, .done), (_, .nothing): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }
}
