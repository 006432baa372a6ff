import Dispatch
import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import Testing

@testable import Authn

/// A flow against answers written down beforehand: for what no real org does, and for what must not be sent.
struct Script {
  static let org = "https://acme.example"
  static let factorURL = "\(org)/api/v1/authn/factors"

  let transport: ScriptedTransport
  let recorder = MemoryRecorder()
  let time = VirtualTime(start: Stage.start)
  var environment: FlowEnvironment

  init(_ answers: [ScriptedTransport.Answer] = []) {
    transport = ScriptedTransport(answers)
    environment = FlowEnvironment(
      recorder: recorder, transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time,
      userAgent: "FlowRecorder/0.1.0 Linux/6 Device/x86_64", callbackQueue: DispatchQueue(label: "script"))
  }

  init(_ bodies: JSON...) { self.init(bodies.map { Script.answer($0) }) }

  /// An answer with this body to whatever comes next.
  static func answer(_ body: JSON, status: Int = 200, hold: ScriptedTransport.Hold? = nil) -> ScriptedTransport.Answer {
    .respond(with: HTTPResponse(status: status, body: body.bytes), hold: hold)
  }

  func begin(
    handler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler(), origins: [String]? = nil,
    org: String = Script.org
  ) -> OktaAuthStatusUnauthenticated {
    OktaAuthStatusUnauthenticated(
      oktaDomain: URL(string: org) ?? URL(fileURLWithPath: "/"), responseHandler: handler, allowedOrigins: origins,
      environment: environment)
  }

  /// The status that a sign-in comes to with the next answer.
  func status<Status: OktaAuthStatus>(
    _ type: Status.Type = Status.self, handler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler(),
    origins: [String]? = nil
  ) async throws -> Status {
    let status = try await begin(handler: handler, origins: origins).authenticate(username: "ann", password: "Horse-7")
    return try #require(status as? Status)
  }

  /// The last request's body.
  var lastBody: JSON { get throws { try JSON(parsing: transport.requests.last?.body ?? []) } }

  /// Expects the log to fold to the live state, and to replay.
  func expectWhole(
    _ object: OktaAuthStatus, _ name: String = "script", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let records = try #require(
      await recordsAtRest(of: object.object.session.flow, in: recorder), "\(name) does not fold",
      sourceLocation: sourceLocation)
    for event in records.map(\.event) {
      #expect(
        try FlowEvent(type: event.type, version: event.version, data: event.data) == event,
        sourceLocation: sourceLocation)
    }
    try expectReplays(recorder, name, sourceLocation: sourceLocation)
  }

  /// The lengths of the timers that a flow set, in their order.
  func waits(of status: OktaAuthStatus) -> [Int] {
    recorder.records(of: status.flowID).compactMap { record in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
  }

  /// Makes timers fire until cancelled.
  func firing(_ milliseconds: Int = 5000) -> Task<Void, Never> {
    Task { [time] in while await time.waitForTimers() { time.advance(milliseconds: milliseconds) } }
  }
}

/// The error of an operation that must fail.
func failure<Result: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ operation: () async throws(OktaError) -> Result
) async throws -> OktaError {
  do throws(OktaError) { _ = try await operation() } catch { return error }
  throw ShouldHaveFailed()
}

struct ShouldHaveFailed: Error {}

/// Transaction objects as the wire specification shows them.
enum Wire {
  static func link(_ path: String, name: String? = nil, allow: String = "POST") -> JSON {
    .members([
      ("href", .string(path.hasPrefix("http") ? path : Script.org + "/api/v1/authn" + path)),
      ("name", name.map(JSON.string)), ("hints", ["allow": [.string(allow)]]),
    ])
  }

  static func transaction(
    _ status: String, token: String? = "state-token-1", embedded: [(String, JSON?)] = [], links: [(String, JSON?)] = [],
    _ more: [(String, JSON?)] = []
  ) -> JSON {
    .members(
      [
        ("stateToken", token.map(JSON.string)), ("status", .string(status)), ("_embedded", .members(embedded)),
        ("_links", .members(links)),
      ] + more)
  }

  static let cancel = link("/cancel")
  static let success: JSON = ["status": "SUCCESS", "sessionToken": "session-token-1"]

  static func factor(
    _ type: String, provider: String = "OKTA", links: [(String, JSON?)], _ more: [(String, JSON?)] = []
  )
    -> JSON
  {
    .members(
      [("id", "fct1"), ("factorType", .string(type)), ("provider", .string(provider)), ("_links", .members(links))]
        + more)
  }

  static func required(_ factors: JSON...) -> JSON {
    transaction("MFA_REQUIRED", embedded: [("factors", .array(factors))], links: [("cancel", cancel)])
  }

  /// A push that is waited for.
  static func waiting(token: String = "state-token-1", _ more: [(String, JSON?)] = []) -> JSON {
    transaction(
      "MFA_CHALLENGE", token: token, embedded: [("factor", factor("push", links: []))],
      links: [
        ("next", link("/factors/fct1/verify", name: "poll")), ("prev", link("/previous")), ("cancel", cancel),
        ("resend", [link("/factors/fct1/verify/resend", name: "push")]),
      ], [("factorResult", "WAITING")] + more)
  }

  /// A push that is being set up, and waited for.
  static let activating = transaction(
    "MFA_ENROLL_ACTIVATE",
    embedded: [
      (
        "factor",
        factor(
          "push", links: [],
          [
            (
              "_embedded",
              [
                "activation": [
                  "_links": ["send": [link("/send/email", name: "email"), link("/send/sms", name: "sms")]]
                ]
              ]
            )
          ])
      )
    ], links: [("next", link("/factors/fct1/lifecycle/activate/poll", name: "poll")), ("cancel", cancel)],
    [("factorResult", "WAITING")])
}
