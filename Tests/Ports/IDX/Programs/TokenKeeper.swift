// Tokens at the end: used for a request, and kept.

import Foundation
import IDX

struct TokenKeeper {
  func header(_ token: Token) -> String { "\(token.tokenType) \(token.accessToken.isEmpty ? "-" : "…")" }

  func scopes(_ token: Token) -> Set<String> { Set((token.scope ?? "").split(separator: " ").map(String.init)) }

  func keep(_ token: Token) throws -> Credential { try Credential.store(token) }

  func canRefresh(_ token: Token) -> Bool { token.refreshToken != nil }
}
