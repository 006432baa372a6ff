// Everything about an org that is settled before its first request.

public import Foundation

/// The settings of an org.
public struct OrgConfiguration: Sendable {
  /// How the org's clock runs.
  public enum Clock: Sendable, Equatable {
    /// From `startTime`, moved only by `advanceClock(by:)`.
    case manual
    /// With the machine's clock, moved ahead by `advanceClock(by:)`.
    case system
  }

  /// Rewrites a JSON body before it is sent.
  public typealias Decorate = @Sendable (_ path: String, _ body: OrgJSON) -> OrgJSON

  /// The people who can sign in.
  public var users: [OrgUser]
  /// Ids, tokens and codes follow from it.
  public var seed: UInt64
  /// How the clock runs.
  public var clock: Clock
  /// Where a manual clock begins.
  public var startTime: Date
  /// The prefix of hrefs, without a trailing slash; the org's own URL if `nil`.
  public var publicBaseURL: String?
  /// After how many wrong passwords in a row an account is locked.
  public var lockoutAfter: Int
  /// Whether a lock-out is reported (`LOCKED_OUT`) or looks like a wrong password (401).
  public var showsLockout: Bool
  /// Whether a locked-out user may unlock the account without help.
  public var selfServiceUnlock: Bool
  /// After how many wrong codes or answers a transaction ends and the account is locked (`E0000069`).
  public var wrongCodeLimit: Int
  /// Seconds a state token lives after each accepted request.
  public var stateTokenLifetime: TimeInterval
  /// Seconds a session token lives.
  public var sessionTokenLifetime: TimeInterval
  /// Seconds a recovery token lives.
  public var recoveryTokenLifetime: TimeInterval
  /// Seconds a push or a code waits for its answer.
  public var challengeLifetime: TimeInterval
  /// Seconds between two text messages or calls to one user; zero for no limit.
  public var phoneInterval: TimeInterval
  /// Seconds between two mails to one user; zero for no limit.
  public var mailInterval: TimeInterval
  /// Whether «do not ask again on this device» is offered.
  public var allowRememberDevice: Bool
  /// Minutes a device is remembered; zero for as long as the org lives.
  public var rememberDeviceMinutes: Int
  /// Whether a push shows a number on the sign-in page while it waits (`correctAnswer`, in polls only).
  public var numberChallenge: Bool
  /// The rules for new passwords.
  public var passwordPolicy: OrgPasswordPolicy
  /// `X-Rate-Limit-Limit`: requests in a minute.
  public var requestsPerMinute: Int
  /// Whether more requests than that are refused with 429.
  public var enforcesRateLimit: Bool
  /// The token that makes a client trusted (`Authorization: SSWS …`); without one every such header is refused.
  public var apiToken: String?
  /// Changes each JSON body before it is sent: undeclared fields, other orders, other shapes.
  public var decorate: Decorate?
  /// The applications that may start a sign-in through the Identity Engine.
  public var clients: [OrgClient]
  /// The policy for such a sign-in.
  public var policy: OrgPolicy
  /// The push authenticators.
  public var devices: OrgDevices
  /// The authorization servers.
  public var oidc: OrgOIDC

  /// Settings of a common org: ten wrong passwords, five-minute tokens, a clock that stands at
  /// 2026-01-15T09:00:00Z until it is moved.
  public init(
    users: [OrgUser] = [], seed: UInt64 = 1, clock: Clock = .manual,
    startTime: Date = Date(timeIntervalSince1970: 1_768_467_600), publicBaseURL: String? = nil,
    lockoutAfter: Int = 10, showsLockout: Bool = false, selfServiceUnlock: Bool = true, wrongCodeLimit: Int = 5,
    stateTokenLifetime: TimeInterval = 300, sessionTokenLifetime: TimeInterval = 300,
    recoveryTokenLifetime: TimeInterval = 3600, challengeLifetime: TimeInterval = 300,
    phoneInterval: TimeInterval = 30, mailInterval: TimeInterval = 5, allowRememberDevice: Bool = true,
    rememberDeviceMinutes: Int = 15, numberChallenge: Bool = false, passwordPolicy: OrgPasswordPolicy = .init(),
    requestsPerMinute: Int = 600, enforcesRateLimit: Bool = false, apiToken: String? = nil, decorate: Decorate? = nil,
    clients: [OrgClient] = [.sample], policy: OrgPolicy = .standard,
    devices: OrgDevices = .init(), oidc: OrgOIDC = .init()
  ) {
    self.users = users
    self.seed = seed
    self.clock = clock
    self.startTime = startTime
    self.publicBaseURL = publicBaseURL
    self.lockoutAfter = lockoutAfter
    self.showsLockout = showsLockout
    self.selfServiceUnlock = selfServiceUnlock
    self.wrongCodeLimit = wrongCodeLimit
    self.stateTokenLifetime = stateTokenLifetime
    self.sessionTokenLifetime = sessionTokenLifetime
    self.recoveryTokenLifetime = recoveryTokenLifetime
    self.challengeLifetime = challengeLifetime
    self.phoneInterval = phoneInterval
    self.mailInterval = mailInterval
    self.allowRememberDevice = allowRememberDevice
    self.rememberDeviceMinutes = rememberDeviceMinutes
    self.numberChallenge = numberChallenge
    self.passwordPolicy = passwordPolicy
    self.requestsPerMinute = requestsPerMinute
    self.enforcesRateLimit = enforcesRateLimit
    self.apiToken = apiToken
    self.decorate = decorate
    self.clients = clients
    self.policy = policy
    self.devices = devices
    self.oidc = oidc
  }
}
