// Sign-in and sign-out in the person's browser (oidc §3, §4, §7.2).

import EventStore
import FlowRecording
public import Foundation

/// Shows a page to the person, for machines without a browser, or in an application's own way: prints the URL, or draws
/// it as a QR code.
public protocol URLPresenter: Sendable {
  /// Shows a page. Must return quickly.
  func show(_ url: URL)
}

extension OktaAppAuth {
  /// Signs in in the person's browser.
  ///
  /// - Parameters:
  ///   - presenter: shows the page; the system's browser if nil.
  ///   - additionalParameters: parameters of this authorization only; they cannot replace the protocol's own.
  ///   - callback: receives the tokens, or why there are none; `alreadyInProgress` while another sign-in has the
  ///     browser.
  public func signInWithBrowser(
    from presenter: (any URLPresenter)? = nil, additionalParameters: [String: String] = [:],
    callback: @escaping (OktaAuthStateManager?, OktaError?) -> Void
  ) {
    let (session, isFirst) = browse(presenter, for: .signInWithBrowser)
    deliver(session, .signInWithBrowser, arguments(additionalParameters), callback) { [self] in
      if isFirst { browsing.withLock { $0 = nil } }
    }
  }

  /// Signs in in the person's browser.
  ///
  /// - Parameters:
  ///   - presenter: shows the page; the system's browser if nil.
  ///   - additionalParameters: parameters of this authorization only; they cannot replace the protocol's own.
  /// - Throws: `OktaError`; `userCancelledAuthorizationFlow` if the task is cancelled.
  public func signInWithBrowser(
    from presenter: (any URLPresenter)? = nil, additionalParameters: [String: String] = [:]
  ) async throws(OktaError) -> OktaAuthStateManager {
    let (session, isFirst) = browse(presenter, for: .signInWithBrowser)
    defer { if isFirst { browsing.withLock { $0 = nil } } }
    return try await tokens(session, .signInWithBrowser, arguments(additionalParameters))
  }

  /// Ends the session of the person's browser at the server. Tokens are not affected.
  ///
  /// - Parameters:
  ///   - manager: the tokens; an ID token is needed, an expired one too.
  ///   - presenter: shows the page; the system's browser if nil.
  ///   - callback: receives the error; nil if it did not.
  public func signOutOfOkta(
    _ manager: OktaAuthStateManager, from presenter: (any URLPresenter)? = nil,
    callback: @escaping (OktaError?) -> Void
  ) {
    let (session, isFirst) = browse(presenter, for: .signOut)
    let delivery = CallerDelivery(session.lanes, callback)
    session.call(.signOut, manager.signOutArguments(.signOutFromOkta)) { [self] outcome, core in
      if isFirst { browsing.withLock { $0 = nil } }
      delivery(Self.error(of: outcome, core))
    }
  }

  /// Ends the session of the person's browser at the server. Tokens are not affected.
  ///
  /// - Throws: `OktaError`: `missingIdToken`, `missingConfigurationValues` without a logout redirect URI.
  public func signOutOfOkta(
    _ manager: OktaAuthStateManager, from presenter: (any URLPresenter)? = nil
  ) async throws(OktaError) {
    let (session, isFirst) = browse(presenter, for: .signOut)
    defer { if isFirst { browsing.withLock { $0 = nil } } }
    let (outcome, core) = await session.outcome(of: .signOut, manager.signOutArguments(.signOutFromOkta))
    if let error = Self.error(of: outcome, core) { throw error }
  }

  /// Signs out by parts, in the order access token, refresh token, browser, store. Stored tokens are kept if a part
  /// failed. Once the tokens are removed from the store, later renewals of this manager store nothing.
  ///
  /// - Parameters:
  ///   - manager: the tokens.
  ///   - options: the parts; a missing token counts as revoked.
  ///   - presenter: shows the page; the system's browser if nil.
  /// - Returns: the parts that failed; empty on success.
  public func signOut(
    _ manager: OktaAuthStateManager, options: SignOutOptions = .allOptions, from presenter: (any URLPresenter)? = nil
  ) async -> SignOutOptions {
    let (session, isFirst) = browse(presenter, for: .signOut)
    defer { if isFirst { browsing.withLock { $0 = nil } } }
    let (outcome, core) = await session.outcome(of: .signOut, manager.signOutArguments(options))
    // Also if the removal failed, as with `removeFromSecureStorage`.
    if core.operation?.answers[.remove] != nil { manager.noteStorage(false) }
    if case .success = outcome { return [] }
    let failed = core.operation.map { SignOutOptions($0.failedOptions) } ?? []
    return failed.isEmpty ? options : failed
  }

  /// Passes the redirect of a sign-in or sign-out, for a redirect URI with a custom scheme.
  ///
  /// - Parameters:
  ///   - url: the URL that the application was opened with.
  ///   - options: not used; there for the seed's callers.
  /// - Returns: true if the URL is the redirect of an operation that waits for one, which then continues.
  @discardableResult
  public func resume(_ url: URL, options: [String: String] = [:]) -> Bool {
    guard let session = browsing.withLock({ $0 }) else { return false }
    let core = session.flow.core
    guard core.awaitsRedirect, let operation = core.operation else { return false }
    let redirectURI = session.flow.vault.reveal(operation.redirectURI(core.settings))
    guard RedirectReading.leads(url.absoluteString, to: redirectURI) else { return false }
    session.call(.resume, [("redirect", .string(url.absoluteString))]) { _, _ in }
    return true
  }

  /// `resume(_:options:)`, as the code of the seed document calls it.
  ///
  /// - Parameters:
  ///   - url: the URL that the application was opened with.
  ///   - options: not used; there for the seed's callers.
  /// - Returns: true if the URL is the redirect of an operation that waits for one, which then continues.
  @discardableResult
  public func resume(url: URL, options: [String: String] = [:]) -> Bool { resume(url, options: options) }

  /// Whether an operation is using the browser.
  public func hasActiveBrowserSession() -> Bool { browsing.withLock { $0 } != nil }

  /// Cancels the operation that is using the browser, which fails with `userCancelledAuthorizationFlow`.
  ///
  /// - Parameter completion: called after it has ended, or if there is none; never before this method has returned.
  public func cancelBrowserSession(completion: (() -> Void)? = nil) {
    let session = browsing.withLock { $0 }
    let delivery = CallerDelivery(session?.lanes ?? idleLanes) { (_: Bool) in completion?() }
    guard let session else { return delivery(true) }
    session.call(.cancel) { _, _ in delivery(true) }
  }

  /// The flow that is using the browser, and whether this call began it. A second operation is passed to the first
  /// one's flow, which refuses it.
  private func browse(
    _ presenter: (any URLPresenter)?, for call: OIDCCall
  ) -> (session: OIDCSession, isFirst: Bool) {
    browsing.withLock { browsing in
      if let browsing { return (browsing, false) }
      let session = client.begin(showing: presenter, for: call)
      browsing = session
      return (session, true)
    }
  }

  /// The parameters of one authorization; without single sign-on, the person must sign in again.
  private func arguments(_ given: [String: String]) -> [(String, JSON?)] {
    var parameters = given
    if configuration.noSSO, given["prompt"] == nil, configuration.additionalParams?["prompt"] == nil {
      parameters["prompt"] = "login"
    }
    return parameters.isEmpty
      ? [] : [("parameters", .members(parameters.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))]
  }

  /// Why a browser sign-out failed: the refusal of its only part.
  private static func error(of outcome: OIDCSession.Outcome, _ core: OIDCCore) -> OktaError? {
    guard case .failure(let error) = outcome else { return nil }
    return core.operation?.partFailure.map { OktaError(code: $0.code, details: $0.details) } ?? error
  }
}

/// The parts of a sign-out.
public struct SignOutOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt

  /// Options of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Revokes the access token at the server.
  public static let revokeAccessToken = SignOutOptions(rawValue: 1)
  /// Revokes the refresh token at the server.
  public static let revokeRefreshToken = SignOutOptions(rawValue: 2)
  /// Ends the browser's session at the server.
  public static let signOutFromOkta = SignOutOptions(rawValue: 4)
  /// Removes the tokens from the store.
  public static let removeTokensFromStorage = SignOutOptions(rawValue: 8)
  /// Revokes both tokens.
  public static let revokeTokensOptions: SignOutOptions = [.revokeAccessToken, .revokeRefreshToken]
  /// All parts.
  public static let allOptions: SignOutOptions = [.revokeTokensOptions, .signOutFromOkta, .removeTokensFromStorage]

  private static let names: [(SignOutOptions, String)] = [
    (.revokeAccessToken, "revokeAccessToken"), (.revokeRefreshToken, "revokeRefreshToken"),
    (.signOutFromOkta, "signOutFromOkta"), (.removeTokensFromStorage, "removeTokensFromStorage"),
  ]

  /// The names of the parts.
  var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }

  init(_ names: [String]) {
    self = Self.names.filter { names.contains($0.1) }.reduce(into: []) { $0.formUnion($1.0) }
  }
}
