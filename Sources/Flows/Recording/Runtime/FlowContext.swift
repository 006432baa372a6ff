// Information that the application has about a sign-in and the org does not report: the program, the client, and the
// application's own request.

public import EventStore

/// The context of a flow, given by the application (`FlowEnvironment.context`) and recorded in its `flow.started`.
///
/// ```swift
/// environment.context = FlowContext(
///   app: .init(id: "com.acme.mail", version: "4.2"), client: .init(address: request.remoteAddress),
///   correlation: request.id)
/// ```
///
/// It changes nothing that is sent. Put nothing secret here: each value is recorded readable, cut to 256 characters.
public struct FlowContext: Sendable, Hashable {
  /// The program that signs people in.
  public struct App: Sendable, Hashable {
    /// Its id: `com.acme.mail`. Public.
    public var id: String?
    /// Its name. Public.
    public var name: String?
    /// Its version. Public.
    public var version: String?

    /// Makes the value.
    public init(id: String? = nil, name: String? = nil, version: String? = nil) {
      (self.id, self.name, self.version) = (id, name, version)
    }
  }

  /// The client that the person uses.
  public struct Client: Sendable, Hashable {
    /// Operating system and version. Public.
    public var os: String?
    /// The model of the device. Public.
    public var model: String?
    /// The language and region: `de_CH`. Public.
    public var locale: String?
    /// The network address of the person. Personal.
    public var address: String?

    /// Makes the value.
    public init(os: String? = nil, model: String? = nil, locale: String? = nil, address: String? = nil) {
      (self.os, self.model, self.locale, self.address) = (os, model, locale, address)
    }
  }

  /// The program.
  public var app: App
  /// The client that the person uses.
  public var client: Client
  /// A pseudonym of the device, the same in all its flows. Personal.
  public var device: String?
  /// Identifies one of several processes or hosts of the application. Public.
  public var instance: String?
  /// The application's own id of the request or session that the flow belongs to. Personal.
  public var correlation: String?
  /// The id of a distributed trace (W3C Trace Context, `trace-id`). Public.
  public var trace: String?

  /// Makes a context; a nil or empty member is not recorded.
  public init(
    app: App = App(), client: Client = Client(), device: String? = nil, instance: String? = nil,
    correlation: String? = nil, trace: String? = nil
  ) {
    self.app = app
    self.client = client
    self.device = device
    self.instance = instance
    self.correlation = correlation
    self.trace = trace
  }

  /// Reads the `context` of a `flow.started`; invalid and empty values are omitted.
  public init(_ json: JSON) {
    func known(_ value: JSON?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
    func text(_ group: String, _ name: String) -> String? { known(json[group]?[name]) }
    self.init(
      app: App(id: text("app", "id"), name: text("app", "name"), version: text("app", "version")),
      client: Client(
        os: text("client", "os"), model: text("client", "model"), locale: text("client", "locale"),
        address: text("client", "address")),
      device: known(json["device"]), instance: known(json["instance"]), correlation: known(json["correlation"]),
      trace: known(json["trace"]))
  }

  /// The context as recorded in `flow.started`; nil if it is empty.
  public var json: JSON? {
    func members(_ members: [(String, String?)]) -> JSON? {
      let given = members.filter { $0.1?.isEmpty == false }.compactMap { name, text in
        text.map { (name, JSON?.some(.string(String($0.prefix(Self.longest))))) }
      }
      return given.isEmpty ? nil : .members(given)
    }
    let parts: [(String, JSON?)] = [
      ("app", members([("id", app.id), ("name", app.name), ("version", app.version)])),
      (
        "client",
        members([
          ("os", client.os), ("model", client.model), ("locale", client.locale), ("address", client.address),
        ])
      ),
    ]
    let rest = members([
      ("device", device), ("instance", instance), ("correlation", correlation), ("trace", trace),
    ])
    let all = parts.filter { $0.1 != nil } + (rest?.object?.members ?? []).map { ($0.key, JSON?.some($0.value)) }
    return all.isEmpty ? nil : .members(all)
  }

  private static let longest = 256

  /// The classes of its values.
  package static let schema: WireSchema = .object([
    "app": .object(["id": .text, "name": .text, "version": .text]),
    "client": .object(["os": .text, "model": .text, "locale": .text, "address": .personal]),
    "device": .personal, "instance": .text, "correlation": .personal, "trace": .text,
  ])
}
