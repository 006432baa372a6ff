// Reads the response of a token endpoint (oidc §6.3, §6.4). It is lenient where servers differ: `expires_in` may be a
// string of digits.

package import EventStore
import FlowRecording

/// The response of a token endpoint, with placeholders for secrets.
package enum TokenReading: Sendable, Equatable {
  /// The tokens, as they will be recorded.
  case issued(TokenIssued)
  /// A successful response without a usable token.
  case unusable(String)

  /// The names of members that are tokens.
  package static let tokens = ["access_token", "refresh_token", "id_token", "device_secret"]

  /// Reads the body of a successful response.
  ///
  /// - Parameter scope: the requested scope, which applies if the server does not report one.
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
    // Empty text is not a token.
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
