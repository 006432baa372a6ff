// An org in one process, sign-ins in others.

import EventStore
import Foundation
import SimulatedOrg
import Testing

@Suite struct SignInTests {
  static let password = "Canary-Zx81-Quagga"
  static let users = [
    OrgUser(login: "ann@acme.example", password: password),
    OrgUser(
      login: "bob@acme.example", password: password, factors: [.push(device: "Phone"), .sms(phone: "+1 415-555-0199")]),
    OrgUser(login: "fay@acme.example", password: password, lockedOut: true),
  ]

  private func signIn(
    _ user: String, _ more: [String] = [], input: String = password + "\n", in folder: Folder, at org: SimulatedOrg
  ) throws -> Run {
    try Program.run(
      [
        "sign-in", "--org", org.url.absoluteString, "--username", user, "--store", folder("audit"), "--poll-interval",
        "1",
      ]
        + more, input: input, in: folder)
  }

  @Test("password, push and refusals, recorded without the password")
  func signIns() async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: Self.users, clock: .system, showsLockout: true))
    let folder = try Folder()
    let plain = try signIn("ann@acme.example", in: folder, at: org)
    #expect(plain.code == 0, "\(plain.errors)")
    #expect(plain.output.hasPrefix("SUCCESS  authn/"))
    org.answerPush(for: "bob@acme.example", .approve, afterPolls: 1)
    let push = try signIn("bob@acme.example", ["--factor", "push", "--json"], in: folder, at: org)
    #expect(push.code == 0, "\(push.errors)")
    let document = try JSON(parsing: Array(push.output.utf8))
    #expect(document["status"]?.string == "SUCCESS" && document["signedIn"]?.bool == true)
    org.answerPush(for: "bob@acme.example", .reject, afterPolls: 1)
    let rejected = try signIn("bob@acme.example", ["--factor", "1"], in: folder, at: org)
    #expect(rejected.code == 1 && rejected.errors.contains("REJECTED"), "\(rejected.errors)")
    let wrong = try signIn("ann@acme.example", input: "Wrong-\(Self.password)\n", in: folder, at: org)
    #expect(wrong.code == 1 && wrong.errors.contains("Authentication failed"), "\(wrong.errors)")
    #expect(try signIn("fay@acme.example", in: folder, at: org).code == 1)
    let codes = try signIn(
      "bob@acme.example", input: "\(Self.password)\n2\nx\ny\nz\n", in: folder, at: org)
    #expect(codes.code == 1 && codes.errors.contains("1 attempt left"), "\(codes.errors)")
    let file = try folder.write(Self.password + "\n", to: "password.txt")
    #expect(try signIn("ann@acme.example", ["--password-file", file], input: "", in: folder, at: org).code == 0)
    await org.stop()

    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    #expect(!cat.output.contains(Self.password))
    #expect(cat.output.contains("ann@acme.example"))
    let replay = try Program.run(["replay", "--store", folder("audit")], in: folder)
    #expect(replay.code == 0, "\(replay.output)")
  }

  @Test("no org there: 74; nothing to take the password from: 65")
  func unreachable() throws {
    let folder = try Folder()
    let arguments = ["sign-in", "--org", "http://127.0.0.1:1", "--username", "u", "--store", folder("audit")]
    let gone = try Program.run(arguments, input: "x\n", in: folder)
    #expect(gone.code == 74, "\(gone.errors)")
    #expect(try Program.run(arguments, input: "", in: folder).code == 65)
  }
}
