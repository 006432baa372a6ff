import Foundation
import Testing

/// Orgs that keep a client busy: polls, limits of rate, pages that lead in a circle.
@Suite struct PollTests {
  /// A page with a mail that is polled for.
  private static func polled(_ url: String, refresh: String) -> String {
    HostileOrg.page(
      url, "challenge-poll", "challenge/answer", #"{"name":"autoChallenge","value":true,"type":"boolean"}"#,
      form: #","refresh":\#(refresh)"#)
  }

  @Test("polls are half a second apart, whatever the org says", arguments: ["0", "-1", "0.0001", "-1e300", "1e-320"])
  func refresh(value: String) async throws {
    let answered = Locked<[ContinuousClock.Instant]>([])
    let early = Locked(0)
    let attack = Attack(
      name: "refresh \(value)", api: .idx,
      act: { moment in
        guard moment.step == .identify || moment.step == .answer else { return .honest }
        answered.withLock { instants in
          // From the answer to the next request: a machine under load makes this longer and never shorter.
          if let last = instants.last, last.duration(to: .now) < .milliseconds(500) { early.withLock { $0 += 1 } }
          instants.append(.now)
        }
        return .answer(Self.polled(moment.url, refresh: value))
      }, settings: ["requests=6"], requests: 6, says: "limitReached")
    try await attack.run()
    #expect(early.withLock { $0 } == 0)
  }

  @Test("a push that waits for ever ends at the limit of the flow")
  func push() async throws {
    let attack = Attack(
      name: "waits for ever", api: .authn,
      act: { $0.step == .authenticate ? .honest : .answer(HostileOrg.waiting($0.url)) }, settings: ["requests=4"],
      requests: 4, says: "limitReached")
    try await attack.run()
  }

  static let limits = ["0", "-1", "0.5", "1e18", "99999999999999999999", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"]

  @Test("a limit of rate that never ends does not keep the client busy", arguments: API.allCases, limits)
  func retryAfter(api: API, value: String) async throws {
    let step: Step = api == .authn ? .poll : .identify
    let attack = Attack(
      name: "Retry-After: \(value)", api: api,
      act: { moment in
        guard moment.step == step else { return .honest }
        // What is allowed to wait longer than a test does ends here.
        if moment.count > 1 { return .answer("{}", status: "400 Bad Request") }
        return .answer(
          #"{"errorCode":"E0000047","errorSummary":"slow"}"#, status: "429 Too Many Requests",
          headers: ["Retry-After: \(value)"])
      })
    try await attack.run()
  }

  @Test(
    "a transaction that ends in the past, never, or at a malformed time",
    arguments: [
      "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "-1", "292277026596-12-04T15:30:08Z", "",
    ])
  func expiry(end: String) async throws {
    for api in API.allCases {
      let attack = Attack(
        name: "expiresAt \(end)", api: api,
        act: { moment in
          .answer(
            moment.honest.replacing("2099-01-01T00:00:00.000Z", with: end),
            headers: ["Date: Fri, 31 Dec 9999 23:59:59 GMT"])
        })
      try await attack.run()
    }
  }

  @Test("the dialog gives up on pages that ask nothing, by either API", arguments: API.allCases)
  func circle(api: API) async throws {
    let org = try HostileOrg { moment in
      switch moment.step {
      case .introspect, .identify, .answer:
        .answer(
          HostileOrg.page(
            moment.url, "page-\(moment.count)", "identify", #"{"name":"go","value":"on","mutable":false}"#))
      case .select, .poll: .answer(HostileOrg.required(moment.url))
      default: .honest
      }
    }
    defer { org.server.stop() }
    let output = try await Aftermath.of("auditctl", code: 1, "a circle, \(api)") { store in
      [
        "sign-in", "--api", api.rawValue, "--org", org.server.url, "--username", "ann@hostile.example", "--store",
        store,
      ]
    }.output
    #expect(output.contains("given up: the org"), "\(output)")
    #expect(org.server.requests.count <= 25, "\(org.server.requests.count)")
  }
}
