import FlowRecording
import Foundation
import OIDC
import Testing

/// The members of the seed document and of its late era (oidc §10): each is there, in the form that a program calls it by.
@Suite struct OIDCSeedTests {
  /// Never run: that it compiles is the test.
  private func readme(_ oktaAppAuth: OktaAppAuth, _ token: String) throws {
    let config = try OktaAuthConfig(with: ["issuer": "https://acme.example"])
    _ = try OktaAppAuth()
    _ = try OktaAppAuth(configuration: config)
    _ = try (OktaAuthConfig.default(), OktaAuthConfig(fromPlist: "Okta"), OktaAuthConfig.defaultPlistName)
    _ = (
      config.clientId, config.issuer, config.scopes, config.redirectUri, config.logoutRedirectUri,
      config.additionalParams
    )
    _ = oktaAppAuth.configuration
    oktaAppAuth.signInWithBrowser(from: Presenter()) { authStateManager, error in
      if error != nil { return }
      authStateManager?.writeToSecureStorage()
      _ = (authStateManager?.accessToken, authStateManager?.idToken, authStateManager?.refreshToken)
    }
    oktaAppAuth.authenticate(withSessionToken: token) { authStateManager, error in
      guard let authStateManager, error == nil else { return }
      _ = (authStateManager.authState, authStateManager.accessibility)
      oktaAppAuth.signOutOfOkta(authStateManager, from: Presenter()) { error in _ = error }
      authStateManager.introspect(token: authStateManager.accessToken) { payload, _ in _ = payload?["active"] as? Bool }
      authStateManager.renew { manager, error in _ = (manager, error) }
      authStateManager.revoke(authStateManager.accessToken) { response, error in _ = (response, error) }
      authStateManager.getUser { response, error in _ = (response, error) }
      _ = try? authStateManager.isValidToken(idToken: authStateManager.idToken)
      _ = authStateManager.validateToken(idToken: nil)
      authStateManager.clear()
      try? authStateManager.removeFromSecureStorage()
    }
    _ = try OktaAuthStateManager.decodeJWT(token)
    _ = OktaAuthStateManager.readFromSecureStorage(for: config)
    _ = OktaAuthStateManager.readFromSecureStorage()
    try OktaAuthStateManager.clearAll()
    _ = OktaAuthStateManager.storageKey(clientId: "c", issuer: "https://acme.example")
    if let url = URL(string: "com.acme.app:/callback") {
      oktaAppAuth.resume(url, options: [:])
      oktaAppAuth.resume(url: url, options: [:])
    }
    _ = oktaAppAuth.hasActiveBrowserSession()
    oktaAppAuth.cancelBrowserSession()
    _ = config.configuration(withAdditionalParams: ["prompt": "login"])
  }

  /// The same in the words of the late era.
  private func lateEra(_ token: String) throws {
    var config: OktaOidcConfig = try OktaOidcConfig(with: ["issuer": "https://acme.example"])
    config.noSSO = true
    config.setUserAgent(value: "acme/1")
    let delegate: (any OktaNetworkRequestCustomizationDelegate)? = nil
    config.requestCustomizationDelegate = delegate
    let oktaOidc: OktaOidc = try OktaOidc(configuration: config)
    oktaOidc.authenticate(withSessionToken: token) { (stateManager: OktaOidcStateManager?, error: OktaOidcError?) in
      _ = (stateManager?.accessToken, error?.errorDescription)
    }
    _ = OktaOidcStateManager.readFromSecureStorage(for: config)
  }

  private struct Presenter: URLPresenter {
    func show(_ url: URL) {}
  }

  @Test func `the keys of stored tokens are issuer and client id`() {
    #expect(OktaAuthStateManager.storageKey(clientId: "c", issuer: "https://a.example/") == "https://a.example_c")
    #expect(OktaAuthStateManager.storageKey(clientId: "c", issuer: nil) == "c")
  }

  @Test func `what an object prints of itself shows no token`() {
    var tokens = StoredTokens(
      id: "id", issuer: "https://a.example", clientID: "c", tokenType: "Bearer", accessToken: "canary", issued: 0)
    tokens.refreshToken = "canary"
    let manager = OktaAuthStateManager(authState: OktaAuthState(tokens))
    for text in [
      "\(manager)", String(reflecting: manager), "\(manager.authState)", String(reflecting: manager.authState),
    ] {
      #expect(!text.contains("canary"))
    }
    var dumped = ""
    dump(manager, to: &dumped)
    dump(manager.authState, to: &dumped)
    #expect(!dumped.contains("canary"))
  }
}
