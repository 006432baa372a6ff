// Reads the answer of a token endpoint (oidc §6.3, §6.4). Lenient where servers differ: an `expires_in` of digits in a
// string counts.

package import EventStore
import FlowRecording

/// What a token endpoint answered, secrets as placeholders.
package enum TokenReading: Sendable, Equatable {
  /// Tokens, as they will be recorded.
  case issued(TokenIssued)
  /// An answer of success that holds no usable token.
  case unusable(String)

  /// The members that are tokens.
  package static let tokens = ["access_token", "refresh_token", "id_token", "device_secret"]

  /// Reads the body of a success.
  ///
  /// - Parameter scope: the requested scope; it stands if the server does not say.
  package init(_ body: JSON, scope: String) {
    guard body["access_token"]?.string?.isEmpty == false else {
      self = .unusable("the answer has no access token")
      return
    }
    let type = body["token_type"]?.string ?? "Bearer"
    guard type.lowercased() == "bearer" else {
      self = .unusable("the token is of type \(type), which this SDK cannot use")
      return
    }
    // An empty text is no token.
    let tokens = Self.tokens.map { name in
      (name, body[name].flatMap { $0.string?.isEmpty == false ? $0 : Optional.none })
    }
    self = .issued(
      TokenIssued(
        tokenType: type, expiresIn: Self.seconds(body["expires_in"]), scope: body["scope"]?.string ?? scope,
        tokens: .members(tokens)))
  }

  private static func seconds(_ json: JSON?) -> Int? {
    guard let seconds = json?.int ?? json?.string.flatMap({ Int($0) }), seconds >= 0 else { return nil }
    return seconds
  }
}
