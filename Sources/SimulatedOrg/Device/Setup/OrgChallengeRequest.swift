// A request for a challenge by a test or an administrator (device.md §7.2, §20.3).

public import Foundation

/// The parameters of new challenges.
public struct OrgChallengeRequest: Sendable {
  /// Which devices are challenged.
  public enum Target: Sendable, Equatable {
    /// All of a user's enrollments that are active and accept this kind of transaction.
    case user(login: String)
    /// This enrollment, whatever it accepts and whether or not it may be used.
    case enrollment(String)
  }

  /// Which devices are challenged.
  public var target: Target
  /// What the challenge is about.
  public var transactionType: OrgTransactionType
  /// `challengeContext.bindingMessage`, as it goes into the claim.
  public var bindingMessage: String?
  /// `userVerification`; left out if `nil`.
  public var requirement: OrgUserVerification?
  /// `userMediation`; left out if `nil`.
  public var mediation: OrgUserMediation?
  /// `signals`; `null` if `nil`.
  public var signals: [String]?
  /// `integrations`, by name.
  public var integrations: [String]
  /// `signalProviders`, by name.
  public var signalProviders: [String]
  /// Members of `challengeContext` to add or to replace; `null` removes one.
  public var context: [String: OrgJSON]
  /// `challengeContext.challengeTextItems`, such as the number that the sign-in page shows.
  public var textItems: [String]
  /// Seconds until the challenge expires; the org's own when `nil`.
  public var lifetime: TimeInterval?
  /// The signer.
  public var signer: OrgSigner
  /// `appInstanceName`; the org's own when `nil`.
  public var applicationName: String?
  /// The OAuth client that asks: newer challenges supersede older ones of the same client, if so configured.
  public var client: String?
  /// The defect of the challenge.
  public var defect: OrgChallengeDefect?

  /// A challenge; everything but the target may be left out.
  public init(
    _ target: Target, transactionType: OrgTransactionType = .login, bindingMessage: String? = nil,
    requirement: OrgUserVerification? = .preferred, mediation: OrgUserMediation? = .required,
    signals: [String]? = ["id", "displayName", "platform", "osVersion"], integrations: [String] = [],
    signalProviders: [String] = [], context: [String: OrgJSON] = [:], textItems: [String] = [],
    lifetime: TimeInterval? = nil, signer: OrgSigner = .organization, applicationName: String? = nil,
    client: String? = nil, defect: OrgChallengeDefect? = nil
  ) {
    self.target = target
    self.transactionType = transactionType
    self.bindingMessage = bindingMessage
    self.requirement = requirement
    self.mediation = mediation
    self.signals = signals
    self.integrations = integrations
    self.signalProviders = signalProviders
    self.context = context
    self.textItems = textItems
    self.lifetime = lifetime
    self.signer = signer
    self.applicationName = applicationName
    self.client = client
    self.defect = defect
  }
}
