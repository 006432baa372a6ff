// The links of a status object, of its factors and of their activations.

import EventStore
import Foundation

extension AuthnObjectCheck {
  /// Whether the answer has a link of that relation. A URL that is not a text was masked as a secret, and counts as
  /// one.
  func hasLink(_ name: String) -> Bool {
    Self.list(answer["_links"]?[name]).contains { link in
      switch link["href"] {
      case .string, .number, .bool: true
      case .null, .array, .object, nil: false
      }
    }
  }

  /// The links of a relation that have a target, one or many.
  static func usable(_ json: JSON?) -> [JSON] {
    list(json).filter { $0["href"]?.string.flatMap { URL(string: $0) } != nil }
  }

  /// A link alone, or a list of links.
  private static func list(_ json: JSON?) -> [JSON] { json.map { $0.array ?? [$0] } ?? [] }

  private static func isSame(_ link: LinksResponse.Link?, _ json: JSON?) -> Bool {
    guard let link, let json else { return link == nil && json == nil }
    let allow = json["hints"]?["allow"]
    let hints = allow?.array?.compactMap(\.string) ?? allow?.string.map { [$0] }
    return link.href == json["href"]?.string.flatMap { URL(string: $0) } && link.name == json["name"]?.string
      && link.allow == hints ?? [] && link.hints["allow"] == hints && link.json == json
  }

  static func areSame(_ links: [LinksResponse.Link]?, _ json: [JSON]?) -> Bool {
    guard let links, let json else { return links == nil && json == nil }
    return links.count == json.count && zip(links, json).allSatisfy { isSame($0, $1) }
  }

  mutating func links(of owner: String, _ links: LinksResponse?, _ json: JSON?) {
    expect("\(owner).links", (links != nil) == (json?.object != nil))
    guard let links else { return }
    for member in json?.object?.members ?? [] {
      expect("\(owner).links.\(member.key)", Self.areSame(links[member.key], Self.usable(json?[member.key])))
    }
    for (name, link) in [
      ("next", links.next), ("prev", links.prev), ("cancel", links.cancel), ("skip", links.skip),
      ("verify", links.verify), ("enroll", links.enroll), ("questions", links.questions),
      ("activate", links.activate),
    ] {
      expect("\(owner).links.\(name)", Self.isSame(link, Self.usable(json?[name]).first))
    }
    let sent = links.resend
    switch sent {
    case .resendArray(let links):
      expect("\(owner).links.resend", json?["resend"]?.array != nil)
      expect("\(owner).links.resend", Self.areSame(links, Self.usable(json?["resend"])))
      expect("\(owner).links.resend.links", Self.areSame(sent?.links, Self.usable(json?["resend"])))
    case .resend(let link):
      expect("\(owner).links.resend", json?["resend"]?.object != nil && Self.isSame(link, json?["resend"]))
    case nil:
      expect("\(owner).links.resend", json?["resend"]?.array == nil && Self.usable(json?["resend"]).isEmpty)
    }
    expect("\(owner).links.send", Self.areSame(links.send, json?["send"].map { Self.usable($0) }))
    let image = json?["qrcode"]
    let address = image?["href"]?.string.flatMap { URL(string: $0) }
    expect("\(owner).links.qrcode", links.qrcode?.href == address)
    expect("\(owner).links.qrcode.type", links.qrcode?.type == (address == nil ? nil : image?["type"]?.string))
  }
}
