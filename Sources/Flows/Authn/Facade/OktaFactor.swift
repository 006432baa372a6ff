// The factors of a status (seed «Factor classes», authn §7).

public import EventStore
import FlowRecording

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
    case .push: OktaFactorPush(object, index: index)
    case .sms: OktaFactorSms(object, index: index)
    default: OktaFactor(object, index: index)
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

  private var isChallenged: Bool { object.state.current?.status == AuthnVocabulary.challenge }

  /// Whether the factor can be selected: it has a link of its own to verify with.
  public func canSelect() -> Bool { !TransactionReading.links(json["_links"]?["verify"]).isEmpty }

  /// Whether the factor is being challenged and can be verified.
  public func canVerify() -> Bool { isChallenged && object.state.transaction.link("next") != nil }

  var status: OktaAuthStatus { OktaAuthStatus.make(object) ?? OktaAuthStatus(object) }

  func select(
    _ arguments: [(String, JSON?)], _ callbacks: AuthnSession.Callbacks, _ isolation: (any Actor)?
  ) {
    let arguments = [("factor", JSON.int(index))] + arguments
    object.session.call("selectFactor", arguments, on: status, callbacks, isolation: isolation)
  }

  func verify(
    _ arguments: [(String, JSON?)], _ callbacks: AuthnSession.Callbacks, _ isolation: (any Actor)?
  ) {
    object.session.call("verifyFactor", arguments, on: status, callbacks, isolation: isolation)
  }
}
