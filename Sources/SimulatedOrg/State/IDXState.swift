// What the Identity Engine remembers.

/// The engine's memory; accounts, clock and outbox are the org's.
struct IDXState {
  /// By state handle.
  var transactions: [String: IDXTransaction] = [:]
  /// From an interaction handle to the state handle that belongs to it now.
  var interactions: [String: String] = [:]
  /// How often a code challenge was used: ids follow from it, so that concurrent sign-ins do not disturb each other.
  var challenges: [String: Int] = [:]
  var grants: [String: Grant] = [:]
  var sessions: [String: Session] = [:]
  var links: [String: MailLink] = [:]
  /// Public keys by the id of the enrolment.
  var passkeys: [String: Passkey] = [:]

  /// An interaction code: taken once.
  struct Grant {
    var interest: IDXInterest
    /// Those that were allowed.
    var scopes: [String]
    var login: String
    var expires: Timestamp
    var methods: [String]
    var authenticated: Timestamp

    /// The content of its tokens. By default, the engine signs with a different key than the authorization endpoint, so
    /// that clients see both.
    var tokens: TokenGrant {
      TokenGrant(
        server: interest.server, client: interest.client, scopes: scopes, login: login, nonce: interest.nonce,
        methods: methods, authenticated: authenticated, algorithm: .es256)
    }
  }

  /// A browser that is signed in, by its cookie.
  struct Session {
    var login: String
    var methods: [String]
    var authenticated: Timestamp
    var expires: Timestamp
  }

  /// A link that left by mail.
  struct MailLink {
    var handle: String
    var code: SentCode
  }

  /// A registered key.
  struct Passkey: Equatable {
    /// X and Y of a point of P-256.
    var publicKey: [UInt8]
    var credentialID: [UInt8]
  }
}
