import Dispatch
import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Testing

@testable import IDX

/// A flow against answers written down beforehand: for what no org does, and for what must not be sent.
struct IDXScript {
  static let issuer = "https://acme.example/oauth2/default"
  static let redirect = "com.example.app:/callback"
  static let interactionHandle = "interaction-handle-1"

  let transport: ScriptedTransport
  let recorder = MemoryRecorder()
  let time = VirtualTime(start: Timestamp("2026-01-15T09:00:00Z") ?? Timestamp(microseconds: 0))
  var environment: FlowEnvironment

  init(_ answers: [ScriptedTransport.Answer] = []) {
    transport = ScriptedTransport(answers)
    environment = FlowEnvironment(
      recorder: recorder, transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time,
      device: FixedDevice(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()),
      userAgent: "FlowRecorder/0.1.0 Linux/6 Device/x86_64", callbackQueue: DispatchQueue(label: "script"))
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
  }

  /// Answers of success, after that of interact.
  init(_ bodies: JSON...) {
    self.init(
      [IDXScript.answer(["interaction_handle": .string(Self.interactionHandle)])] + bodies.map { IDXScript.answer($0) })
  }

  /// An answer with this body to whatever comes next.
  static func answer(
    _ body: JSON, status: Int = 200, headers: [HTTPField] = [], hold: ScriptedTransport.Hold? = nil
  ) -> ScriptedTransport.Answer {
    .respond(with: HTTPResponse(status: status, headers: headers, body: body.bytes), hold: hold)
  }

  func add(_ body: JSON, status: Int = 200, headers: [HTTPField] = [], hold: ScriptedTransport.Hold? = nil) {
    transport.add(Self.answer(body, status: status, headers: headers, hold: hold))
  }

  func fail(_ code: TransportError.Code) { transport.add(.fail(with: TransportError(code, "The network is away."))) }

  func flow(issuer: String = IDXScript.issuer, origins: [String]? = nil) -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: URL(string: issuer) ?? URL(fileURLWithPath: "/"), clientId: "0oa1client", scopes: "openid profile",
      redirectUri: URL(string: Self.redirect) ?? URL(fileURLWithPath: "/"), allowedOrigins: origins,
      environment: environment)
  }

  /// The last request's body.
  var lastBody: JSON { get throws { try JSON(parsing: transport.requests.last?.body ?? []) } }

  /// The members of a request's form.
  static func form(_ request: HTTPRequest?) -> [String: String] {
    let text = String(decoding: request?.body ?? [], as: UTF8.self)
    return Dictionary(
      text.split(separator: "&").compactMap { pair -> (String, String)? in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1].removingPercentEncoding ?? "") : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Expects the log to fold to the live state, and to replay.
  func expectWhole(
    _ flow: InteractionCodeFlow, _ name: String = "script", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let records = await recordsAtRest(of: flow, in: recorder, name, sourceLocation: sourceLocation)
    for event in records.map(\.event) {
      #expect(
        try FlowEvent(type: event.type, version: event.version, data: event.data) == event,
        sourceLocation: sourceLocation)
    }
    let recording = Recording(name: name, flows: [RecordedFlow(stream: flow.flowID, records: records)])
    for divergence in try Replay.replay(recording) {
      Issue.record("\(divergence.message)", sourceLocation: sourceLocation)
    }
  }

  /// Makes timers fire until cancelled.
  func firing(_ milliseconds: Int = 5000) -> Task<Void, Never> {
    Task { [time] in while await time.waitForTimers() { time.advance(milliseconds: milliseconds) } }
  }

  /// The events of a flow of one type.
  func events(of flow: InteractionCodeFlow) -> [FlowEvent] { recorder.records(of: flow.flowID).map(\.event) }
}

/// The error of an operation that must fail.
func idxFailure<Result>(
  isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
) async throws -> InteractionCodeFlowError {
  do { _ = try await operation() } catch let error as InteractionCodeFlowError { return error }
  throw ShouldHaveFailed()
}

struct ShouldHaveFailed: Error {}

/// Response objects as the wire specification shows them.
enum ION {
  static let stateHandle = "02.state.handle-1"

  static func field(_ name: String?, _ more: [(String, JSON?)] = []) -> JSON {
    .members([("name", name.map(JSON.string))] + more)
  }

  static let handle = field(
    "stateHandle", [("required", true), ("value", .string(stateHandle)), ("visible", false), ("mutable", false)])

  static func form(
    _ name: String, _ path: String? = nil, _ fields: [JSON] = [], _ more: [(String, JSON?)] = []
  ) -> JSON {
    .members(
      [
        ("rel", ["create-form"]), ("name", .string(name)),
        ("href", .string("https://acme.example/idp/idx/\(path ?? name)")), ("method", "POST"),
        ("accepts", "application/json; okta-version=1.0.0"), ("value", .array(fields + [handle])),
      ] + more)
  }

  static func passcode(_ name: String = "passcode") -> JSON {
    field(
      "credentials",
      [
        ("type", "object"), ("required", true),
        ("form", ["value": [field(name, [("label", "Code"), ("secret", true), ("required", true)])]]),
      ])
  }

  static func response(_ forms: [JSON], _ more: [(String, JSON?)] = []) -> JSON {
    .members(
      [
        ("version", "1.0.0"), ("stateHandle", .string(stateHandle)), ("expiresAt", "2026-01-15T10:00:00.000Z"),
        ("intent", "LOGIN"), ("remediation", ["type": "array", "value": .array(forms)]),
        ("cancel", form("cancel")),
      ] + more)
  }

  static let identify = response([
    form(
      "identify", nil,
      [field("identifier", [("label", "Username"), ("required", true)]), field("rememberMe", [("type", "boolean")])])
  ])

  static let challenge = response([form("challenge-authenticator", "challenge/answer", [passcode()])])

  static func success(clientID: String = "0oa1client", code: String = "interaction-code-1") -> JSON {
    response(
      [],
      [
        (
          "successWithInteractionCode",
          [
            "rel": ["create-form"], "name": "issue", "href": "https://acme.example/oauth2/default/v1/token",
            "method": "POST", "accepts": "application/x-www-form-urlencoded",
            "value": [
              ["name": "grant_type", "required": true, "value": "interaction_code"],
              ["name": "interaction_code", "required": true, "value": .string(code)],
              ["name": "client_id", "required": true, "value": .string(clientID)],
              ["name": "client_secret", "required": true], ["name": "code_verifier", "required": true],
            ],
          ]
        )
      ])
  }

  static let token: JSON = [
    "token_type": "Bearer", "expires_in": 3600, "access_token": "access-token-1", "scope": "openid profile",
    "id_token": .string(ScriptedIDToken.good), "refresh_token": "refresh-token-1",
  ]

  /// A response in which an authenticator is polled.
  static func polled(kind: String = "email", refresh: Int? = 4000, handle: String = "poll-1") -> JSON {
    let poll = form("poll", "challenge/poll", [], [("refresh", refresh.map(JSON.int))])
    return response(
      [form("challenge-authenticator", "challenge/answer", [passcode()], [("relatesTo", ["$.currentAuthenticator"])])],
      [
        (
          "currentAuthenticator",
          [
            "type": "object",
            "value": [
              "type": .string(kind), "id": "aut1", "key": "okta_email", "displayName": "Email", "poll": poll,
              "methods": [["type": "email"]],
            ],
          ]
        )
      ])
  }
}
