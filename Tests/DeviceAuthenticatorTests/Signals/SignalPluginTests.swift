// Signals from elsewhere: what an application's plug-ins answer to a challenge that asks for them (spec/device.md §10.2).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Glibc
import SimulatedOrg
import Testing

@Suite struct SignalPluginTests {
  private let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  /// A plug-in that says or throws something, or waits until its task is cancelled.
  private struct Scripted: SignalPlugin {
    var name: String
    var says: Result<String, SignalError>?
    let asked = Locked(0)

    func collect() async throws(SignalError) -> [UInt8] {
      asked.withLock { $0 += 1 }
      guard let says else {
        while !Task.isCancelled { await Task.yield() }
        throw SignalError("given up")
      }
      return Array(try says.get().utf8)
    }
  }

  private func claims(
    _ plugins: [any SignalPlugin], integrations: [String] = [], providers: [String] = [],
    _ look: (Rig) throws -> Void = { _ in }
  ) async throws -> OrgJSON {
    var found: OrgJSON = .null
    try await withRig(configure: { $0.signalPlugins(plugins) }) { rig in
      let challenge = try rig.challenge(try await rig.enroll()) {
        $0.requirement = nil
        ($0.integrations, $0.signalProviders) = (integrations, providers)
      }
      try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
      #expect(rig.org.challenge(id: challenge.id)?.status == .approved)
      found = rig.org.challenge(id: challenge.id)?.answer?.claims ?? .null
      try look(rig)
    }
    return found
  }

  private func decoded(_ text: OrgJSON?) -> String? {
    guard case .string(let base64)? = text else { return nil }
    return Data(base64Encoded: base64).map { String(decoding: $0, as: UTF8.self) }
  }

  private func elements(_ list: OrgJSON?) -> [OrgJSON] {
    if case .array(let elements)? = list { elements } else { [] }
  }

  @Test func `what plug-ins say goes to the org and stands in no log; who does not answer is an error there`()
    async throws
  {
    let (canary, reason) = ("canary-posture-7712", "canary-reason-9921")
    let path = folder.file("agent.json")
    try Data(#"{"agent":"\#(canary)-file"}"#.utf8).write(to: URL(fileURLWithPath: path))
    let posture = Scripted(name: "com.acme.posture", says: .success(#"{"score":"\#(canary)"}"#))
    let broken = Scripted(name: "com.acme.broken", says: .failure(SignalError(reason, code: 7)))
    let unasked = Scripted(name: "com.acme.unasked", says: .success("{}"))
    let claims = try await claims(
      [posture, broken, unasked, SignalFile(name: "com.acme.agent", path: path)],
      integrations: ["com.acme.posture", "com.acme.broken", "com.acme.nobody"],
      providers: ["com.acme.agent", "com.acme.posture"]
    ) { rig in
      #expect(!rig.log.contains(canary) && !rig.log.contains(reason))
      #expect(!rig.log.contains(Data("{\"score\":\"\(canary)\"}".utf8).base64EncodedString()))
      let collected = Rig.data("signals.collected", in: rig.lastFlow)
      #expect(collected?["failed"] == ["com.acme.broken", "com.acme.nobody"])
      #expect(
        collected?["providers"] == ["com.acme.posture", "com.acme.broken", "com.acme.nobody", "com.acme.agent"])
    }
    let (integrations, providers) = (elements(claims["integrations"]), elements(claims["signalProviders"]))
    #expect(integrations.count == 3 && providers.count == 2)
    #expect(decoded(integrations[0]["signal"]) == #"{"score":"\#(canary)"}"#)
    #expect(integrations[0]["configuration"] == ["format": "JSON", "type": "DEFAULT"])
    #expect(integrations[0]["timeCollected"] != nil && integrations[0]["error"] == nil)
    #expect(decoded(integrations[1]["error"]) == reason && integrations[1]["errorCode"] == 7)
    #expect(integrations[1]["signal"] == nil)
    #expect(integrations[2] == ["error": "no such provider", "name": "com.acme.nobody"])
    #expect(decoded(providers[0]["signal"])?.contains(canary) == true)
    #expect(providers[0]["configuration"] == ["format": "JSON", "type": "FILE"])
    #expect(providers[1]["signal"] == integrations[0]["signal"])
    // Asked once, though two lists name it; and never without being named.
    #expect(posture.asked.withLock { $0 } == 1 && unasked.asked.withLock { $0 } == 0)
  }

  @Test func `a file is read if it is one, whole, and of a mebibyte at most`() async throws {
    func read(_ path: String) async -> String {
      do throws(SignalError) { return "\(try await SignalFile(name: "n", path: path).collect().count)" } catch {
        return error.text
      }
    }
    let path = folder.file("signal")
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(await read(path) == "0")
    try Data(repeating: 0x20, count: SignalFile.limit).write(to: URL(fileURLWithPath: path))
    #expect(await read(path) == "1048576")
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    for path in [folder.file("none"), folder.file("pipe"), folder.file(""), "/dev/zero"] {
      #expect(await read(path) == "the file cannot be read", "\(path)")
    }
  }

  @Test func `a signal that is too large or no JSON is an error of the plug-in`() async throws {
    let large = folder.file("large")
    try Data("[\"\(String(repeating: "x", count: SignalFile.limit))\"]".utf8).write(to: URL(fileURLWithPath: large))
    let claims = try await claims(
      [SignalFile(name: "large", path: large), Scripted(name: "text", says: .success("not JSON"))],
      integrations: ["large", "text"])
    let errors = elements(claims["integrations"]).map { decoded($0["error"]) }
    #expect(errors == ["the signal is larger than 1 MiB", "the signal is not JSON"])
  }

  @Test func `a plug-in that never answers lets the challenge run out, and is cancelled then`() async throws {
    let slow = Scripted(name: "com.acme.slow", says: nil)
    try await withRig(configure: { $0.signalPlugins([slow]) }) { rig in
      let challenge = try rig.challenge(try await rig.enroll()) {
        ($0.requirement, $0.integrations) = (nil, ["com.acme.slow"])
      }
      let push = try rig.parse(challenge)
      let (ended, continuation) = AsyncStream<DeviceAuthenticatorError?>.makeStream()
      push.resolve(onRemediation: Answers().handle, onCompletion: { continuation.yield($0) })
      while slow.asked.withLock({ $0 }) == 0 { await Task.yield() }
      rig.time.advance(milliseconds: 700_000)
      for await error in ended {
        #expect(error?.isSame(as: .securityError(.jwtError("push challenge expired"))) == true)
        break
      }
      #expect(rig.org.challenge(id: challenge.id)?.answer == nil)
      // What it says at last is recorded, and changes nothing.
      while rig.lastFlow.last?.event.type != "draw.made" { await Task.yield() }
      #expect(Rig.data("challenge.expired", in: rig.lastFlow)?["stage"] == "collecting")
    }
  }
}
