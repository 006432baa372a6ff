// Where an application leaves its tokens.

import FlowRecording

/// A token that the application keeps.
///
/// Credentials live in the memory of this process and are gone with it: nothing is written to a disk, by design.
/// Keeping them over a restart, encrypted, is the task of the coming token store.
public final class Credential: Sendable, CustomStringConvertible {
  private static let stored = Locked<[Credential]>([])

  /// The token.
  public let token: Token

  private init(_ token: Token) { self.token = token }

  /// Keeps a token.
  ///
  /// - Returns: the credential that holds it; the same for a token that is kept already.
  /// - Throws: never in this version; a store on disk can fail.
  @discardableResult
  public static func store(_ token: Token) throws -> Credential {
    stored.withLock { stored in
      if let known = stored.first(where: { $0.token == token }) { return known }
      let credential = Credential(token)
      stored.append(credential)
      return credential
    }
  }

  /// The credentials that are kept, the oldest first.
  public static var all: [Credential] { stored.withLock { $0 } }

  /// Forgets the credential.
  public func remove() { Credential.stored.withLock { stored in stored.removeAll { $0 === self } } }

  /// What there is, never the tokens themselves.
  public var description: String { "Credential(\(token))" }
}
