// A challenge with one member changed, forged or handed in again is never shown as verified (spec/device.md §8, §12).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct ForgedChallengeTests {
  /// One change of a good challenge.
  private struct Change {
    var name: String
    var header: JSONObject
    var claims: JSONObject
  }

  @Test func `a change of any claim or any member of the header is found, whatever it is changed to`() async throws {
    try await withRig { rig in
      let good = try Self.good(rig, try await rig.enroll(ciba: true))
      let jws = try Self.parts(good)
      let changes = Self.changes(
        of: try #require(jws.header.object), claims: try #require(jws.claims.object))
      // Every member of both, one after the other, and each in several ways.
      #expect(jws.header.object?.members.count == 3 && (jws.claims.object?.members.count ?? 0) >= 19)
      #expect(changes.count > 250)
      for change in changes {
        let input = CompactJWS.signingInput(header: .object(change.header), claims: .object(change.claims))
        try await Self.expectRefused(input + "." + Base64URL.encode(jws.signature), change.name, rig)
      }
      #expect(rig.org.challenge(id: good.id)?.status == .pending)
      // The challenge itself is good all the same.
      let push = try rig.parse(good)
      try await push.resolve(onRemediation: Answers().handle)
      #expect(push.isVerified && rig.org.challenge(id: good.id)?.status == .approved)
    }
  }

  @Test func `what is explained of a changed challenge says of none that the org signed it`() async throws {
    let jws = try #require(CompactJWS(Vectors.challenge))
    let keys = try #require(try JSON(parsing: Array(Vectors.orgKeys.utf8))["keys"]?.array)
    let evidence = ChallengeJudgement.Evidence(
      keys: keys, orgURL: "https://org.example.test", at: Timestamp(microseconds: 1_700_000_010_000_000))
    #expect(await ChallengeJudgement(Array(Vectors.challenge.utf8), evidence).isSigned == true)
    let changes = Self.changes(of: try #require(jws.header.object), claims: try #require(jws.claims.object))
    #expect(changes.count > 250)
    for change in changes {
      let input = CompactJWS.signingInput(header: .object(change.header), claims: .object(change.claims))
      let text = input + "." + Base64URL.encode(jws.signature)
      #expect(await ChallengeJudgement(Array(text.utf8), evidence).isSigned != true, "\(change.name)")
    }
  }

  @Test func `a signature that is changed, cut, gone or of another challenge is none`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(ciba: true)
      let good = try Self.good(rig, enrollment)
      let jws = try Self.parts(good)
      let other = try Self.parts(try Self.good(rig, enrollment))
      var signatures: [[UInt8]] = [[], Array(jws.signature.dropLast()), jws.signature + [0], other.signature]
      signatures += [[0] + jws.signature, Array(repeating: 0, count: 256), Array(repeating: 255, count: 256)]
      for place in stride(from: 0, to: jws.signature.count, by: 17) {
        var changed = jws.signature
        changed[place] ^= 1
        signatures.append(changed)
      }
      for (number, signature) in signatures.enumerated() {
        try await Self.expectRefused(
          jws.signingInput + "." + Base64URL.encode(signature), "signature \(number)", rig)
      }
    }
  }

  @Test(arguments: ["none", "None", "HS256", "HS512", "ES256", "PS256", "RS384", "RS512"])
  func `another algorithm with the same signature, or with none, is none`(algorithm: String) async throws {
    try await withRig { rig in
      let good = try Self.good(rig, try await rig.enroll(ciba: true))
      let jws = try Self.parts(good)
      var header = try #require(jws.header.object)
      header["alg"] = .string(algorithm)
      let input = CompactJWS.signingInput(header: .object(header), claims: jws.claims)
      for signature in [jws.signature, []] {
        try await Self.expectRefused(input + "." + Base64URL.encode(signature), "alg \(algorithm)", rig)
      }
    }
  }

  @Test func `what another key signed is none, whatever it says`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll(ciba: true)
      for defect in [OrgChallengeDefect.otherKey, .unknownKey, .wrongSignature, .unsigned, .sharedSecret] {
        let forged = try rig.challenge(enrollment) { ($0.requirement, $0.defect) = (nil, defect) }
        try await Self.expectRefused(try #require(forged.token), "\(defect)", rig)
        #expect(rig.org.challenge(id: forged.id)?.status == .pending)
      }
    }
  }

  @Test func `a challenge that was answered and comes again is not verified again, here and after a restart`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll(ciba: true)
      let good = try Self.good(rig, enrollment)
      let push = try rig.parse(good)
      try await push.resolve(onRemediation: Answers().handle)
      #expect(push.isVerified)
      let restarted = try Rig(
        rig.org, recorder: rig.recorder, keys: rig.keys, storage: rig.storage, verifier: rig.verifier, seed: 8)
      for rig in [rig, restarted] {
        // The handle that was verified is still held.
        let again = try rig.parse(good)
        #expect(!again.isVerified)
        await Self.expectDuplicate(again)
        #expect(!again.isVerified)
        // By the org's own queue, and under another transaction's name.
        let replay = try rig.challenge(enrollment) { $0.defect = .replayed }
        await Self.expectDuplicate(try rig.parse(replay))
        #expect(rig.org.challenge(id: replay.id)?.status == .pending)
      }
      #expect(push.isVerified && rig.org.challenge(id: good.id)?.status == .approved)
    }
  }

  @Test func `a second delivery with other words shows those that are verified`() async throws {
    try await withRig { rig in
      let good = try Self.good(rig, try await rig.enroll(ciba: true))
      let jws = try Self.parts(good)
      var claims = try #require(jws.claims.object)
      claims["appInstanceName"] = "Another App"
      claims["challengeContext"] = ["transactionType": "CIBA", "bindingMessage": "Pay nothing"]
      let altered = CompactJWS.signingInput(header: jws.header, claims: .object(claims)) + ".AAAA"
      let push = try rig.parse(good)
      let seen = Locked<[String?]>([])
      try await push.resolve { step in
        guard let step = step as? RemediationStepUserConsent else { return }
        let second =
          try? rig.authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": altered])
        seen.withLock {
          $0 += [second?.appInstanceName, (second as? any CIBAChallengeProtocol)?.cibaBindingMessage]
        }
        step.provide(.approved)
      }
      #expect(seen.withLock { $0 } == [push.appInstanceName, "Pay 100%"])
    }
  }

  // MARK: Changes

  /// A challenge that has all that a challenge can have.
  private static func good(_ rig: Rig, _ enrollment: any AuthenticatorEnrollmentProtocol) throws -> OrgChallenge {
    try rig.challenge(enrollment) {
      ($0.requirement, $0.mediation) = (.discouraged, .required)
      ($0.transactionType, $0.bindingMessage) = (.ciba, "Pay 100%")
      $0.signals = ["displayName"]
      ($0.integrations, $0.signalProviders) = (["com.acme.one"], ["com.acme.two"])
    }
  }

  private static func parts(_ challenge: OrgChallenge) throws -> CompactJWS {
    let token = try #require(challenge.token)
    return try #require(CompactJWS(token))
  }

  private static func changes(of header: JSONObject, claims: JSONObject) -> [Change] {
    let inHeader = header.members.flatMap { member in
      variants(of: member.value).map { value -> Change in
        var changed = header
        changed[member.key] = value
        return Change(name: "header \(member.key): \(value?.text ?? "gone")", header: changed, claims: claims)
      }
    }
    let inClaims = paths(of: claims).flatMap { path in
      variants(of: value(at: path, in: claims)).map { value in
        Change(
          name: "\(path): \(value?.text ?? "gone")", header: header, claims: replacing(path, in: claims, by: value))
      }
    }
    let added = ["crit", "jwk", "jku", "x5u", "b64"].map { name -> Change in
      var changed = header
      changed[name] = name == "b64" ? false : ["x"]
      return Change(name: "header \(name) added", header: changed, claims: claims)
    }
    var more = claims
    more["userVerification"] = "NONE"
    more["kid"] = "another"
    return inHeader + inClaims + added + [Change(name: "claims added", header: header, claims: more)]
  }

  /// Every claim, and every member of the context.
  private static func paths(of claims: JSONObject) -> [[String]] {
    claims.members.flatMap { member -> [[String]] in
      [[member.key]] + (member.value.object?.members ?? []).map { [member.key, $0.key] }
    }
  }

  private static func value(at path: [String], in claims: JSONObject) -> JSON {
    path.dropFirst().reduce(claims[path[0]] ?? .null) { $0[$1] ?? .null }
  }

  private static func replacing(_ path: [String], in claims: JSONObject, by value: JSON?) -> JSONObject {
    var claims = claims
    if path.count == 1 {
      claims[path[0]] = value
    } else if var inner = claims[path[0]]?.object {
      inner[path[1]] = value
      claims[path[0]] = .object(inner)
    }
    return claims
  }

  /// What a value can be changed to: nothing, null, another type, and what is almost the same.
  private static func variants(of value: JSON) -> [JSON?] {
    let others: [JSON?] = [nil, .null, "", "x", 0, true, [], [:]]
    let near: [JSON?] =
      switch value {
      case .string(let text): [.string(text + "x"), .string(text.uppercased()), .string(text + " "), [value]]
      case .number: [.int((value.int ?? 0) + 1), .int((value.int ?? 0) - 1), .string(value.text)]
      case .array(let elements): [.array(elements + ["x"]), .array(Array(elements.dropFirst()))]
      case .object, .bool, .null: []
      }
    return (others + near).filter { $0 != value }
  }

  // MARK: What is expected

  private static func expectRefused(
    _ token: String, _ name: String, _ rig: Rig, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let posts = rig.org.requests.count { $0.method == "POST" }
    let flows = rig.recorder.streams.count
    do {
      let push = try rig.authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": token])
      #expect(!push.isVerified, "\(name)", sourceLocation: sourceLocation)
      let answers = Answers()
      await #expect(throws: DeviceAuthenticatorError.self, "\(name)", sourceLocation: sourceLocation) {
        try await push.resolve(onRemediation: answers.handle)
      }
      #expect(!push.isVerified && answers.steps == [], "\(name)", sourceLocation: sourceLocation)
    } catch {
      #expect(error is DeviceAuthenticatorError, "\(name)", sourceLocation: sourceLocation)
    }
    let events = Rig.events(rig.recorder.streams.dropFirst(flows).flatMap(rig.recorder.records))
    #expect(
      !events.contains("challenge.verified") && !events.contains("consent.requested"), "\(name)",
      sourceLocation: sourceLocation)
    #expect(
      events.contains("challenge.rejected") || events.contains("challenge.expired"), "\(name): \(events)",
      sourceLocation: sourceLocation)
    #expect(rig.org.requests.count { $0.method == "POST" } == posts, "\(name)", sourceLocation: sourceLocation)
  }

  private static func expectDuplicate(
    _ push: any PushChallengeProtocol, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let answers = Answers()
    await #expect(
      throws: DeviceAuthenticatorError.duplicateChallenge(transactionId: ""), sourceLocation: sourceLocation
    ) {
      try await push.resolve(onRemediation: answers.handle)
    }
    #expect(answers.steps == [], sourceLocation: sourceLocation)
  }
}
