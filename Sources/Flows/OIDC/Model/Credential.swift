// Where an application keeps its tokens.

import FlowRecording
import Foundation

/// A token that the application keeps.
///
/// Credentials exist only in the memory of this process: by design, nothing is written to a disk. To keep tokens across
/// restarts, encrypted, use a ``TokenStore``; ``OktaAuthStateManager`` refreshes and revokes them.
public final class Credential: Sendable, Hashable, CustomStringConvertible {
  private static let stored = Locked(Stored())

  private struct Stored {
    var credentials: [Credential] = []
    var defaultID: String?
  }

  /// The identifier.
  public let id: String
  /// The token.
  public let token: Token
  private let tagged: Locked<[String: String]>

  private init(_ token: Token, _ tags: [String: String]) {
    id = FlowEnvironment.current.entropy.uuid()
    self.token = token
    tagged = Locked(tags)
  }

  /// The application's own remarks by name.
  public var tags: [String: String] {
    get { tagged.withLock { $0 } }
    set { tagged.withLock { $0 = newValue } }
  }

  /// Stores a token. The first one becomes the default.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - tags: the application's own notes by name; if there are any, they replace those of an already stored token.
  /// - Returns: the credential that holds it; the same one for an already stored token.
  /// - Throws: never in this version; a store on disk can fail.
  @discardableResult
  public static func store(_ token: Token, tags: [String: String] = [:]) throws -> Credential {
    stored.withLock { stored in
      if let known = stored.credentials.first(where: { $0.token == token }) {
        if !tags.isEmpty { known.tags = tags }
        return known
      }
      let credential = Credential(token, tags)
      stored.credentials.append(credential)
      if stored.defaultID == nil { stored.defaultID = credential.id }
      return credential
    }
  }

  /// The stored credentials, oldest first.
  public static var all: [Credential] { stored.withLock { $0.credentials } }

  /// The ids of the stored credentials, oldest first.
  public static var allIDs: [String] { all.map(\.id) }

  /// The credential to use by default: the first that was stored, or the one that was set. Setting `nil`, or one that
  /// is no longer stored, leaves none.
  public static var `default`: Credential? {
    get { stored.withLock { stored in stored.credentials.first { $0.id == stored.defaultID } } }
    set { stored.withLock { $0.defaultID = newValue?.id } }
  }

  /// Returns the credential of an id, or `nil` if none is kept under it.
  ///
  /// - Throws: never in this version; a store on disk can fail.
  public static func with(id: String) throws -> Credential? { all.first { $0.id == id } }

  /// Returns the credentials that satisfy a condition, oldest first.
  ///
  /// - Throws: never in this version; a store on disk can fail.
  public static func find(where condition: (Token.Metadata) -> Bool) throws -> [Credential] {
    all.filter { condition($0.metadata) }
  }

  private var metadata: Token.Metadata { Token.Metadata(id: id, tags: tags, scope: token.scope) }

  /// Forgets the credential.
  ///
  /// - Throws: never in this version; a store on disk can fail.
  public func remove() throws {
    Credential.stored.withLock { stored in
      stored.credentials.removeAll { $0 === self }
      if stored.defaultID == id { stored.defaultID = nil }
    }
  }

  /// Whether both are the same credential.
  public static func == (left: Credential, right: Credential) -> Bool { left.id == right.id }

  /// Hashes what the credential is found by.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Which tokens there are, but never the tokens themselves.
  public var description: String { "Credential(\(token))" }
}

extension Token {
  /// The known facts about a stored token, without the token itself.
  public struct Metadata: Sendable, Hashable {
    /// The credential's identifier.
    public let id: String
    /// The application's own remarks by name.
    public let tags: [String: String]
    /// The granted scopes, separated by spaces; `nil` if the server did not report them.
    public let scope: String?
  }
}
