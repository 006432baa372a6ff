// Links of a transaction or a factor (authn §4).

import EventStore

/// The links of an object, by relation.
public struct LinksResponse: Sendable, Hashable {
  /// One link.
  public struct Link: Sendable, Hashable {
    /// The absolute URL.
    public var href: String
    /// The hint at what the link does: `poll`, `verify`.
    public var name: String?
    /// The methods it allows; empty where the server does not say, which means POST.
    public var allow: [String]

    /// Makes a link.
    public init(href: String, name: String? = nil, allow: [String] = []) {
      self.href = href
      self.name = name
      self.allow = allow
    }

    init(_ link: AuthnLink) {
      href = link.href
      name = link.name
      allow = link.allow
    }
  }

  private let links: [String: [Link]]

  init(_ reading: TransactionReading) {
    let relations = (reading.json["_links"]?.object?.members ?? []).map(\.key)
    links = Dictionary(
      relations.map { ($0, reading.links($0).map(Link.init)) }, uniquingKeysWith: { _, last in last })
  }

  /// The links of a relation: none, one, or several.
  public subscript(relation: String) -> [Link] { links[relation] ?? [] }

  /// The forward step.
  public var next: Link? { self["next"].first }
  /// The way back.
  public var prev: Link? { self["prev"].first }
  /// Drops the transaction.
  public var cancel: Link? { self["cancel"].first }
  /// Leaves an optional step.
  public var skip: Link? { self["skip"].first }
  /// Ways to send a code or a push again.
  public var resend: [Link] { self["resend"] }
  /// Verifies a factor.
  public var verify: Link? { self["verify"].first }
  /// Enrols a factor.
  public var enroll: Link? { self["enroll"].first }
  /// Lists the security questions.
  public var questions: Link? { self["questions"].first }
  /// Ways to send an activation link.
  public var send: [Link] { self["send"] }
  /// The image to scan.
  public var qrcode: Link? { self["qrcode"].first }
  /// Begins an activation anew.
  public var activate: Link? { self["activate"].first }
}
