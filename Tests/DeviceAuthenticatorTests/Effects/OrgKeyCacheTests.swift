// The keys of orgs for a while (spec/device.md §8.5).

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct OrgKeyCacheTests {
  private static func fetches(_ rig: Rig, since: Int) -> Int {
    rig.org.requests.dropFirst(since).count { $0.target.hasSuffix("/keys") }
  }

  @Test func `a key is good for an hour, and is fetched again then`() async throws {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      func fetches() async throws -> Int {
        let before = rig.org.requests.count
        let challenge = try rig.challenge(enrollment) { ($0.requirement, $0.lifetime) = (nil, 86_400) }
        try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
        return Self.fetches(rig, since: before)
      }
      #expect(try await fetches() == 1)
      #expect(try await fetches() == 0)
      rig.time.advance(milliseconds: 3_600_000)
      rig.org.advanceClock(by: 3_600)
      #expect(try await fetches() == 0)
      rig.time.advance(milliseconds: 1)
      #expect(try await fetches() == 1)
    }
  }

  @Test func `an unknown key is looked for once in half a minute, and a failed fetch is tried again at once`()
    async throws
  {
    try await withRig { rig in
      let enrollment = try await rig.enroll()
      func fetches() async throws -> Int {
        let before = rig.org.requests.count
        let challenge = try rig.challenge(enrollment) { ($0.requirement, $0.defect) = (nil, .unknownKey) }
        await #expect(throws: DeviceAuthenticatorError.securityError(.jwtError(""))) {
          try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
        }
        return Self.fetches(rig, since: before)
      }
      rig.org.inject(Fault(.serverError, path: "/keys"))
      #expect(try await fetches() == 1)
      #expect(try await fetches() == 1)
      #expect(try await fetches() == 0)
      rig.time.advance(milliseconds: 29_999)
      #expect(try await fetches() == 0)
      rig.time.advance(milliseconds: 1)
      #expect(try await fetches() == 1)
    }
  }
}
