// The factors of a status (seed «Factor classes», authn §7).

public import EventStore
import FlowRecording
public import Foundation

/// A factor of a status object. Downcast to the class of its `type`.
open class OktaFactor: @unchecked Sendable {
  // `@unchecked`: an open class of immutable members; a subclass answers for what it adds.
  package let object: AuthnObject
  package let index: Int

  package init(_ object: AuthnObject, index: Int) {
    self.object = object
    self.index = index
  }

  /// The factors of a status, in the org's order.
  static func all(of status: OktaAuthStatus) -> [OktaFactor] {
    status.object.state.transaction.factors.indices.map { make(status.object, index: $0) }
  }

  private static func make(_ object: AuthnObject, index: Int) -> OktaFactor {
    let factor = object.state.transaction.factors[index]
    return switch FactorType(raw: factor["factorType"]?.string ?? "") {
    case .question: OktaFactorQuestion(object, index: index)
    case .sms: OktaFactorSms(object, index: index)
    case .call: OktaFactorCall(object, index: index)
    case .push: OktaFactorPush(object, index: index)
    case .TOTP: OktaFactorTotp(object, index: index)
    case .token: OktaFactorToken(object, index: index)
    case .tokenHardware, .web, .u2f, .email, .unknown: OktaFactorOther(object, index: index)
    }
  }

  /// The factor as the org sent it.
  public var json: JSON {
    let factors = object.state.transaction.factors
    return factors.indices.contains(index) ? object.session.flow.vault.reveal(factors[index]) : [:]
  }

  /// The factor's id; nil while it is not set up.
  public var id: String? { json["id"]?.string }
  /// The factor's kind.
  public var type: FactorType { FactorType(raw: json["factorType"]?.string ?? "") }
  /// The factor's maker.
  public var provider: FactorProvider { FactorProvider(raw: json["provider"]?.string ?? "") }
  /// The maker's name for people.
  public var vendorName: String? { json["vendorName"]?.string }
  /// The factor's profile: a masked phone number, a device's name.
  public var profile: JSON { json["profile"] ?? [:] }

  /// The factor's links.
  public var links: LinksResponse { LinksResponse(TransactionReading(json: json)) }
  /// `NOT_SETUP`, `ACTIVE`, `PENDING_ACTIVATION`; nil where the org does not say.
  public var status: String? { json["status"]?.string }
  /// `REQUIRED`, `OPTIONAL`, `NOT_REQUIRED`; nil where the org does not say.
  public var enrollment: String? { json["enrollment"]?.string }

  private func isIn(_ status: String) -> Bool { object.state.current?.status == status }

  /// Whether the factor can be set up: it has a link of its own to enrol with.
  public func canEnroll() -> Bool { links.enroll != nil }

  /// Whether the factor is being set up and can be activated.
  public func canActivate() -> Bool {
    isIn(AuthnVocabulary.enrollActivate) && object.state.transaction.link("next") != nil
  }

  /// Whether the factor can be selected: it has a link of its own to verify with.
  public func canSelect() -> Bool { links.verify != nil }

  /// Whether the factor is being challenged and can be verified.
  public func canVerify() -> Bool {
    isIn(AuthnVocabulary.challenge) && object.state.transaction.link("next") != nil
  }

  /// What is needed to set a factor up (authn §5.3).
  public struct Activation: Sendable, Hashable {
    /// The object as the org sent it.
    public let json: JSON

    init?(_ json: JSON?) {
      guard let json, json.object != nil else { return nil }
      self.json = json
    }

    /// Until when the factor can be activated, on the org's clock.
    public var expirationDate: Date? { json["expiresAt"]?.string.flatMap(Date.init(wire:)) }
    /// What the org says of a push.
    public var factorResult: OktaAPISuccessResponse.FactorResult? {
      json["factorResult"]?.string.map(OktaAPISuccessResponse.FactorResult.init(raw:))
    }
    /// The secret of time-based codes.
    public var sharedSecret: String? { json["sharedSecret"]?.string }
    /// How the secret is written: `base32`, `base64`.
    public var encoding: String? { json["encoding"]?.string }
    /// Seconds that a code holds.
    public var timeStep: Int? { json["timeStep"]?.wireInt }
    /// Digits of a code.
    public var keyLength: Int? { json["keyLength"]?.wireInt }
    /// The links of the activation.
    public var links: LinksResponse { LinksResponse(TransactionReading(json: json)) }
  }

  /// The status object that the factor belongs to.
  var holder: OktaAuthStatus { OktaAuthStatus.make(object) ?? OktaAuthStatus(object) }

  func perform(
    _ name: String, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void,
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)?
  ) {
    holder.perform(name, arguments, onStatusChange, onError, onFactorStatusUpdate)
  }

  func perform(
    _ name: String, _ arguments: [(String, JSON?)],
    _ onStatusChange: @escaping (OktaAuthStatus) -> Void, _ onError: @escaping (OktaError) -> Void
  ) {
    perform(name, arguments, onStatusChange, onError, nil)
  }

  func status(
    of name: String, _ arguments: [(String, JSON?)],
    _ onFactorStatusUpdate: ((OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) async throws(OktaError) -> OktaAuthStatus {
    try await holder.status(of: name, arguments, onFactorStatusUpdate)
  }
}
