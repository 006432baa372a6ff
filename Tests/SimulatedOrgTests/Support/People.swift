// The users and orgs of these tests.

import Foundation
import SimulatedOrg

enum People {
  static let password = "Correct-horse-1"
  static let ann = OrgUser(login: "ann@acme.example", password: password, firstName: "Ann", lastName: "Lee")
  static let bob = OrgUser(
    login: "bob@acme.example", password: password, firstName: "Bob", lastName: "Ray",
    factors: [.sms(phone: "+1 415-555-0199"), .push(device: "Bob's phone")])

  static func user(_ login: String = "cat@acme.example", factors: [OrgFactor]) -> OrgUser {
    OrgUser(login: login, password: password, factors: factors)
  }
}

/// Starts an org, hands it and a connection over, and stops it whatever happens.
func withOrg<R>(
  _ configuration: OrgConfiguration = .init(users: [People.ann, People.bob]),
  _ body: (SimulatedOrg, WireClient) async throws -> R
) async throws -> R {
  let org = try await SimulatedOrg.start(configuration)
  do {
    let result = try await body(org, WireClient(org))
    await org.stop()
    return result
  } catch {
    await org.stop()
    throw error
  }
}

extension WireClient {
  /// Primary authentication.
  func signIn(
    _ user: OrgUser, password: String = People.password, options: [String: Bool] = [:], _ more: [String: Any] = [:]
  ) async throws -> WireReply {
    var body: [String: Any] = ["username": user.login, "password": password]
    if !options.isEmpty { body["options"] = options }
    return try await post("/api/v1/authn", body.merging(more) { $1 })
  }

  /// Signs in as far as MFA_CHALLENGE of the factor at that place of the list.
  func challenge(_ user: OrgUser, factor: Int = 0) async throws -> WireReply {
    try await follow(try await signIn(user), "_embedded.factors.\(factor)._links.verify")
  }
}
