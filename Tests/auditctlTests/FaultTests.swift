// What goes wrong at the simulated org because `--fault` says so.

import EventStore
import Foundation
import SimulatedOrg
import Testing

@testable import auditctl

@Suite struct FaultTests {
  @Test(
    "kind, value, path and count",
    arguments: [
      ("server-error", nil, 0, 1), ("server-error:3", nil, 0, 3), ("server-error@/verify", "/verify", 0, 1),
      ("latency=0.5@/authn:2-4", "/authn", 1, 3), ("reset@/token:all", "/token", 0, Int.max),
      ("rate-limit", nil, 0, 1), ("rate-limit=7:2", nil, 0, 2), ("rate-limit-bare", nil, 0, 1),
      ("plain-error", nil, 0, 1), ("close", nil, 0, 1), ("cut", nil, 0, 1), ("cut=10@/a?b=c", "/a?b=c", 0, 1),
      ("slow", nil, 0, 1), ("slow=4,0.1", nil, 0, 1), ("bad-json", nil, 0, 1), ("html", nil, 0, 1),
      ("empty", nil, 0, 1), ("content-type=text/plain", nil, 0, 1), ("stray", nil, 0, 1),
      (#"stray={"a":1}"#, nil, 0, 1), (#"reply=503,{"a":1}@/authn:2"#, "/authn", 0, 2),
      (#"reply=400,{"a":"b"}"#, nil, 0, 1),
    ] as [(String, String?, Int, Int)])
  func faults(text: String, path: String?, skipping: Int, times: Int) throws {
    let fault = try FaultOption.fault(text)
    #expect(fault.path == path && fault.skipping == skipping && fault.times == times)
  }

  @Test("each kind of fault can be written")
  func everyKind() throws {
    for (name, _) in FaultOption.kinds {
      let word = name.prefix { $0 != "=" && $0 != "[" }
      let value = ["=STATUS": "=503", "=SECONDS": "=1", "=TYPE": "=text/plain"].first { name.contains($0.key) }?.value
      _ = try FaultOption.fault(word + (value ?? ""))
    }
    #expect(FaultOption.kinds.count == 15)
  }

  @Test(
    "what is no fault says why",
    arguments: [
      "", "explode", "latency", "latency=soon", "latency=-1", "latency=inf", "reset=3", "cut=-1", "slow=1", "slow=0,1",
      "content-type", "stray={", "reply", "reply=99", "reply=abc", "reset@", "reset:0", "reset:3-2", "reset:-",
      "reset:1-2-3",
    ])
  func noFault(text: String) throws {
    #expect(throws: FaultOption.Problem.self) { try FaultOption.fault(text) }
    let run = try Program.run(["simulate", "--fault", text], in: Folder())
    #expect(run.code == 64 && run.errors.contains("--fault"), "\(run.errors)")
  }

  @Test("simulate plays its faults, at start and from stdin")
  func played() throws {
    let folder = try Folder()
    let org = try Simulating([
      "--fault", "server-error@/api/v1/authn", "--fault", #"reply=418,{"errorCode":"E0000010"}@/api/v1/authn"#,
    ])
    func signIn() throws -> Run {
      try Program.run(
        ["sign-in", "--org", org.url, "--username", "ann@acme.example", "--store", folder("audit")],
        input: "Correct-horse-1\n", in: folder)
    }
    let codes = try (0..<3).map { _ in try signIn().code }
    #expect(codes == [1, 1, 0])
    try org.input.fileHandleForWriting.write(contentsOf: Data("fault html@/authn\n".utf8))
    var text = ""
    while !text.contains("waits for its request") {
      text += String(decoding: org.errors.fileHandleForReading.availableData, as: UTF8.self)
    }
    #expect(text.contains("An org of 3 users"))
    #expect(try signIn().code == 65)
    kill(org.process.processIdentifier, SIGTERM)
    org.process.waitUntilExit()
    let flows = try Program.run(["cat", "--store", folder("audit"), "--type", "response.received"], in: folder).lines
    #expect(try flows.map { try JSON(parsing: Array($0.utf8))["data"]?["status"]?.int } == [500, 418, 200, 200])
  }
}
