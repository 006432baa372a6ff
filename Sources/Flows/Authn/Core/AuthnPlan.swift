// The one request that a call makes (authn §2, §13.3-§13.5): which link it follows and what it sends.

import EventStore
import FlowRecording

/// A request that a call makes, secrets as placeholders.
struct AuthnPlan: Equatable {
  var method: String
  var url: String
  var body: JSON?

  init(method: String, url: String, body: JSON?) {
    self.method = method
    self.url = url
    self.body = body
  }

  /// Calls whose closures hear of factor results.
  static let reportsFactor: Set<String> = ["verifyFactor", "activateFactor"]

  /// Plans a call.
  ///
  /// - Parameters:
  ///   - made: the call, its arguments masked.
  ///   - transaction: what the called object shows.
  ///   - hasStatus: whether the object has a status of the org at all.
  ///   - org: the org URL.
  /// - Throws: `AuthnRefusal` where the transaction does not offer this.
  init(
    _ made: CallMade, transaction: TransactionReading, hasStatus: Bool, org: String
  ) throws(AuthnRefusal) {
    let arguments = Arguments(made.arguments)
    switch made.call {
    case "authenticate":
      var body = arguments.taking(["username", "password"])
      body.append(("options", ["multiOptionalFactorEnroll": true, "warnBeforePasswordExpired": true]))
      if hasStatus, let token = transaction.stateToken { body.append(("stateToken", .string(token))) }
      self = try .fixed("/api/v1/authn", org, body)
    case "fetchStatus": self = try .fixed("/api/v1/authn", org, arguments.taking(["stateToken"]))
    case "unlockAccount":
      self = try .fixed("/api/v1/authn/recovery/unlock", org, arguments.taking(["username", "factorType"]))
    case "recoverPassword":
      self = try .fixed("/api/v1/authn/recovery/password", org, arguments.taking(["username", "factorType"]))
    case "cancel": self = try .following("cancel", transaction, [])
    case "returnToPreviousStatus": self = try .following("prev", transaction, [])
    case "selectFactor":
      let factor = try Self.factor(arguments, transaction)
      guard let link = TransactionReading.links(factor["_links"]?["verify"]).first else {
        throw .missingLink("verify")
      }
      self = try .following(link, transaction, arguments.taking(["passCode", "answer"]))
    case "verifyFactor": self = try .following("next", transaction, arguments.taking(["passCode", "answer"]))
    case "resendFactor":
      guard let link = transaction.resendLink else { throw .missingLink("resend") }
      self = try .following(link, transaction, [])
    default: throw .unknownCall(made.call)
    }
  }

  private static func factor(_ arguments: Arguments, _ transaction: TransactionReading) throws(AuthnRefusal) -> JSON {
    let factors = transaction.factors
    guard let index = arguments.json["factor"]?.int, factors.indices.contains(index) else {
      throw .invalidParameters("the factor is not one of this status")
    }
    return factors[index]
  }

  /// A request to a fixed path, which replaces the path of the org URL (§1.1).
  private static func fixed(
    _ path: String, _ org: String, _ body: [(String, JSON?)]
  ) throws(AuthnRefusal) -> AuthnPlan {
    guard let parts = URLParts(org) else { throw .malformedURL }
    return AuthnPlan(method: "POST", url: parts.origin + path, body: .members(body))
  }

  private static func following(
    _ relation: String, _ transaction: TransactionReading, _ body: [(String, JSON?)]
  ) throws(AuthnRefusal) -> AuthnPlan {
    guard let link = transaction.link(relation) else { throw .missingLink(relation) }
    return try following(link, transaction, body)
  }

  private static func following(
    _ link: AuthnLink, _ transaction: TransactionReading, _ body: [(String, JSON?)]
  ) throws(AuthnRefusal) -> AuthnPlan {
    guard let token = transaction.stateToken else { throw .noStateToken }
    let members = body + [("stateToken", .string(token))]
    return AuthnPlan(method: "POST", url: link.href, body: .members(members))
  }
}

/// The arguments of a call.
private struct Arguments {
  var json: JSON

  init(_ json: JSON) { self.json = json }

  /// The members of these names that are there.
  func taking(_ names: [String]) -> [(String, JSON?)] {
    names.map { ($0, json[$0] == .null ? nil : json[$0]) }
  }
}
