// A push authenticator at a terminal: an org in one process, sign-ins and devices in others.

import EventStore
import Foundation
import SimulatedOrg
import Testing

@Suite struct DeviceCommandTests {
  private static let login = "bob@acme.example"
  private static let password = "Canary-Zx81-Quagga"

  private func org() async throws -> SimulatedOrg {
    let user = OrgUser(login: Self.login, password: Self.password, factors: [.push(device: "Phone")])
    return try await SimulatedOrg.start(OrgConfiguration(users: [user], clock: .system))
  }

  private func device(
    _ command: [String], _ more: [String] = [], input: String = "", in folder: Folder, at org: SimulatedOrg
  ) async throws -> Run {
    try await Program.runAside(
      ["device"] + command + [
        "--org", org.url.absoluteString, "--store", folder("log"), "--device", folder("keys"),
      ] + more, input: input, in: folder)
  }

  /// Enrolls, and gives the access token.
  private func enroll(in folder: Folder, at org: SimulatedOrg) async throws -> String {
    let token = try #require(org.accessToken(for: Self.login))
    let run = try await device(["enroll", "--json"], input: token + "\n", in: folder, at: org)
    #expect(run.code == 0, "\(run.errors)")
    let json = try JSON(parsing: Array(run.output.utf8))
    #expect(json["user"]?.string == Self.login && json["state"] == "active" && json["schema"] == 1)
    return token
  }

  /// A sign-in by push beside an answer of the device.
  private func push(_ answer: String, in folder: Folder, at org: SimulatedOrg) async throws -> (
    signIn: Run, device: Run
  ) {
    async let signIn = Program.runAside(
      [
        "sign-in", "--org", org.url.absoluteString, "--username", Self.login, "--store", folder("audit"), "--factor",
        "push", "--poll-interval", "1",
      ], input: Self.password + "\n", in: folder)
    let device = try await device(["respond", answer, "--wait", "60", "--json"], in: folder, at: org)
    return (try await signIn, device)
  }

  private func correlate(_ folder: Folder) throws -> (code: Int32, json: JSON) {
    let run = try Program.run(
      ["correlate", "--store", folder("audit"), "--store", folder("log"), "--json"], in: folder)
    return (run.code, try JSON(parsing: Array(run.output.utf8)))
  }

  @Test func `a push is approved and another one denied by an enrolled device, and both sides agree`() async throws {
    let org = try await org()
    let folder = try Folder()
    let token = try await enroll(in: folder, at: org)
    let approved = try await push("--approve", in: folder, at: org)
    #expect(approved.signIn.code == 0 && approved.device.code == 0, "\(approved)")
    let denied = try await push("--deny", in: folder, at: org)
    #expect(denied.signIn.code == 1 && denied.device.code == 0, "\(denied)")

    let both = try correlate(folder)
    let pairs = both.json["pairs"]?.array ?? []
    #expect(both.code == 0 && both.json["contradictions"] == 0, "\(both.json.text)")
    #expect(pairs.map { $0["signIn"]?["outcome"]?.string } == ["approved", "rejected"])
    #expect(pairs.map { $0["answer"]?.string } == ["approved", "denied"])
    #expect(pairs.allSatisfy { $0["key"]?.string?.isEmpty == false })
    let text = try Program.run(["correlate", "--store", folder("audit"), "--store", folder("log")], in: folder)
    #expect(text.output.contains("Both sides agree.") && text.lines.filter { $0.count > 120 } == [])

    // Both logs replay, and neither has the password or the token, nor does a file of the device.
    let replay = try Program.run(["replay", "--store", folder("audit"), "--store", folder("log")], in: folder)
    #expect(replay.code == 0 && replay.output.contains("0 divergences"), "\(replay)")
    for secret in [Self.password, token] {
      let found = try Program.run(["cat", "--store", folder("audit"), "--store", folder("log")], in: folder)
      #expect(!found.output.contains(secret) && !text.output.contains(secret))
      #expect(!approved.device.output.contains(secret) && !approved.signIn.output.contains(secret))
    }
    await org.stop()
  }

  @Test func `an enrollment is listed, and gone once it is deleted`() async throws {
    let org = try await org()
    let folder = try Folder()
    let token = try await enroll(in: folder, at: org)
    let list = try await device(["list"], in: folder, at: org)
    #expect(list.code == 0 && list.output.contains(Self.login))
    let none = try await device(["pending"], in: folder, at: org)
    #expect(none.code == 1 && none.output == "Nothing waits.\n", "\(none)")
    let nothing = try await device(["respond", "--approve"], in: folder, at: org)
    #expect(nothing.code == 1 && nothing.errors.contains("device pending"), "\(nothing.errors)")
    let deleted = try await device(["delete"], input: token + "\n", in: folder, at: org)
    #expect(deleted.code == 0, "\(deleted.errors)")
    let empty = try await device(["list", "--json"], in: folder, at: org)
    #expect(try JSON(parsing: Array(empty.output.utf8))["enrollments"]?.array?.isEmpty == true)
    let gone = try await device(["delete"], input: token + "\n", in: folder, at: org)
    #expect(gone.code == 66, "\(gone.errors)")
    await org.stop()
  }

  @Test func `an enrollment that the org has replaced does not keep the other one from its challenges`() async throws {
    let org = try await org()
    let folder = try Folder()
    _ = try await enroll(in: folder, at: org)
    _ = try await enroll(in: folder, at: org)
    let none = try await device(["pending"], in: folder, at: org)
    #expect(none.code == 1 && none.output == "Nothing waits.\n", "\(none)")
    #expect(none.errors.contains("cannot be asked") && none.errors.contains("device delete --local"), "\(none.errors)")
    let push = try await push("--approve", in: folder, at: org)
    #expect(push.signIn.code == 0 && push.device.code == 0, "\(push)")
    // The command asked again and again until the push came.
    #expect(push.device.errors.split(separator: "\n").filter { $0.contains("cannot be asked") }.count == 1)
    await org.stop()
  }

  @Test func `a PIN verifies the person, a wrong one is said to the org`() async throws {
    let org = try await org()
    let folder = try Folder()
    let token = try #require(org.accessToken(for: Self.login))
    let pin = try folder.write("1234-canary\n", to: "pin.txt")
    let wrong = try folder.write("9999-canary\n", to: "wrong.txt")
    let early = try await device(["enroll"], ["--user-verification"], input: token + "\n", in: folder, at: org)
    #expect(early.code == 64 && early.errors.contains("device pin"), "\(early)")
    #expect(try await device(["pin"], ["--pin-file", pin], in: folder, at: org).code == 0)
    let again = try await device(["pin"], ["--pin-file", wrong, "--old-pin-file", wrong], in: folder, at: org)
    #expect(again.code == 77 && again.errors.contains("not the PIN"), "\(again)")
    let enrolled = try await device(
      ["enroll"], ["--user-verification", "--pin-file", pin], input: token + "\n", in: folder, at: org)
    #expect(enrolled.code == 0 && enrolled.output.contains("user verification"), "\(enrolled)")

    for (file, keyType) in [(pin, "userVerification"), (wrong, "proofOfPossession")] {
      async let signIn = Program.runAside(
        [
          "sign-in", "--org", org.url.absoluteString, "--username", Self.login, "--store", folder("audit"), "--factor",
          "push", "--poll-interval", "1",
        ], input: Self.password + "\n", in: folder)
      let answer = try await device(
        ["respond", "--approve"], ["--wait", "60", "--pin-file", file], in: folder, at: org)
      _ = try await signIn
      #expect(answer.code == 0, "\(answer)")
      let keys = try correlate(folder).json["pairs"]?.array?.last?["device"]?.array?.compactMap {
        $0["facts"]?["keyType"]?.string
      }
      #expect(keys == [keyType])
    }
    let log = try Program.run(["cat", "--store", folder("log")], in: folder).output
    #expect(!log.contains("-canary") && log.contains("UV_TEMPORARILY_UNAVAILABLE"))
    await org.stop()
  }

  @Test func `keys under a passphrase are of no use with another one`() async throws {
    let org = try await org()
    let folder = try Folder()
    let token = try #require(org.accessToken(for: Self.login))
    let right = try folder.write("right\n", to: "right.txt")
    let wrong = try folder.write("wrong\n", to: "wrong.txt")
    let enrolled = try await device(
      ["enroll"], ["--passphrase-file", right], input: token + "\n", in: folder, at: org)
    #expect(enrolled.code == 0, "\(enrolled.errors)")
    for more in [["--passphrase-file", wrong], []] {
      let run = try await device(["list"], more, in: folder, at: org)
      #expect(run.code == 77 && run.errors.contains("/keys"), "\(run)")
    }
    #expect(try await device(["list"], ["--passphrase-file", right], in: folder, at: org).code == 0)
    await org.stop()
  }

  @Test(
    arguments: [
      (["list", "--org", "acme", "--store", "log"], 64, "no URL of an org"),
      (["list", "--org", "http://acme.example", "--store", "log"], 64, "clear text"),
      (["list", "--org", "https://acme.example", "--store", "log", "--device", "log/keys"], 64, "inside the store"),
      (["respond", "--org", "https://acme.example", "--store", "log"], 64, "--approve or --deny"),
      (["respond", "--approve", "--deny", "--org", "https://acme.example", "--store", "log"], 64, "contradict"),
      (["pending", "--org", "https://acme.example", "--store", "log"], 66, "device enroll"),
      (["enroll", "--org", "https://acme.example", "--store", "log"], 65, "standard input"),
      (["enroll", "--org", "https://acme.example", "--store", "log", "--token-file", "none"], 66, "none"),
      (["pending", "--org", "https://acme.example", "--store", "log", "--wait", "-1"], 64, "--wait"),
    ] as [([String], Int32, String)])
  func `what cannot be done is said in one line`(arguments: [String], code: Int32, says: String) throws {
    let run = try Program.run(["device"] + arguments, in: Folder())
    #expect(run.code == code && run.errors.contains(says), "\(run)")
    #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty)
  }

  @Test func `an org that is not there: which one, and what to do, are said`() throws {
    let folder = try Folder()
    let run = try Program.run(
      ["device", "enroll", "--org", "http://127.0.0.1:1", "--store", folder("log"), "--device", folder("keys")],
      input: "token\n", in: folder)
    #expect(run.code == 74 && run.errors.hasPrefix("auditctl: device at http://127.0.0.1:1: No connection"), "\(run)")
    #expect(run.errors.hasSuffix("; check --org and the network, then run the command again.\n"), "\(run)")
  }

  @Test func `stores without a push have nothing to correlate`() throws {
    let folder = try Folder()
    #expect(
      try Program.run(["append", "--store", folder("log")], input: #"{"stream":"s","type":"t","data":{}}"#, in: folder)
        .code == 0)
    let run = try Program.run(["correlate", "--store", folder("log")], in: folder)
    #expect(run.code == 1 && run.output.contains("No flow of these stores saw a push."), "\(run)")
    // Of one flow it says that this one saw none; others may have.
    let one = try Program.run(["correlate", "s", "--store", folder("log")], in: folder)
    #expect(one.code == 1 && one.output == "s saw no push.\n", "\(one)")
    let missing = try Program.run(["correlate", "--store", folder("none")], in: folder)
    #expect(missing.code == 66)
  }

  @Test func `a token that the org rejects: the status, the code and what to do are said`() async throws {
    let org = try await org()
    let folder = try Folder()
    let refused = try await device(["enroll"], input: "rejected-token\n", in: folder, at: org)
    #expect(refused.code == 1 && !refused.errors.contains("could not be completed"), "\(refused)")
    #expect(refused.errors.contains("HTTP status 401 (E0000011)"), "\(refused)")
    #expect(refused.errors.contains("; give an access token"), "\(refused)")
    _ = try await enroll(in: folder, at: org)
    let kept = try await device(["delete"], input: "rejected-token\n", in: folder, at: org)
    #expect(kept.code == 1 && kept.errors.contains("HTTP status 401"), "\(kept)")
    #expect(kept.errors.contains("; give an access token") && !kept.errors.contains("rejected-token"), "\(kept)")
    await org.stop()
  }
}
