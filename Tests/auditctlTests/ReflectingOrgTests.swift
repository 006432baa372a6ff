// An org that quotes whatever it was sent, in every text that it has: nothing of it reaches the terminal.

import EventStore
import FlowRecording
import Foundation
import Glibc
import SimulatedOrg
import Testing

@Suite struct ReflectingOrgTests {
  private static let password = "Canary-Zx81 & Quagga"
  private static let answer = "Canary-teddy-5c1"

  /// The password and the answer, as an org may quote them.
  private static let quotes = [
    "\(password) \(answer)", "\(password) \(answer)".uppercased(), Data(password.utf8).base64EncodedString(),
    password.replacingOccurrences(of: "&", with: "&amp;"), "Canary-Zx81%20%26%20Quagga",
  ]

  /// A body in which each text for people, and each word that may be any, quotes.
  private static func reflecting(_ quote: String, in body: OrgJSON) -> OrgJSON {
    let texts: Set<String> = [
      "message", "label", "displayName", "questionText", "vendorName", "errorSummary", "phoneNumber", "deviceName",
      "key",
      "factorResultMessage", "errorLink", "errorId", "authenticatorName",
    ]
    switch body {
    case .object(let members):
      return .object(
        members.map { member in
          if case .string = member.value, texts.contains(member.name) {
            return .init(member.name, .string("shows \(quote) there"))
          }
          return .init(member.name, reflecting(quote, in: member.value))
        })
    case .array(let elements): return .array(elements.map { reflecting(quote, in: $0) })
    default: return body
    }
  }

  private func run(
    _ api: String, _ input: String, quote: String, more: [String] = [], in folder: Folder
  ) async throws -> Run {
    let seen = Locked(false)
    let users = [
      OrgUser(
        login: "ann@acme.example", password: Self.password,
        factors: [
          .question(key: "disliked_food", answer: Self.answer), .sms(phone: "+1 415-555-0199"), .push(device: "Phone"),
        ])
    ]
    let org = try await SimulatedOrg.start(
      OrgConfiguration(
        users: users, clock: .system,
        decorate: { path, body in
          let knows = seen.withLock { seen in
            seen = seen || path.hasSuffix("/authn") || path.hasSuffix("challenge/answer")
            return seen
          }
          return knows ? Self.reflecting(quote, in: body) : body
        }, policy: OrgPolicy.named("two-factors") ?? .standard))
    let run = try await Program.runAside(
      [
        "sign-in", "--org", org.url.absoluteString, "--username", "ann@acme.example", "--store", folder("audit"),
        "--api",
        api,
      ] + more, input: input, in: folder)
    await org.stop()
    return run
  }

  @Test("no text of the org shows a secret on the terminal, by either API", arguments: ["authn", "idx"])
  func terminal(api: String) async throws {
    let inputs: [(String, [String])] = [
      ("\(Self.password)\n", []), ("\(Self.password)\n1\n\(Self.answer)\n", []),
      ("\(Self.password)\nwrong\nwrong\nwrong\n", ["--factor", "question"]),
      ("\(Self.password)\n\(Self.answer)x\n\(Self.answer)\n", ["--factor", "question", "--json"]),
      ("\(Self.password)\n", ["--factor", "none of them"]), ("\(Self.password)\n77\n", []),
    ]
    for quote in Self.quotes {
      let folder = try Folder()
      for (input, more) in inputs {
        // An answer that was not typed yet is no secret of the flow: only the password is quoted then.
        let known = input.contains(Self.answer) ? quote : quote.replacingOccurrences(of: Self.answer, with: "")
        let run = try await run(api, input, quote: known, more: more, in: folder)
        let text = run.output + run.errors
        #expect(!text.isEmpty)
        for word in ["Quagga", "QUAGGA", Self.quotes[2]] {
          #expect(!text.contains(word), "\(more) \(input): \(text)")
        }
      }
      let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
      for word in ["Quagga", "QUAGGA", Self.quotes[2]] { #expect(!cat.output.contains(word)) }
    }
  }

  @Test("a password that is no UTF-8 is refused before anything is sent, wherever it comes from")
  func latin1() throws {
    let folder = try Folder()
    try Data([0x70, 0xE4, 0x73, 0x73, 0x0A]).write(to: URL(fileURLWithPath: folder("password.txt")))
    let arguments = [
      "sign-in", "--org", "http://127.0.0.1:1", "--username", "u", "--store", folder("audit"), "--password-file",
      folder("password.txt"),
    ]
    let run = try Program.run(arguments, in: folder)
    #expect(run.code == 65 && run.errors.contains("UTF-8"), "\(run.errors)")
    #expect(try Program.run(["flows", "--store", folder("audit"), "--json"], in: folder).lines.isEmpty)
  }

  @Test("a process that asks for a password leaves no core, and no TLS keys in a file that the environment names")
  func silence() throws {
    let folder = try Folder()
    let terminal = try PseudoTerminal(columns: 80)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["sign-in", "--org", "http://127.0.0.1:1", "--username", "u", "--store", folder("audit")]
    process.environment = Program.environment(home: folder.path).merging(["SSLKEYLOGFILE": folder("keys")]) { $1 }
    process.standardInput = terminal.program
    process.standardOutput = FileHandle.nullDevice
    process.standardError = terminal.program
    try process.run()
    // The prompt: what comes before it is done.
    var byte: UInt8 = 0
    var shown = ""
    while !shown.hasSuffix(": "), read(terminal.control, &byte, 1) == 1 {
      shown.unicodeScalars.append(Unicode.Scalar(byte))
    }
    let limits = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
    let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    #expect(core.split(whereSeparator: \.isWhitespace).dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: folder("keys")))
  }

  @Test("lists show the login that was typed, not the one that an org makes up")
  func typedLogin() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(
        users: [OrgUser(login: "ann@acme.example", password: "ann@acme.example")], clock: .system,
        decorate: { _, body in
          var body = body
          guard var embedded = body["_embedded"], var user = embedded["user"], var profile = user["profile"] else {
            return body
          }
          profile["login"] = .string("root@acme.example")
          user["profile"] = profile
          embedded["user"] = user
          body["_embedded"] = embedded
          return body
        }))
    let folder = try Folder()
    // Whoever types the login as the password, too, is seen as who they say they are.
    let run = try await Program.runAside(
      ["sign-in", "--org", org.url.absoluteString, "--username", "ann@acme.example", "--store", folder("audit")],
      input: "ann@acme.example\n", in: folder)
    await org.stop()
    #expect(run.code == 0, "\(run.errors)")
    let flows = try Program.run(["flows", "--store", folder("audit"), "--json"], in: folder)
    #expect(try JSON(parsing: Array(flows.lines[0].utf8))["user"] == "ann@acme.example")
    let report = try Program.run(["report", "summary", "--store", folder("audit")], in: folder)
    #expect(report.output.contains("ann@acme.example") && !report.output.contains("root@"), "\(report.output)")
    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    #expect(cat.output.contains(#""username":"ann@acme.example","password":"$secret.password.1$""#))
  }

  @Test("of a store with a flow that cannot be read the others are replayed, listed and reported on")
  func unreadable() throws {
    let folder = try Folder()
    let store = folder("audit")
    let log = try EventLog.open(at: store)
    let good = #"{"kind":"authn","sdk":"FlowRecorder/0.1.0","settings":{"org":"https://acme.example"}}"#
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    for (stream, records) in [
      ("authn/01AAAAAAAAAAAAAAAAAAAAAAAA", [good]),
      ("authn/01BBBBBBBBBBBBBBBBBBBBBBBB", [good, #"{"status":200,"headers":[],"body":\#(deep)}"#]),
      ("authn/01CCCCCCCCCCCCCCCCCCCCCCCC", [good]),
    ] {
      _ = try log.append(
        records.enumerated().map { index, data in
          NewRecord(
            at: Timestamp(microseconds: 1_700_000_000_000_000), stream: stream, id: nil,
            type: index == 0 ? "flow.started" : "response.received", version: 1, cause: nil, data: Array(data.utf8))
        })
    }
    try log.close()
    let replay = try Program.run(["replay", "--store", store], in: folder)
    #expect(replay.code == 1, "\(replay.errors)")
    #expect(replay.lines.first == "2 recordings, 2 flows replayed, 0 divergences, 1 unreadable", "\(replay.output)")
    #expect(replay.output.contains("01BBBBBBBBBBBBBBBBBBBBBBBB"))
    let json = try JSON(parsing: Array(Program.run(["replay", "--store", store, "--json"], in: folder).output.utf8))
    #expect(json["unreadable"]?.array?.count == 1 && json["replayed"] == 2)
    #expect(try Program.run(["flows", "--store", store, "--json"], in: folder).lines.count == 3)
    #expect(try Program.run(["report", "summary", "--store", store], in: folder).code == 0)
    #expect(try Program.run(["show", "01CCCC", "--store", store], in: folder).code == 0)
  }
}
