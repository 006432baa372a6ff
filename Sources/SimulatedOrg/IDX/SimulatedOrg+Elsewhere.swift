// What happens away from the page: mailboxes, phones, providers, administrators.

public import Foundation

extension SimulatedOrg {
  /// Opens the link of the newest mail to this person, as another browser would: the next poll of the page sees it.
  ///
  /// - Returns: Whether there was such a mail and its link was still good.
  @discardableResult
  public func openMagicLink(for login: String) -> Bool {
    responder.withMemory { memory in
      let mail = memory.org.outbox.last { $0.userLogin.lowercased() == login.lowercased() && $0.link != nil }
      guard let token = mail?.link?.split(separator: "=").last else { return false }
      return memory.org.resolve(link: String(token)) == .returnToTab
    }
  }

  /// Taps a number on the phone: the number on the page approves the waiting push, any other rejects it.
  ///
  /// - Returns: Whether a push waited and this was its number.
  @discardableResult
  public func pickNumber(_ number: Int, for login: String) -> Bool {
    responder.withMemory { $0.org.pick(number: number, for: login) }
  }

  /// Goes to an identity provider and comes back.
  ///
  /// - Parameter address: `href` of a `redirect-idp` remediation.
  /// - Returns: The redirect URI with `interaction_code`, or with `error`; `nil` if the address leads nowhere.
  public func visitProvider(_ address: URL) -> URL? {
    let request = ReceivedRequest(
      method: "GET", target: address.path + "?" + (address.query ?? ""), headers: [], body: [], raw: [])
    return responder.withMemory { memory -> URL? in
      guard let route = IDXRoute(path: address.path), case .provider = route,
        let call = try? IDXCall(request, route, device: "")
      else { return nil }
      let reply = memory.org.perform(route, call)
      return reply.headers.first { $0.name == "Location" }.flatMap { URL(string: $0.value) }
    }
  }

  /// A recovery token as an administrator or a mail hands it over (`recovery_token` of `interact`): good once.
  ///
  /// - Returns: The token, or `nil` if there is no such person.
  public func beginRecovery(for login: String) -> String? {
    responder.withMemory { $0.org.grantRecovery(login) }
  }

  /// The response of Duo's widget to a `signedToken` (`credentials.signatureData`).
  public static func duoSignature(for signedToken: String) -> String {
    "AUTH|" + signedToken.prefix { $0 != ":" }
  }
}

extension OrgState {
  mutating func grantRecovery(_ login: String) -> String? {
    let key = Self.key(login)
    guard let token = withAccount(key, { $0.draws.text("", length: 32) }) else { return nil }
    recoveries[token] = RecoveryGrant(
      login: key, type: .password, expires: now + configuration.recoveryTokenLifetime, relayState: nil)
    return token
  }
}
