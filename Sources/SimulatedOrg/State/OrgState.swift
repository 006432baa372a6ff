// Everything the org knows, as one value behind one lock.

import Foundation

/// The org's memory. Handlers are extensions of it, one file for each part of the API.
struct OrgState {
  let configuration: OrgConfiguration
  /// What hrefs begin with.
  let baseURL: String
  private(set) var accounts: [String: Account] = [:]
  var transactions: [String: Transaction] = [:]
  var sessions: [String: Session] = [:]
  var recoveries: [String: RecoveryGrant] = [:]
  var outbox: [OutboxMessage] = []
  /// When each person was last written to or called, known to the org or not.
  var lastSent: [Recipient: Timestamp] = [:]
  var draws: SeededGenerator
  /// What the Identity Engine remembers.
  var idx = IDXState()
  /// What the org remembers of push authenticators.
  var device = DeviceState()
  /// What the authorization servers remember.
  var oauth = OAuthState()
  private var clockOffset: TimeInterval = 0

  struct Recipient: Hashable {
    var login: String
    var channel: OutboxMessage.Channel
  }

  /// A session token and whose it is. Taken once.
  struct Session {
    var login: String
    var expires: Timestamp
    var spent = false
  }

  /// A recovery token that left by mail or went to a trusted client. Taken once.
  struct RecoveryGrant {
    var login: String
    var type: RecoveryType
    var expires: Timestamp
    var relayState: String?
    var spent = false
  }

  init(_ configuration: OrgConfiguration, baseURL: String) {
    self.configuration = configuration
    self.baseURL = configuration.publicBaseURL ?? baseURL
    draws = SeededGenerator(seed: configuration.seed)
    for user in configuration.users { add(user) }
  }

  /// The time on the org's clock.
  var now: Timestamp {
    let base = configuration.clock == .system ? Date() : configuration.startTime
    return Timestamp(base) + clockOffset
  }

  mutating func advanceClock(by seconds: TimeInterval) { clockOffset += seconds }

  /// Adds a user, or replaces the one with that login.
  mutating func add(_ user: OrgUser) {
    accounts[Self.key(user.login)] = Account(user, seed: configuration.seed, now: now)
  }

  /// Logins are compared without regard to case.
  static func key(_ login: String) -> String { login.lowercased() }

  /// The account of a transaction. A transaction is only made for an account, or answered without one.
  func account(_ transaction: Transaction) throws(Refusal) -> Account {
    guard let account = accounts[transaction.login] else { throw .invalidToken }
    return account
  }

  /// Changes an account in place; without one, nothing happens.
  mutating func withAccount<R>(_ login: String, _ change: (inout Account) -> R) -> R? {
    guard var account = accounts.removeValue(forKey: login) else { return nil }
    defer { accounts[login] = account }
    return change(&account)
  }

  /// A new transaction for an account, its token drawn from the account's own source.
  mutating func begin(_ login: String, _ step: Step, relayState: String? = nil) -> Transaction {
    let token = withAccount(login) { $0.draws.text("00", length: 40) } ?? draws.text("00", length: 40)
    let expires = now + configuration.stateTokenLifetime
    return Transaction(token: token, login: login, expires: expires, step: step, relayState: relayState)
  }

  /// The live transaction of a state token.
  mutating func transaction(_ token: String?) throws(Refusal) -> Transaction {
    guard let token, let transaction = transactions[token] else { throw .invalidToken }
    guard transaction.expires > now else {
      transactions[token] = nil
      throw .invalidToken
    }
    return transaction
  }

  /// Keeps a transaction after an accepted request, which extends its life, and shows it.
  mutating func keep(_ transaction: Transaction) throws(Refusal) -> OrgJSON {
    var transaction = transaction
    transaction.expires = now + configuration.stateTokenLifetime
    transactions[transaction.token] = transaction
    return try body(of: transaction)
  }
}
