// A sign-in through the Identity Engine, request by request; every answer is checked for its shape on the way.

import Crypto
import Foundation
import Testing

@testable import SimulatedOrg

/// One client of one org, and the response it stands at.
final class IDXWalker {
  let org: SimulatedOrg
  let wire: WireClient
  let verifier: String
  let server: String
  private(set) var reply: WireReply
  private(set) var interaction = ""
  /// Sent with every request of the engine, as a client sends the cookies it was given.
  var cookie: String?

  /// Interacts and introspects.
  init(
    _ org: SimulatedOrg, _ wire: WireClient, server: String = "/oauth2/default",
    verifier: String = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", cookie: String? = nil,
    _ more: [String: String] = [:]
  ) async throws {
    (self.org, self.wire, self.verifier, self.server, self.cookie) = (org, wire, verifier, server, cookie)
    reply = try await Self.interact(wire, server, Self.interest(verifier).merging(more) { $1 })
    #expect(reply.status == 200, "\(reply.bodyText)")
    interaction = try reply.text("interaction_handle")
    try await introspect()
  }

  /// Starts again.
  func begin() async throws {
    reply = try await Self.interact(wire, server, Self.interest(verifier))
    interaction = try reply.text("interaction_handle")
    try await introspect()
  }

  /// The parameters of `interact`.
  static func interest(_ verifier: String) -> [String: String] {
    let challenge = Base64.urlText(SHA256.hash(data: Array(verifier.utf8)))
    return [
      "client_id": OrgClient.sample.id, "redirect_uri": OrgClient.sample.redirectURIs[0], "state": "st-1",
      "scope": "openid profile email offline_access", "code_challenge": challenge, "code_challenge_method": "S256",
    ]
  }

  static func interact(_ wire: WireClient, _ server: String, _ form: [String: String]) async throws -> WireReply {
    try await post(wire, server + "/v1/interact", form)
  }

  /// Posts a form.
  static func post(_ wire: WireClient, _ path: String, _ form: [String: String]) async throws -> WireReply {
    let text = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(OrgState.queryText($0.value))" }
    wire.headers = [
      ("Accept", "application/json; charset=UTF-8"),
      ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"),
    ]
    return try await wire.request("POST", path, text.joined(separator: "&"))
  }

  @discardableResult
  func introspect(sourceLocation: SourceLocation = #_sourceLocation) async throws -> WireReply {
    try await post("/idp/idx/introspect", ["interactionHandle": interaction], sourceLocation: sourceLocation)
  }

  /// Posts JSON and takes the answer as the response it stands at.
  @discardableResult
  func post(
    _ target: String, _ body: [String: Any], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> WireReply {
    let ion = "application/ion+json; okta-version=1.0.0"
    wire.headers = [("Accept", ion), ("Content-Type", "application/json; okta-version=1.0.0")]
    if let cookie { wire.headers.append(("Cookie", cookie)) }
    reply = try await wire.post(target, body)
    IonCheck.check(reply, org, sourceLocation: sourceLocation)
    return reply
  }

  /// The remediation of that name; `cancel`, and the actions of the current authenticator, count as well.
  func form(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let forms = (reply.value("remediation.value") as? [[String: Any]] ?? []).filter { $0["name"] as? String == name }
    let current = ["currentAuthenticator", "currentAuthenticatorEnrollment"].compactMap {
      reply.value("\($0).value.\(name)") as? [String: Any]
    }
    let found = forms.first ?? current.first ?? reply.value(name) as? [String: Any]
    return try #require(found, "no \(name) in \(reply.bodyText)", sourceLocation: sourceLocation)
  }

  /// Sends a form with this body and its state handle.
  @discardableResult
  func send(
    _ name: String, _ body: [String: Any] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> WireReply {
    let form = try form(name, sourceLocation: sourceLocation)
    var body = body
    body["stateHandle"] = reply.value("stateHandle")
    let href = try #require(form["href"] as? String, sourceLocation: sourceLocation)
    return try await post(href, body, sourceLocation: sourceLocation)
  }

  /// Names of the remediations, in order.
  var offered: [String] {
    (reply.value("remediation.value") as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  /// Keys of all messages: of the step, then of the fields in order.
  var messages: [String] { IonCheck.messages(reply) }

  /// User name and password, if the policy asks for them one after the other.
  func password(_ user: OrgUser, _ password: String = People.password) async throws {
    try await send("identify", ["identifier": user.login])
    try await send("challenge-authenticator", ["credentials": ["passcode": password]])
  }

  /// Chooses an authenticator by its label.
  func choose(_ label: String, method: String? = nil, in name: String = "select-authenticator-authenticate")
    async throws
  {
    let options = try #require(option(label, in: name), "no \(label) in \(reply.bodyText)")
    var chosen: [String: Any] = [:]
    for field in options { if let name = field["name"] as? String { chosen[name] = field["value"] } }
    if let method { chosen["methodType"] = method }
    try await send(name, ["authenticator": chosen])
  }

  /// The fields of an option.
  func option(_ label: String, in name: String) -> [[String: Any]]? {
    let form = try? form(name)
    let fields = form?["value"] as? [[String: Any]] ?? []
    let options = fields.first { $0["name"] as? String == "authenticator" }?["options"] as? [[String: Any]] ?? []
    let value = options.first { $0["label"] as? String == label }?["value"] as? [String: Any]
    return (value?["form"] as? [String: Any])?["value"] as? [[String: Any]]
  }

  /// Takes the interaction code to the token endpoint.
  func tokens(verifier: String? = nil) async throws -> WireReply {
    let fields = try #require(reply.value("successWithInteractionCode.value") as? [[String: Any]], "\(reply.bodyText)")
    var form: [String: String] = [:]
    for field in fields { if let name = field["name"] as? String { form[name] = field["value"] as? String } }
    form["code_verifier"] = verifier ?? self.verifier
    let href = try reply.text("successWithInteractionCode.href")
    return try await Self.post(wire, String(href.dropFirst(org.url.absoluteString.count)), form)
  }

  /// Whether the sign-in is done.
  var isDone: Bool { reply.value("successWithInteractionCode.name") as? String == "issue" }

  /// The newest code that left.
  var code: String { org.outbox.last?.code ?? "" }
}

/// Starts an org with a policy and users, and a sign-in at its first page.
func withWalk<R>(
  _ policy: OrgPolicy, _ users: [OrgUser] = [People.ann, People.bob],
  _ change: (inout OrgConfiguration) -> Void = { _ in },
  _ body: (IDXWalker) async throws -> R
) async throws -> R {
  var configuration = OrgConfiguration(users: users, policy: policy)
  change(&configuration)
  return try await withOrg(configuration) { org, wire in try await body(try await IDXWalker(org, wire)) }
}

/// A ready-made policy; the tests name them by their names.
func policy(_ name: String) -> OrgPolicy { OrgPolicy.named(name) ?? .standard }
