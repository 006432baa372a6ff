// Complete sign-ins with canned answers, for the kind's tables: what an application sees at each step, what delegates
// receive, and what is sent, with each answer corrupted in turn.

import EventStore
import FlowRecording
import Foundation
import OIDC

/// Sign-ins of an application, from beginning to end.
enum FlowTrials {
  static let base = "https://acme.example"

  // MARK: Answers of the org

  private static func page(_ name: String, _ fields: String, more: String = "") -> JSON {
    let text = """
      {"version":"1.0.0","stateHandle":"02handle","expiresAt":"2026-01-15T09:05:00.000Z","intent":"LOGIN",\(more)
       "remediation":{"type":"array","value":[
        {"rel":["create-form"],"name":"\(name)","href":"\(base)/idp/idx/\(name)","method":"POST",
         "accepts":"application/json; okta-version=1.0.0","value":[\(fields)
         {"name":"stateHandle","required":true,"value":"02handle","visible":false,"mutable":false}]}]},
       "cancel":{"rel":["create-form"],"name":"cancel","href":"\(base)/idp/idx/cancel","method":"POST",
         "value":[{"name":"stateHandle","required":true,"value":"02handle","visible":false,"mutable":false}]}}
      """
    return (try? JSON(parsing: Array(text.utf8))) ?? .null
  }

  static let identify = page(
    "identify", #"{"name":"identifier","label":"Username","required":true},{"name":"rememberMe","type":"boolean"},"#)
  private static let challenge = page(
    "challenge-authenticator",
    #"{"name":"credentials","type":"object","form":{"value":[{"name":"passcode","label":"Password","secret":true}]},"required":true},"#,
    more: #""user":{"type":"object","value":{"id":"00u1","identifier":"ann@acme.example"}},"#)
  static let success: JSON = {
    let text = """
      {"version":"1.0.0","stateHandle":"02handle","successWithInteractionCode":{"rel":["create-form"],"name":"issue",
       "href":"\(base)/oauth2/default/v1/token","method":"POST","accepts":"application/x-www-form-urlencoded","value":[
        {"name":"grant_type","required":true,"value":"interaction_code"},
        {"name":"interaction_code","required":true,"value":"code-1"},{"name":"client_id","required":true,"value":"client-1"},
        {"name":"client_secret","required":true},{"name":"code_verifier","required":true}]}}
      """
    return (try? JSON(parsing: Array(text.utf8))) ?? .null
  }()
  static let token: JSON = [
    "token_type": "Bearer", "expires_in": 3_600, "access_token": "access-1", "scope": "email",
    "refresh_token": "refresh-1",
  ]

  static let metadata: JSON = [
    "issuer": .string("\(base)/oauth2/default"), "token_endpoint": .string("\(base)/oauth2/default/v1/token"),
    "jwks_uri": .string("\(base)/oauth2/default/v1/keys"),
  ]

  /// The answers for a sign-in, in order.
  static let answers: [HTTPResponse] = [
    ["interaction_handle": "handle-1"], identify, challenge, success, token,
  ].map { answer($0) }

  static func answer(_ json: JSON, _ status: Int = 200, _ headers: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", "application/ion+json; okta-version=1.0.0")] + headers,
      body: json.bytes)
  }

  // MARK: The stage

  /// A flow with its environment, and what was observed.
  final class Stage: Sendable {
    let flow: InteractionCodeFlow
    private let stage: FlowStage

    init(
      _ answers: [Result<HTTPResponse, TransportError>], recorder: (any Recorder)? = nil,
      _ make: (FlowEnvironment) -> InteractionCodeFlow = { environment in
        InteractionCodeFlow(
          issuer: "\(base)/oauth2/default", clientId: "client-1", scopes: ["email"], redirectUri: "com.acme:/callback",
          environment: environment)
      }
    ) {
      stage = FlowStage(answers, recorder: recorder) { environment in
        environment[KeyCacheSeam.self] = KeyCache()
        environment[MetadataCacheSeam.self] = MetadataCache()
      }
      flow = make(stage.environment)
    }

    /// How its flows began.
    var beginnings: [String] { stage.beginnings }

    func say(_ line: String) { stage.say(line) }

    func run(_ body: @escaping @Sendable (Stage) async -> Void) -> String { stage.run { await body(self) } }
  }

  final class Listener: InteractionCodeFlowDelegate, Sendable {
    let name: String
    let stage: Stage

    init(_ name: String, _ stage: Stage) { (self.name, self.stage) = (name, stage) }

    func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow {
      stage.say("\(name) started \(FlowTrials.text(stage.flow.options)) \(stage.flow.isAuthenticating)")
    }
    func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow { stage.say("\(name) finished") }
    func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
      stage.say("\(name) \(FlowTrials.text(response))")
    }
    func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
      stage.say("\(name) token \(token.accessToken)")
    }
    func authentication<Flow>(flow: Flow, received error: InteractionCodeFlowError) where Flow: InteractionCodeFlow {
      stage.say("\(name) error \(error.recordedCode)")
    }
    func authentication<Flow>(flow: Flow, received error: OAuth2Error) where Flow: InteractionCodeFlow {
      stage.say("\(name) OAuth")
    }
    func authentication<Flow>(flow: Flow, retriesAfter seconds: Int) where Flow: InteractionCodeFlow {
      stage.say("\(name) retries after \(seconds)")
    }
  }

  static func text(_ response: Response) -> String {
    "\(response.remediations.map(\.name)) \(response.messages.map { $0.message }) \(response.isLoginSuccessful) "
      + "\(response.canCancel) \(response.isTerminal) \(response.user?.username ?? "-") \(response.intent)"
  }

  static func text(_ options: [InteractionCodeFlow.Option: Any]?) -> String {
    guard let options else { return "none" }
    return options.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: ",")
  }

  static func text(_ error: any Error) -> String {
    guard let error = error as? InteractionCodeFlowError else {
      return error is CancellationError ? "given up" : "another error"
    }
    return "\(error.recordedCode) \(error.errorDescription ?? "-")"
  }

  // MARK: What applications do

  static func signIn(_ stage: Stage, _ options: [InteractionCodeFlow.Option: any Sendable] = [:]) async {
    let flow = stage.flow
    do {
      var response = try await flow.start(options: options)
      stage.say("\(text(response)) \(text(flow.options)) \(flow.isAuthenticating)")
      if let form = response.remediations[.identify] {
        form["identifier"]?.value = "ann@acme.example"
        form["rememberMe"]?.value = true
        response = try await form.proceed()
        stage.say(text(response))
      }
      if let form = response.remediations[.challengeAuthenticator] {
        form["credentials.passcode"]?.value = "Correct-Horse-7"
        response = try await form.proceed()
        stage.say(text(response))
      }
      let token = try await response.exchangeCode()
      stage.say(
        "\(token.accessToken) \(token.tokenType) \(token.expiresIn ?? -1) \(token.refreshToken ?? "-") \(token.scope ?? "-")"
      )
    } catch {
      stage.say(text(error))
    }
    stage.say("\(text(flow.options)) \(flow.isAuthenticating) \(flow.context == nil)")
  }

  /// Sign-ins with one corrupted answer: one line for each position and each kind of corruption.
  private static var spoiled: [String] {
    let error: JSON = [
      "version": "1.0.0",
      "messages": [
        "type": "array", "value": [["message": "No.", "i18n": ["key": "errors.E0000004"], "class": "ERROR"]],
      ],
    ]
    let faults: [(String, [Result<HTTPResponse, TransportError>])] =
      [
        ("400", [.success(answer(error, 400))]), ("401", [.success(answer(error, 401))]),
        ("403", [.success(answer([:], 403))]),
        ("oauth", [.success(answer(["error": "access_denied", "error_description": "No."], 400))]),
        (
          "api",
          [.success(answer(["errorCode": "E0000004", "errorSummary": "Authentication failed", "errorId": "id"], 401))]
        ),
        ("500", [.success(HTTPResponse(status: 500, body: Array("<html>".utf8)))]),
        ("empty", [.success(HTTPResponse(status: 200))]),
        ("list", [.success(answer([1]))]),
        ("redirect", [.success(answer([:], 302, [HTTPField("Location", "https://b.example/")]))]),
        ("limited", [.success(answer([:], 429, [HTTPField("Retry-After", "7")]))]),
        (
          "cookie",
          [.success(answer([:], 429, [HTTPField("Set-Cookie", "sid=1; Path=/"), HTTPField("Retry-After", "61")]))]
        ),
      ] + TransportError.Code.allCases.map { code in ("\(code.rawValue)", [.failure(TransportError(code, "why"))]) }
    return answers.indices.flatMap { place in
      faults.map { name, fault in
        let retried = fault.first.map { first -> Bool in
          if case .success(let response) = first { response.status == 429 } else { false }
        }
        var given = answers.map { Result<HTTPResponse, TransportError>.success($0) }
        given.replaceSubrange(place..<(retried == true ? place : place + 1), with: fault)
        return "\(place) \(name) | " + Stage(given).run { await signIn($0) }
      }
    }
  }

  /// Starts with each option, twice, and restarted.
  private static var started: [String] {
    let options: [[InteractionCodeFlow.Option: any Sendable]] = [
      [.state: "state-1"], [.recoveryToken: "recovery"], [.activationToken: "activation"], [.omitDeviceToken: true],
      [.maxAge: 60], [.acrValues: "urn:a urn:b"], [.nonce: "nonce-1"], [.maxAge: "x"],
    ]
    let given = answers.map { Result<HTTPResponse, TransportError>.success($0) }
    let alone = options.map { option in
      "\(text(option)) | "
        + Stage(given + given).run { stage in
          await signIn(stage, option)
          await signIn(stage)
        }
    }
    let twice = Stage([given[0], given[0], given[1], given[1]]).run { stage in
      stage.flow.start(options: [.state: "first"]) { stage.say("first \((try? $0.get()).map(text) ?? "none")") }
      stage.flow.start(options: [.state: "second"]) { stage.say("second \((try? $0.get()).map(text) ?? "none")") }
      stage.say(text(stage.flow.options))
    }
    let left = Stage(given).run { stage in
      _ = try? await stage.flow.start(options: [.state: "first", .maxAge: 5])
      let context = stage.flow.context
      stage.flow.reset()
      stage.say("\(text(stage.flow.options)) \(stage.flow.isAuthenticating) \(stage.flow.context == nil)")
      stage.flow.context = context
      stage.say("\(text(stage.flow.options)) \(stage.flow.context?.state ?? "-") \(stage.flow.isAuthenticating)")
      do {
        stage.say(text(try await stage.flow.resume()))
      } catch {
        stage.say(text(error))
      }
    }
    let none = Stage(given).run { stage in
      do {
        _ = try await stage.flow.resume()
      } catch {
        stage.say(text(error))
      }
    }
    return alone + ["twice | \(twice)", "left | \(left)", "none | \(none)"]
  }

  /// What delegates receive if they are added twice, removed, or deallocated.
  private static var heard: [String] {
    let given = answers.map { Result<HTTPResponse, TransportError>.success($0) }
    let listened = Stage(given + [.failure(TransportError(.timedOut, "late"))]).run { stage in
      let (one, two) = (Listener("one", stage), Listener("two", stage))
      stage.flow.add(delegate: one)
      stage.flow.add(delegate: one)
      stage.flow.add(delegate: two)
      do {
        let gone = Listener("gone", stage)
        stage.flow.add(delegate: gone)
      }
      await signIn(stage)
      stage.flow.remove(delegate: one)
      await signIn(stage)
      withExtendedLifetime((one, two)) {}
    }
    let cancelled = Stage(Array(given[0...1]) + [given[1]]).run { stage in
      let one = Listener("one", stage)
      stage.flow.add(delegate: one)
      if let response = try? await stage.flow.start() {
        do {
          stage.say(text(try await response.cancel()))
        } catch {
          stage.say(text(error))
        }
      }
      stage.say("\(text(stage.flow.options)) \(stage.flow.isAuthenticating)")
      withExtendedLifetime(one) {}
    }
    // One start that interrupts another, and one whose first response fails.
    let anew = Stage(Array(given[0...1]) + [given[0], .success(answer([:], 403)), given[1]]).run { stage in
      let one = Listener("one", stage)
      stage.flow.add(delegate: one)
      _ = try? await stage.flow.start(options: [.state: "first"])
      _ = try? await stage.flow.start(options: [.state: "second"])
      stage.say("\(text(stage.flow.options)) \(stage.flow.isAuthenticating)")
      _ = try? await stage.flow.resume()
      withExtendedLifetime(one) {}
    }
    return ["listened | \(listened)", "cancelled | \(cancelled)", "anew | \(anew)"]
  }

  /// URLs that a browser is redirected to.
  private static var redirected: [String] {
    let given = answers.map { Result<HTTPResponse, TransportError>.success($0) }
    let queries = [
      "interaction_code=code-1&state=first", "interaction_code=code-1&state=other", "interaction_code=code-1",
      "error=interaction_required&error_description=more&state=first", "error=access_denied&state=first", "",
      "code=c&state=first",
    ]
    return queries.flatMap { query in
      ["com.acme:/callback", "com.acme:/other", "https://acme.example/callback"].compactMap { place -> String? in
        guard let url = URL(string: "\(place)?\(query)") else { return nil }
        return "\(place) \(query) | "
          + Stage([given[0], given[1], .success(answer(metadata)), given[4]]).run { stage in
            stage.say("\(stage.flow.redirectResult(for: url))")
            _ = try? await stage.flow.start(options: [.state: "first"])
            stage.say("\(stage.flow.redirectResult(for: url))")
            do {
              stage.say(try await stage.flow.exchangeCode(redirect: url).accessToken)
            } catch {
              stage.say(text(error))
            }
          }
      }
    }
  }

  /// The bytes of security keys.
  private static var bytes: [String] {
    let texts =
      (0...9).map { String(repeating: "A", count: $0) }
      + (0..<128).map { "AB" + String(UnicodeScalar(UInt8($0))) + "D" }
      + ["-_-_", "--__", "_w", "_w==", "-w", "a b"]
    return texts.map { "\($0) \(WebAuthnData.bytes($0)?.map { $0 } ?? [])" }
  }

  /// ID token checks that end in different ways, and where the next exchange continues.
  private static var rested: [String] {
    let ends: [(String, Result<JSON, DrawFailure>?)] = [
      ("no verdict", nil), ("a failure", Result.failure(DrawFailure(.failed, "why"))),
      ("claims", Result.success(["claims": ["iss": .string(base)]])),
    ]
    return ends.map { name, end in
      var check = IDTokenCheckUp(["id_token": "identity-1"], of: .response(5), call: 7)
      check.take(DrawMade(kind: .oidcKnown, ordinal: 0, result: .success(["document": metadata])), cause: 8)
      check.take(DrawMade(kind: .oidcKeys, ordinal: 1, result: .success(["mayFetch": true])), cause: 8)
      (check.fetched, check.maxAge, check.asked) = (["keys": []], 60, 9)
      if let end { check.take(DrawMade(kind: .oidcValidate, ordinal: 2, result: end), cause: 9) }
      let whole = check.json.text
      check.rest()
      return "rested, \(name) | \(whole) ; \(check.json.text) \(check.needsKeys)"
    }
  }

  static var all: Set<String> {
    let usual: [String] =
      spoiled + started + heard + redirected + bytes + opened + unwritten + rested + delivered + managed
    return Set(usual + said + finished + addressed + misdirected + unheard + rooted)
  }
}
