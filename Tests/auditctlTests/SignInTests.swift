// An org in one process, sign-ins in others.

import EventStore
import FlowRecording
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
  ) async throws -> Run {
    try await Program.runAside(
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
    let plain = try await signIn("ann@acme.example", in: folder, at: org)
    #expect(plain.code == 0, "\(plain.errors)")
    #expect(plain.output.hasPrefix("SUCCESS  authn/"))
    org.answerPush(for: "bob@acme.example", .approve, afterPolls: 1)
    let push = try await signIn("bob@acme.example", ["--factor", "push", "--json"], in: folder, at: org)
    #expect(push.code == 0, "\(push.errors)")
    let document = try JSON(parsing: Array(push.output.utf8))
    #expect(document["status"]?.string == "SUCCESS" && document["signedIn"]?.bool == true)
    org.answerPush(for: "bob@acme.example", .reject, afterPolls: 1)
    let rejected = try await signIn("bob@acme.example", ["--factor", "1"], in: folder, at: org)
    #expect(rejected.code == 1 && rejected.errors.contains("REJECTED"), "\(rejected.errors)")
    let wrong = try await signIn("ann@acme.example", input: "Wrong-\(Self.password)\n", in: folder, at: org)
    #expect(wrong.code == 1 && wrong.errors.contains("Authentication failed"), "\(wrong.errors)")
    let place = "auditctl: sign-in at http://127.0.0.1:\(org.url.port ?? 0)"
    let says = "\(place): the org answered \"Authentication failed\"; check the login"
    #expect(wrong.errors.contains(says), "\(wrong.errors)")
    #expect(rejected.errors.contains("auditctl: sign-in at ") && rejected.errors.contains("auditctl show last"))
    #expect(try await signIn("fay@acme.example", in: folder, at: org).code == 1)
    let codes = try await signIn(
      "bob@acme.example", input: "\(Self.password)\n2\nx\ny\nz\n", in: folder, at: org)
    #expect(codes.code == 1 && codes.errors.contains("1 attempt left"), "\(codes.errors)")
    let file = try folder.write(Self.password + "\n", to: "password.txt")
    #expect(try await signIn("ann@acme.example", ["--password-file", file], input: "", in: folder, at: org).code == 0)
    await org.stop()

    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    #expect(!cat.output.contains(Self.password))
    #expect(cat.output.contains("ann@acme.example"))
    let replay = try Program.run(["replay", "--store", folder("audit")], in: folder)
    #expect(replay.code == 0, "\(replay.output)")
  }

  /// What a sign-in through the Identity Engine must not leave behind, as the org gives it out.
  private final class GivenOut: Sendable {
    private let values = Locked<Set<String>>([])

    var all: Set<String> { values.withLock { $0 } }

    func collect(_ body: OrgJSON) {
      guard case .object(let members) = body else {
        if case .array(let elements) = body { for element in elements { collect(element) } }
        return
      }
      let names = ["stateHandle", "interaction_handle", "access_token", "refresh_token", "id_token"]
      for member in members {
        if case .string(let value) = member.value, names.contains(member.name) {
          add(value)
        } else {
          collect(member.value)
        }
      }
      if case .string("interaction_code")? = body["name"], case .string(let value)? = body["value"] { add(value) }
    }

    private func add(_ value: String) { _ = values.withLock { $0.insert(value) } }
  }

  @Test("through the Identity Engine: a question answered, refusals, recorded without a secret, replayed")
  func identityEngine() async throws {
    let answer = "Canary-teddy-5c1"
    let given = GivenOut()
    let user = OrgUser(
      login: "ann@acme.example", password: Self.password, factors: [.question(key: "disliked_food", answer: answer)])
    let org = try await SimulatedOrg.start(
      OrgConfiguration(
        users: [user], clock: .system,
        decorate: { _, body in
          given.collect(body)
          return body
        }, policy: OrgPolicy.named("two-factors") ?? .standard))
    let folder = try Folder()
    func signIn(_ more: [String] = [], input: String) async throws -> Run {
      try await self.signIn("ann@acme.example", ["--api", "idx"] + more, input: input, in: folder, at: org)
    }
    let plain = try await signIn(input: "\(Self.password)\n\(answer)\n")
    #expect(plain.code == 0, "\(plain.errors)")
    #expect(plain.output.hasPrefix("success  idx/"), "\(plain.output)")
    let json = try await signIn(["--json"], input: "\(Self.password)\n\(answer)\n")
    #expect(json.code == 0, "\(json.errors)")
    let document = try JSON(parsing: Array(json.output.utf8))
    #expect(document["status"]?.string == "success" && document["signedIn"]?.bool == true)
    let wrong = try await signIn(input: "Wrong-\(Self.password)\nWrong-2\nWrong-3\n")
    #expect(wrong.code == 1 && wrong.errors.contains("given up after 3 wrong answers"), "\(wrong.errors)")
    #expect(wrong.output.hasPrefix("challenge-authenticator  idx/"), "\(wrong.output)")
    let ended = try await signIn(input: "Wrong-\(Self.password)\n")
    #expect(ended.code == 1 && ended.errors.contains("Authentication failed"), "\(ended.errors)")
    let redirect = try await signIn(["--redirect-uri", "com.example.other:/callback"], input: "\(Self.password)\n")
    #expect(redirect.code == 1 && redirect.errors.contains("redirect_uri"), "\(redirect.errors)")
    await org.stop()

    let flows = try Program.run(["flows", "--store", folder("audit"), "--json"], in: folder).lines
    #expect(flows.count == 5)
    let replay = try Program.run(["replay", "--store", folder("audit"), "--json"], in: folder)
    #expect(replay.code == 0, "\(replay.output)\(replay.errors)")
    let shown = try Program.run(["cat", "--store", folder("audit")], in: folder).output
    #expect(shown.contains("ann@acme.example") && shown.contains("$secret.passcode.1$"))
    var texts = [plain, json, wrong, redirect, replay].map { $0.output + $0.errors } + [shown]
    for line in flows {
      let flow = try #require(try JSON(parsing: Array(line.utf8))["flow"]?.string)
      texts.append(try Program.run(["show", flow, "--store", folder("audit"), "--json"], in: folder).output)
    }
    #expect(given.all.count >= 10)
    for secret in given.all.union([Self.password, answer, "Wrong-2", "Wrong-3"]) {
      #expect(!texts.contains { $0.contains(secret) }, "\(secret) was written or shown")
    }
  }

  private static let everyFactor = OrgUser(
    login: "ann@acme.example", password: password,
    factors: [
      .push(device: "Ann's phone"), .sms(phone: "+1 415-555-0199"), .question(key: "disliked_food", answer: "teddy"),
    ])

  @Test(
    "through the Identity Engine a factor is taken by kind, method, label or number",
    arguments: ["push", "app", "okta_verify", "Okta Verify", "1", "sms", "phone", "SMS", "2", "question", "3"])
  func factorOfIdentityEngine(name: String) async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [Self.everyFactor], clock: .system, policy: OrgPolicy.named("two-factors") ?? .standard))
    let folder = try Folder()
    org.answerPush(for: "ann@acme.example", .reject)
    let run = try await signIn(
      "ann@acme.example", ["--api", "idx", "--factor", name], input: "\(Self.password)\n1\n", in: folder, at: org)
    await org.stop()
    #expect(run.code != 64, "\(run.errors)")
    let flow = try #require(run.output.split(whereSeparator: \.isWhitespace).dropFirst().first.map(String.init))
    let show = try Program.run(["show", flow, "--store", folder("audit")], in: folder)
    let words = show.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let label =
      switch name {
      case "sms", "phone", "SMS", "2": "Phone"
      case "question", "3": "Security Question"
      default: "Okta Verify"
      }
    #expect(words.contains("proceed: select-authenticator-authenticate with authenticator \(label)"), "\(show.output)")
  }

  @Test("a push that is rejected ends the sign-in, through the Identity Engine too")
  func rejectedPush() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [Self.everyFactor], clock: .system, policy: OrgPolicy.named("two-factors") ?? .standard))
    let folder = try Folder()
    org.answerPush(for: "ann@acme.example", .reject)
    let run = try await signIn("ann@acme.example", ["--api", "idx", "--factor", "push"], in: folder, at: org)
    await org.stop()
    #expect(run.code == 1 && run.errors.contains("the org refuses the sign-in: "), "\(run.errors)")
  }

  @Test("a code of a text message is asked for, through the Identity Engine too")
  func textMessage() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [Self.everyFactor], clock: .system, policy: OrgPolicy.named("two-factors") ?? .standard))
    let folder = try Folder()
    let run = try await signIn(
      "ann@acme.example", ["--api", "idx", "--factor", "sms"], input: "\(Self.password)\n000000x\n", in: folder, at: org
    )
    await org.stop()
    #expect(run.code == 1 && run.errors.contains("the org refuses the sign-in: "), "\(run.errors)")
  }

  @Test("the status of a sign-in is the one that flows says: null if there is none", arguments: ["authn", "idx"])
  func statusOfFlow(api: String) async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: Self.users, clock: .system))
    let folder = try Folder()
    var said: [String: JSON] = [:]
    func note(_ run: Run) throws {
      let document = try JSON(parsing: Array(run.output.utf8))
      let flow = try #require(document["flow"]?.string)
      said[flow] = document["status"]
    }
    for password in [Self.password, "wrong"] {
      let run = try await signIn(
        "ann@acme.example", ["--api", api, "--json"], input: "\(password)\n", in: folder, at: org)
      #expect(run.code == (password == Self.password ? 0 : 1), "\(run.errors)")
      try note(run)
    }
    await org.stop()
    let away = ["sign-in", "--org", "http://127.0.0.1:1", "--username", "u", "--store", folder("audit"), "--json"]
    try note(Program.run(away + ["--api", api], input: "x\n", in: folder))
    let flows = try Program.run(["flows", "--store", folder("audit"), "--json"], in: folder).lines.map {
      try JSON(parsing: Array($0.utf8))
    }
    #expect(flows.count == 3 && said.count == 3)
    for flow in flows {
      let name = try #require(flow["flow"]?.string)
      #expect(said[name] == flow["status"], "\(flow)")
    }
    #expect(said.values.contains(.null))
  }

  @Test("a factor that the org does not offer is refused, by either API", arguments: ["authn", "idx"])
  func unknownFactor(api: String) async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [Self.everyFactor], clock: .system, policy: OrgPolicy.named("two-factors") ?? .standard))
    let folder = try Folder()
    for name in ["9", "u2f"] {
      let run = try await signIn("ann@acme.example", ["--api", api, "--factor", name], in: folder, at: org)
      #expect(run.code == 1 && run.errors.contains("does not offer the factor '\(name)'"), "\(run.errors)")
    }
    await org.stop()
  }

  @Test(
    "the classic API takes a factor by type, name or number", arguments: ["sms", "SMS", "2", "Ann's phone", "question"])
  func factorOfClassicAPI(name: String) async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [Self.everyFactor], clock: .system))
    let folder = try Folder()
    org.answerPush(for: "ann@acme.example", .reject, afterPolls: 1)
    let run = try await signIn(
      "ann@acme.example", ["--factor", name], input: "\(Self.password)\nwrong\n", in: folder, at: org)
    await org.stop()
    #expect(run.code == 1, "\(run.errors)")
    let says = name == "Ann's phone" ? "REJECTED" : "the org refuses the sign-in"
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test("a descriptor that only the program itself has opened, as the lock of the store, gives no secret")
  func ownDescriptors() throws {
    let folder = try Folder()
    let closed = (3...12).map { "\($0)<&-" }.joined(separator: " ")
    for number in 3...12 {
      for arguments in ["sign-in --username u --password-fd", "device enroll --device keys --token-fd"] {
        let command = "'\(Program.binary)' \(arguments) \(number) --org http://127.0.0.1:1 --store audit"
        let run = try Program.shell("exec \(closed); exec \(command)", in: folder)
        let says = "descriptor \(number) is not open; open it with: \(number)<FILE"
        #expect(run.code == 66 && run.output.contains(says), "\(arguments) \(number): \(run)")
      }
    }
  }

  @Test("a descriptor that the shell opens gives the password")
  func openDescriptor() async throws {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: Self.users, clock: .system))
    let folder = try Folder()
    _ = try folder.write(Self.password + "\n", to: "password.txt")
    let command =
      "'\(Program.binary)' sign-in --org \(org.url.absoluteString) --username ann@acme.example --store audit "
      + "--password-fd 3 3<password.txt"
    let run: Run = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Program.shell(command, in: folder) }) }
    }
    await org.stop()
    #expect(run.code == 0 && run.output.hasPrefix("SUCCESS  authn/"), "\(run.output)")
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
