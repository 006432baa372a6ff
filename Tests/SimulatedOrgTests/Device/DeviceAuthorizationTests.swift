// Who may do what (device.md §3, §4, §6.3, §20.2).

import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceAuthorizationTests {
  /// The calls on an enrollment, and the scopes that are enough for each.
  static let calls: [(String, Set<String>)] = [
    ("pull", ["manage", "read", "maintenance.manage", "maintenance.read"]),
    ("pushToken", ["manage", "maintenance.manage"]), ("capabilities", ["manage", "maintenance.manage"]),
    ("keys", ["manage"]), ("enroll", ["manage"]), ("delete", ["manage"]),
  ]

  private func reply(_ call: String, _ handset: Handset, _ authorization: String?) async throws -> WireReply {
    let path = "/idp/myaccount/app-authenticators/" + handset.enrollmentID
    let patches: [String: Body] = [
      "pushToken": ["pushToken": "01"], "capabilities": ["capabilities": ["transactionTypes": ["LOGIN"]]],
      "keys": ["keys": ["userVerification": NSNull()]],
    ]
    if let push = patches[call] {
      return try await handset.send("PATCH", path, ["methods": ["push": push]], authorization: authorization)
    }
    switch call {
    case "pull": return try await handset.send("GET", handset.pendingPath, authorization: authorization)
    case "delete": return try await handset.send("DELETE", path, authorization: authorization)
    default:
      return try await handset.send(
        "POST", "/idp/myaccount/app-authenticators", try handset.enrollment(), authorization: authorization)
    }
  }

  @Test(arguments: calls)
  func `a call needs its scope or a stronger one`(call: String, scopes: Set<String>) async throws {
    for scope in ["read", "maintenance.read", "maintenance.manage", "manage"] {
      try await withHandset { _, handset in
        let reply = try await reply(call, handset, "Bearer " + handset.token(scope))
        if scopes.contains(scope) {
          #expect((200...204).contains(reply.status), "\(call) \(scope) \(reply.bodyText)")
        } else {
          #expect(reply.status == 403 && reply.errorCode == "E0000006", "\(call) \(scope)")
        }
      }
    }
  }

  @Test(arguments: calls.map(\.0))
  func `a call without a good token is refused`(call: String) async throws {
    try await withHandset { org, handset in
      let old = try handset.token("manage")
      for authorization in [nil, "Basic ", "OTDT x", "Bearer", "Bearer nothing", "SSWS nothing"] {
        let reply = try await reply(call, handset, authorization)
        #expect(reply.status == 401 && reply.errorCode == "E0000011", "\(authorization ?? "nothing")")
      }
      org.advanceClock(by: 3600)
      let late = try await reply(call, handset, "Bearer " + old)
      #expect(late.errorCode == "E0000011")
    }
  }

  @Test func `an enrollment of another user is not found`() async throws {
    try await withHandset { _, handset in
      let foreign = "Bearer " + (try await Handset(handset.org, People.bob.login).token("manage"))
      for call in ["pull", "pushToken", "keys", "delete"] {
        let reply = try await reply(call, handset, foreign)
        #expect(reply.status == 404 && reply.errorCode == "E0000008")
      }
      let path = "/idp/myaccount/app-authenticators/pfd0"
      let unknown = try await handset.send("DELETE", path, authorization: "Bearer " + handset.token("manage"))
      #expect(unknown.status == 404 && unknown.errorCode == "E0000008")
    }
  }

  @Test(arguments: [false, true])
  func `a key of the enrollment authenticates without a token, once`(verified: Bool) async throws {
    try await withHandset { _, handset in
      let key = try verified ? #require(handset.verification) : handset.possession
      let authorization = try handset.selfSigned(by: key)
      let first = try await reply("pull", handset, authorization)
      #expect(first.status == 200, "\(first.bodyText)")
      let again = try await reply("pull", handset, authorization)
      #expect(again.errorCode == "E0000011")
      for call in ["pushToken", "keys", "delete"] {
        let reply = try await reply(call, handset, try handset.selfSigned())
        #expect((200...204).contains(reply.status), "\(call) \(reply.bodyText)")
      }
    }
  }

  @Test func `a key cannot enroll, and not touch another enrollment`() async throws {
    try await withHandset { org, handset in
      let enroll = try await reply("enroll", handset, try handset.selfSigned())
      #expect(enroll.errorCode == "E0000011")
      let other = try await Handset.enrolled(org, People.bob.login)
      let foreign = try await reply("delete", other, try handset.selfSigned())
      #expect(foreign.errorCode == "E0000008")
    }
  }

  /// One claim or header member that is wrong.
  @Test(arguments: [
    ("header", "typ", "JWT" as (any Sendable)?), ("header", "kid", "nobody"), ("header", "alg", "none"),
    ("claim", "iss", "pfd0"), ("claim", "aud", "https://other"), ("claim", "sub", "00u0"), ("claim", "kid", "other"),
    ("claim", "kid", nil), ("claim", "exp", 0), ("claim", "iat", 4_000_000_000), ("claim", "nbf", 4_000_000_000),
    ("claim", "jti", nil), ("claim", "exp", "soon"),
  ])
  func `a self-signed token that is wrong in one place is refused`(place: String, name: String, value: (any Sendable)?)
    async throws
  {
    try await withHandset { _, handset in
      let authorization =
        place == "header"
        ? try handset.selfSigned(header: { $0[name] = value }) : try handset.selfSigned(claims: { $0[name] = value })
      let refused = try await reply("pull", handset, authorization)
      #expect(refused.status == 401 && refused.errorCode == "E0000011")
      let forged = try handset.selfSigned(by: TestKey(id: handset.possession.id))
      #expect(try await reply("pull", handset, forged).errorCode == "E0000011")
    }
  }

  @Test func `a feature that is off refuses every call`() async throws {
    try await withOrg(.init(users: [People.ann], devices: OrgDevices().with { $0.isEnabled = false })) { org, _ in
      var handset = try await Handset(org)
      (handset.enrollmentID, handset.pendingPath) = (
        "pfd0", "/idp/myaccount/app-authenticators/pfd0/push/notifications"
      )
      for call in Self.calls.map(\.0) {
        let reply = try await reply(call, handset, "Bearer " + handset.token("manage"))
        #expect(reply.status == 401 && reply.errorCode == "E0000015", "\(call)")
      }
    }
  }

  @Test func `a token of a sign-in counts if the org itself gave it`() async throws {
    for (server, status) in [("/oauth2", 200), ("/oauth2/default", 401)] {
      try await withOrg { org, wire in
        let scope = "openid okta.myAccount.appAuthenticator.manage"
        let walk = try await IDXWalker(org, wire, server: server, ["scope": scope])
        try await walk.password(People.ann)
        let token = try await walk.tokens().text("access_token")
        let handset = try await Handset(org)
        let reply = try await reply("enroll", handset, "Bearer " + token)
        #expect(reply.status == status, "\(server) \(reply.bodyText)")
      }
    }
  }
}
