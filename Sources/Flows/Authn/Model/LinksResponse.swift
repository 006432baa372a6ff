// The links of a transaction or a factor (authn §4).

public import EventStore
public import Foundation

/// The links of an object, by relation.
public struct LinksResponse: OktaWireObject {
  /// The links as the org sent them.
  public let json: JSON

  /// Reads links; `nil` if the value is not an object.
  public init?(json: JSON) {
    guard json.object != nil else { return nil }
    self.json = json
  }

  /// The links of a relation: none, one, or several.
  public subscript(relation: String) -> [Link] {
    let links = json[relation]
    return (links?.array ?? [links].compactMap { $0 }).compactMap(Link.init(json:))
  }

  /// The next step.
  public var next: Link? { self["next"].first }
  /// The previous step.
  public var prev: Link? { self["prev"].first }
  /// Cancels the transaction.
  public var cancel: Link? { self["cancel"].first }
  /// Skips an optional step.
  public var skip: Link? { self["skip"].first }
  /// Ways to send a code or a push again.
  public var resend: ResendLink? { json["resend"].flatMap(ResendLink.init(json:)) }
  /// Verifies a factor.
  public var verify: Link? { self["verify"].first }
  /// Enrolls a factor.
  public var enroll: Link? { self["enroll"].first }
  /// Lists the security questions.
  public var questions: Link? { self["questions"].first }
  /// Ways to send an activation link; `nil` if there are none.
  public var send: [Link]? { json["send"] == nil ? nil : self["send"] }
  /// The QR code to scan.
  public var qrcode: QRCode? { json["qrcode"].flatMap(QRCode.init(json:)) }
  /// Restarts an activation.
  public var activate: Link? { self["activate"].first }

  /// One link.
  public struct Link: OktaWireObject {
    /// The link as the org sent it.
    public let json: JSON
    /// The absolute URL.
    public let href: URL

    /// Reads a link; `nil` if it has no URL.
    public init?(json: JSON) {
      guard let href = json["href"]?.string.flatMap({ URL(string: $0) }) else { return nil }
      self.json = json
      self.href = href
    }

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - href: the absolute URL.
    ///   - name: indicates what the link does.
    ///   - hints: the allowed methods, under `allow`; empty means POST.
    public init(href: URL, name: String? = nil, hints: [String: [String]] = [:]) {
      let lists = hints.sorted { $0.key < $1.key }.map { ($0.key, JSON.array($0.value.map(JSON.string))) }
      json = .members([
        ("href", .string(href.absoluteString)), ("name", name.map(JSON.string)),
        ("hints", hints.isEmpty ? nil : .members(lists)),
      ])
      self.href = href
    }

    /// Indicates what the link does, such as `poll` or `verify`.
    public var name: String? { json["name"]?.string }
    /// The org's hints for using the link, such as the allowed methods under `allow`.
    public var hints: [String: [String]] {
      var hints: [String: [String]] = [:]
      for member in json["hints"]?.object?.members ?? [] {
        hints[member.key] = member.value.array?.compactMap(\.string) ?? member.value.string.map { [$0] }
      }
      return hints
    }
    /// The allowed methods; empty if the server does not specify them, which means POST.
    public var allow: [String] { hints["allow"] ?? [] }

    /// The exact text of the URL, as used for requests.
    var address: String { json["href"]?.string ?? href.absoluteString }

    /// The name only, because a URL may contain a token.
    public var description: String { "Link(\(name ?? "without a name"))" }
    /// The name only.
    public var customMirror: Mirror { Mirror(self, children: ["name": name as Any]) }
  }

  /// An image to scan, which contains a factor's secret.
  public struct QRCode: OktaWireObject {
    /// The image's link as the org sent it.
    public let json: JSON
    /// The URL of the image, or a `data:` URL that contains it.
    public let href: URL

    /// Reads the link of an image; `nil` if it has no URL.
    public init?(json: JSON) {
      guard let href = json["href"]?.string.flatMap({ URL(string: $0) }) else { return nil }
      self.json = json
      self.href = href
    }

    /// The image's media type.
    public var type: String? { json["type"]?.string }
  }
}

/// The ways to send a code or a push again. Some answers have one link, others have a list of links.
public enum ResendLink: Codable, Hashable, Sendable {
  /// A list of links, named by channel.
  case resendArray([LinksResponse.Link])
  /// The only link.
  case resend(LinksResponse.Link)

  init?(json: JSON) {
    if let list = json.array {
      self = .resendArray(list.compactMap(LinksResponse.Link.init(json:)))
    } else if let link = LinksResponse.Link(json: json) {
      self = .resend(link)
    } else {
      return nil
    }
  }

  /// All links, one or several.
  public var links: [LinksResponse.Link] {
    switch self {
    case .resendArray(let links): links
    case .resend(let link): [link]
    }
  }

  /// Reads a link or a list of links.
  ///
  /// - Throws: `DecodingError` if it is neither.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let list = try? container.decode([LinksResponse.Link].self) {
      self = .resendArray(list)
    } else {
      self = .resend(try container.decode(LinksResponse.Link.self))
    }
  }

  /// Writes the link or the list of links.
  ///
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .resendArray(let links): try container.encode(links)
    case .resend(let link): try container.encode(link)
    }
  }
}
