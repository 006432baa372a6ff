// Reads a transaction object (authn §3-§5). The same reading serves the core, on masked bodies, and the facade, on
// revealed ones. Lenient as §1.3 asks: a member that is missing or of another type counts as absent.

import EventStore

/// A link of the transaction or of a factor.
struct AuthnLink: Sendable, Equatable {
  var href: String
  var name: String?
  var allow: [String]

  init(href: String, name: String?, allow: [String]) {
    self.href = href
    self.name = name
    self.allow = allow
  }

  /// Whether it may be posted to: not if it is there for a browser (§4).
  var takesPost: Bool { allow.isEmpty || allow.contains { $0.uppercased() == "POST" } }

  /// Reads a link object; nil without `href`.
  init?(_ json: JSON) {
    guard let href = json["href"]?.string else { return nil }
    self.href = href
    name = json["name"]?.string
    // A single method without a list is a list of one: else a link for a browser would be posted to.
    allow = json["hints"]?["allow"]?.array?.compactMap(\.string) ?? json["hints"]?["allow"]?.string.map { [$0] } ?? []
  }
}

/// A transaction object, or an error object, over its JSON.
struct TransactionReading: Sendable, Equatable {
  var json: JSON

  var status: String? { json["status"]?.string }
  var stateToken: String? { json["stateToken"]?.string }
  var recoveryToken: String? { json["recoveryToken"]?.string }
  var factorResult: String? { json["factorResult"]?.string }
  var errorCode: String? { json["errorCode"]?.string }
  var login: String? { json["_embedded"]?["user"]?["profile"]?["login"]?.string }

  /// The links of a relation, one or many.
  func links(_ relation: String) -> [AuthnLink] { Self.links(json["_links"]?[relation]) }

  /// The one link of a relation.
  func link(_ relation: String) -> AuthnLink? { links(relation).first }

  /// The embedded factors: a list, or one, under either key (§5.2).
  var factors: [JSON] {
    let embedded = json["_embedded"]
    for key in ["factors", "factor"] {
      switch embedded?[key] {
      case .array(let list) where list.contains { $0.object != nil }: return list.filter { $0.object != nil }
      case .object(let object): return [.object(object)]
      default: continue
      }
    }
    return []
  }

  /// Whether there is a list of factors, be it empty.
  var hasFactorList: Bool {
    let embedded = json["_embedded"]
    return ["factors", "factor"].contains { embedded?[$0]?.array != nil || embedded?[$0]?.object != nil }
  }

  /// The link to send another code or push with: the one named like the factor, else the first (§4).
  var resendLink: AuthnLink? {
    let links = links("resend")
    let type = factors.first?["factorType"]?.string?.lowercased() ?? json["factorType"]?.string?.lowercased()
    return links.first { $0.name?.lowercased() == type } ?? links.first
  }

  /// Relation names with link names, sorted by code points, without repeats: `next:poll`. If a relation stands there
  /// several times, the last one counts, as in every object.
  var linkNames: [String] {
    let members = json["_links"]?.object?.members ?? []
    let relations = Dictionary(members.map { (ByteName($0.key), $0.value) }) { _, last in last }
    var names: Set<ByteName> = []
    for (relation, value) in relations {
      for link in value.array ?? [value] {
        names.insert(ByteName(relation.text + (link["name"]?.string.map { ":" + $0 } ?? "")))
      }
    }
    return names.map(\.text).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
  }

  static func links(_ json: JSON?) -> [AuthnLink] {
    guard let json else { return [] }
    return (json.array ?? [json]).compactMap(AuthnLink.init)
  }
}
