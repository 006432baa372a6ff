// A token out of what is recorded of it, with the secrets that the flow holds.

import EventStore
package import FlowRecording

extension Token {
  /// The token that `token.issued` records; nil if the vault does not know it, as after a rebuild from the log.
  package init?(_ issued: TokenIssued, revealedBy vault: Vault) {
    let tokens = vault.reveal(issued.tokens)
    guard let access = tokens["access_token"]?.string else { return nil }
    self.init(
      tokenType: issued.tokenType, accessToken: access, expiresIn: issued.expiresIn,
      scope: issued.scope.map { vault.reveal($0) }, refreshToken: tokens["refresh_token"]?.string,
      idToken: tokens["id_token"]?.string, deviceSecret: tokens["device_secret"]?.string)
  }
}
