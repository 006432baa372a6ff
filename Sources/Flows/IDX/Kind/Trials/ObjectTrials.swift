// What the objects of responses show, and what is sent after an application fills them in, with canned answers, for the
// kind's tables.

import EventStore
import FlowRecording
import Foundation

/// Trials of a response's objects.
enum ObjectTrials {
  static var all: Set<String> {
    let usual: [String] = shown + changed + named + called + filled + polled + refused + begun + words
    return Set(usual + positions + comparisons + unfit)
  }

  /// A stage on which a sign-in has reached the given page.
  static func stage(_ page: JSON, _ more: JSON...) -> FlowTrials.Stage {
    FlowTrials.Stage(
      ([["interaction_handle": "handle-1"], page] + (more.isEmpty ? [FlowTrials.success] : more)).map {
        .success(FlowTrials.answer($0))
      })
  }

  static func hear(_ stage: FlowTrials.Stage, _ call: () async throws -> Response) async {
    do {
      stage.say(FlowTrials.text(try await call()))
    } catch {
      stage.say(FlowTrials.text(error))
    }
  }

  static func run(
    _ name: String, _ stage: FlowTrials.Stage, _ body: @escaping @Sendable (FlowTrials.Stage, Response) async -> Void
  ) -> String {
    "\(name) | "
      + stage.run { stage in
        do {
          await body(stage, try await stage.flow.start())
        } catch {
          stage.say(FlowTrials.text(error))
        }
      }
  }

  private static var shown: [String] {
    ObjectPages.all.map { name, page in
      run("shown \(name)", stage(page)) { stage, response in
        stage.say(ObjectTexts.text(response))
        stage.say(ObjectTexts.printed(response))
      }
    }
  }

  /// The objects of each page with one value changed in one way, and what its first form sends.
  private static var changed: [String] {
    ObjectPages.all.flatMap { name, page in
      ChangedJSON.digestsInTurn(of: page) { page in
        run("", stage(page)) { stage, response in
          stage.say(ObjectTexts.text(response))
          guard let form = response.remediations.first else { return }
          fillRequired(form)
          await hear(stage) { try await form.proceed() }
        }
      }.map { "\(name) \($0.place) | \($0.digest)" }
    }
  }

  /// Which field each name finds, where names are several levels deep, repeated, or contain dots.
  private static var named: [String] {
    let names = [
      "a", "a.b", "a.b.c", "a.b.d", "b", "b.c", "c", "a.c", "a.b.c.d", "e.f", "e", "f", "e.f.g", "e.f.h", "g", "h",
      "a.z", "z", "a.", ".a", ".", "", "a..b", "fixed", "a.fixed", "stateHandle", "user.name", "user", "name",
    ]
    return [
      run("named", stage(ObjectPages.nested)) { stage, response in
        for form in response.remediations {
          for name in names { stage.say("\(name) \(form[name].map(ObjectTexts.text) ?? "-")") }
        }
      }
    ]
  }

  // MARK: Calls

  /// Every call on a response and its objects, in every form.
  private static var called: [String] {
    ObjectPages.all.flatMap { name, page in
      calls.map { call, body in run("\(name), \(call)", stage(page), body) }
    }
  }

  private typealias Body = @Sendable (FlowTrials.Stage, Response) async -> Void

  private static let calls: [(String, Body)] = [
    ("cancel", { stage, response in await hear(stage) { try await response.cancel() } }),
    ("cancel, by closure", { stage, response in response.cancel { (result) in say(stage, result) } }),
    ("restart", { stage, response in await hear(stage) { try await response.restart() } }),
    (
      "exchange",
      { stage, response in
        do {
          stage.say(try await response.exchangeCode().accessToken)
        } catch { stage.say(FlowTrials.text(error)) }
      }
    ),
    (
      "finish",
      { stage, response in
        do {
          stage.say(try await response.finish().accessToken)
        } catch { stage.say(FlowTrials.text(error)) }
      }
    ),
    (
      "each remediation",
      { stage, response in
        for remediation in response.remediations { await hear(stage) { try await remediation.proceed() } }
      }
    ),
    (
      "first remediation, by closure",
      { stage, response in response.remediations.first?.proceed { (result) in say(stage, result) } }
    ),
    (
      "send",
      { stage, response in
        guard let one = response.authenticators.current?.sendable else { return }
        await hear(stage) { try await one.send() }
      }
    ),
    (
      "resend",
      { stage, response in
        guard let one = response.authenticators.current?.resendable else { return }
        await hear(stage) { try await one.resend() }
      }
    ),
    (
      "recover",
      { stage, response in
        guard let one = response.authenticators.current?.recoverable else { return }
        await hear(stage) { try await one.recover() }
      }
    ),
    (
      "poll",
      { stage, response in
        guard let one = response.authenticators.current?.pollable ?? response.remediations.first?.pollable else {
          return
        }
        await hear(stage) { try await one.startPolling() }
      }
    ),
    (
      "actions by closure",
      { stage, response in
        guard let one = response.authenticators.current else { return }
        one.sendable?.send { (result) in say(stage, result) }
        one.resendable?.resend { (result) in say(stage, result) }
        one.recoverable?.recover { (result) in say(stage, result) }
      }
    ),
  ]

  private static func say(_ stage: FlowTrials.Stage, _ result: Result<Response, InteractionCodeFlowError>) {
    switch result {
    case .success(let response): stage.say(FlowTrials.text(response))
    case .failure(let error): stage.say(FlowTrials.text(error))
    }
  }

  // MARK: Fields

  /// What is sent for values of each type, for options that were selected, changed, and cleared, and for security keys.
  private static var filled: [String] { values + groups + choices + keys }

  private static let given: [(String, (any FormValue)?)] = [
    ("text", "a"), ("empty", ""), ("true", true), ("number", 7), ("small", UInt8(3)), ("fraction", 2.5),
    ("float", Float(0.5)), ("endless", Double.infinity), ("words", ["a", "b"]), ("numbers", [1, 2]),
    ("no word", [String]()),
    ("'true'", "true"), ("'FALSE'", "FALSE"), ("'yes'", "yes"), ("nothing", nil),
  ]

  private static func fillRequired(_ form: Remediation) {
    form["identifier"]?.value = "ann@acme.example"
    form["userProfile.email"]?.value = "ann@acme.example"
  }

  private static var values: [String] {
    let fields = [
      "identifier", "plain", "flag", "number", "list", "fixed", "passcode", "userProfile.email", "userProfile.age",
      "userProfile",
    ]
    return fields.flatMap { field in
      given.map { name, value in
        run("\(field) = \(name)", stage(ObjectPages.fields)) { stage, response in
          guard let form = response.remediations.first, let found = form[field] else { return stage.say("no field") }
          fillRequired(form)
          found.value = value
          stage.say(ObjectTexts.text(found))
          await hear(stage) { try await form.proceed() }
        }
      }
    }
  }

  private static var groups: [String] {
    ["code", "hidden", "seen", "kept"].map { name in
      run("credentials.\(name)", stage(ObjectPages.groups)) { stage, response in
        guard let form = response.remediations.first, let field = form["credentials.\(name)"] else {
          return stage.say("no field")
        }
        field.value = "482913"
        stage.say(ObjectTexts.text(field))
        await hear(stage) { try await form.proceed() }
      }
    }
  }

  private static var choices: [String] {
    let picks: [[Int?]] = [[0], [1], [0, 1], [1, nil], [0, nil, 1], [9]]
    return picks.flatMap { picks in
      let pages = [
        ("choice", "choice", ObjectPages.fields), ("given", "given", ObjectPages.fields),
        ("authenticator", "authenticator", ObjectPages.choice),
        ("one label", "authenticator", oneLabel(ObjectPages.choice)),
      ]
      return pages.map { trial, name, page in
        run("\(trial) \(picks)", stage(page)) { stage, response in
          guard let form = response.remediations.first, let field = form[name] else { return stage.say("no field") }
          fillRequired(form)
          for pick in picks {
            if let pick {
              // A value that is not one of its options is not accepted.
              field.selectedOption =
                field.options?.indices.contains(pick) == true ? field.options?[pick] : form["identifier"]
            } else {
              field.selectedOption = nil
            }
            stage.say(ObjectTexts.text(field))
          }
          field.selectedOption?.form?["inner"]?.value = "inside"
          if let method = field.selectedOption?.form?["methodType"] { method.selectedOption = method.options?.last }
          await hear(stage) { try await form.proceed() }
        }
      }
    }
  }

  /// A document whose labels are all the same.
  private static func oneLabel(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { .init(key: $0.key, value: $0.key == "label" ? "One" : oneLabel($0.value)) }))
    case .array(let elements): .array(elements.map(oneLabel))
    case .null, .bool, .number, .string: json
    }
  }

  private static var keys: [String] {
    let registrations: [(String, [String]?, String?)] = [
      ("bare", nil, nil), ("transports", ["usb", "nfc"], nil), ("extensions", [], #"{"credProps":true}"#),
    ]
    let registered = registrations.map { name, transports, extensions in
      run("register \(name)", stage(ObjectPages.registered)) { stage, response in
        guard let form = response.remediations.first, let key = form.webAuthnRegistration else { return }
        key.relyingPartyIdentifier = "other.example"
        stage.say(key.relyingPartyIdentifier ?? "-")
        do {
          try key.register(
            attestation: Data([0xFB, 0xFF]), clientJSON: Data("{}".utf8), transports: transports,
            clientExtensions: extensions)
        } catch { stage.say("\(error)") }
        await hear(stage) { try await form.proceed() }
      }
    }
    let handles: [(String, Data?)] = [
      ("none", nil), ("text", Data("00u1".utf8)), ("bytes", Data([0xFF, 0xFE])), ("empty", Data()),
    ]
    let asserted = handles.map { name, handle in
      run("assert \(name)", stage(ObjectPages.asserted)) { stage, response in
        guard let form = response.remediations.first, let key = form.webAuthnAuthentication else { return }
        do {
          try key.challenge(
            authenticatorData: Data([1, 0xFF]), clientData: Data("{}".utf8), signatureData: Data([3]),
            userHandle: handle)
        } catch { stage.say("\(error)") }
        await hear(stage) { try await form.proceed() }
      }
    }
    return registered + asserted + prompted
  }

  /// What is sent after a Duo prompt.
  private static var prompted: [String] {
    let brought: [(String, String?)] = [("none", nil), ("signature", "AUTH|duo-1:APP|duo-2"), ("empty", "")]
    return brought.map { name, signature in
      run("duo \(name)", stage(ObjectPages.duo)) { stage, response in
        guard let form = response.remediations.first, let duo = response.authenticators.current?.duo else { return }
        stage.say("\(duo.host) \(duo.signedToken) \(duo.script)")
        duo.signatureData = signature
        stage.say(duo.signatureData ?? "-")
        await hear(stage) { try await form.proceed() }
      }
    }
  }

  // MARK: Polling

  private static var polled: [String] {
    let page = ObjectPages.polled
    let bodies: [(String, Body)] = [
      (
        "stopped",
        { stage, response in
          guard let poll = response.remediations.first?.pollable else { return }
          poll.startPolling { (result) in say(stage, result) }
          stage.say("\(poll.isPolling)")
          poll.stopPolling()
          stage.say("\(poll.isPolling)")
          poll.stopPolling()
        }
      ),
      (
        "not begun",
        { stage, response in
          response.remediations.first?.pollable?.stopPolling()
          stage.say("\(response.remediations.first?.pollable?.isPolling ?? false)")
        }
      ),
      (
        "twice",
        { stage, response in
          guard let poll = response.remediations.first?.pollable else { return }
          poll.startPolling { (result) in say(stage, result) }
          poll.startPolling { (result) in say(stage, result) }
          stage.say("\(poll == poll) \(poll.isPolling)")
        }
      ),
      (
        "cancelled meanwhile",
        { stage, response in
          guard let poll = response.remediations.first?.pollable else { return }
          poll.startPolling { (result) in say(stage, result) }
          await hear(stage) { try await response.cancel() }
          stage.say("\(poll.isPolling)")
        }
      ),
      (
        "reset meanwhile",
        { stage, response in
          guard let poll = response.remediations.first?.pollable else { return }
          poll.startPolling { (result) in say(stage, result) }
          stage.flow.reset()
          stage.say("\(poll.isPolling) \(stage.flow.isAuthenticating)")
        }
      ),
    ]
    return bodies.flatMap { name, body in
      [
        run("poll \(name)", stage(page, page, page, FlowTrials.success), body),
        run("poll \(name), at once", stage(page), body),
      ]
    }
  }

  // MARK: Rejected calls and beginnings

  private struct Odd: Sendable {}

  /// What delegates and callers receive for calls that are rejected before anything is sent.
  private static var refused: [String] {
    let nothing = ObjectPages.all.last?.json ?? .null
    return [
      run("refused calls", stage(nothing)) { stage, response in
        let listener = FlowTrials.Listener("one", stage)
        stage.flow.add(delegate: listener)
        await hear(stage) { try await response.cancel() }
        await hear(stage) { try await stage.flow.start(options: [.maxAge: Odd()]) }
        stage.flow.start(options: [.nonce: Odd()]) { (result) in say(stage, result) }
        do {
          stage.say(try await response.exchangeCode().accessToken)
        } catch { stage.say(FlowTrials.text(error)) }
        withExtendedLifetime(listener) {}
      },
      run("no cancel", stage(FlowTrials.success)) { stage, response in
        let listener = FlowTrials.Listener("one", stage)
        stage.flow.add(delegate: listener)
        await hear(stage) { try await response.cancel() }
        response.cancel { (result) in say(stage, result) }
        withExtendedLifetime(listener) {}
      },
      run("a value without a form", stage(ObjectPages.fields)) { stage, response in
        let listener = FlowTrials.Listener("one", stage)
        stage.flow.add(delegate: listener)
        response.remediations.first?["plain"]?.value = Double.nan
        await hear(stage) { try await response.remediations[0].proceed() }
        withExtendedLifetime(listener) {}
      },
    ]
  }

  /// What each initializer does with each of its arguments.
  private static var begun: [String] {
    let issuer = URL(string: "\(FlowTrials.base)/oauth2/default/") ?? URL(fileURLWithPath: "/")
    let redirect = URL(string: "com.acme:/callback") ?? URL(fileURLWithPath: "/")
    let device = UUID(uuidString: "12345678-1234-1234-1234-1234567890AB")
    let parameters = ["b": "2", "a": "1"]
    let makers: [(String, @Sendable (FlowEnvironment) -> InteractionCodeFlow)] = [
      (
        "bare",
        {
          InteractionCodeFlow(
            issuer: issuer, clientId: "c", scopes: "openid email", redirectUri: redirect, environment: $0)
        }
      ),
      (
        "with all",
        {
          InteractionCodeFlow(
            issuer: issuer, clientId: "c", scopes: "openid", redirectUri: redirect, additionalParameters: parameters,
            deviceIdentifier: device, clientSecret: "s3cret", allowedOrigins: ["https://b.example"],
            extendedUserAgent: true,
            idTokenAlgorithms: ["RS256"], allowedClockSkew: 5, environment: $0)
        }
      ),
      (
        "with a list",
        {
          InteractionCodeFlow(
            issuer: issuer, clientId: "c", scopes: ["openid", "email"], redirectUri: redirect,
            additionalParameters: parameters, deviceIdentifier: device, environment: $0)
        }
      ),
      (
        "with texts",
        {
          InteractionCodeFlow(
            issuer: "\(FlowTrials.base)//", clientId: "c", scopes: [], redirectUri: "no address", environment: $0)
        }
      ),
      (
        "with a context",
        {
          InteractionCodeFlow(
            issuer: issuer, clientId: "c", scopes: "openid", redirectUri: redirect,
            context: InteractionCodeFlow.Context(
              interactionHandle: "handle-0", state: "state-0", codeVerifier: "v", codeChallenge: "c", nonce: "n",
              flowID: "idx/01"), environment: $0)
        }
      ),
    ]
    return makers.map { name, make in
      let stage = FlowStage(
        [["interaction_handle": "handle-1"], ObjectPages.fields].map { .success(FlowTrials.answer($0)) })
      let heard = stage.run {
        let flow = make(stage.environment)
        stage.say(
          "\(flow) \(flow.client.issuer) \(flow.client.clientId) \(flow.client.scopes) \(flow.redirectUri) "
            + "\((flow.additionalParameters ?? [:]).sorted { $0.key < $1.key }) \(flow.deviceIdentifier?.uuidString ?? "-") "
            + "\(flow.isAuthenticating) \(flow.context?.interactionHandle ?? "-") \(FlowTrials.text(flow.options))")
        do {
          let response = flow.context == nil ? try await flow.start() : try await flow.resume()
          stage.say(FlowTrials.text(response))
        } catch { stage.say(FlowTrials.text(error)) }
        let context = InteractionCodeFlow.Context(recoveryToken: "r", state: "s", maxAge: 90.4, acrValues: ["a", "b"])
        do {
          stage.say(FlowTrials.text(try await flow.start(with: context)))
        } catch { stage.say(FlowTrials.text(error)) }
      }
      return "begin \(name) | \(heard)"
    }
  }

  /// What equals `.unknown`.
  private static var words: [String] {
    let kinds: [Authenticator.Kind?] = [.app, .unknown("x"), .unknown(""), nil, Authenticator.Kind(string: "phone")]
    let intents: [Response.Intent?] = [.login, .unknown("x"), nil, Response.Intent(string: Optional<String>.none)]
    return kinds.map { "kind \($0.map { "\($0)" } ?? "-") \($0 == .unknown) \($0 != .unknown)" }
      + intents.map { "intent \($0.map { "\($0)" } ?? "-") \($0 == .unknown) \($0 != .unknown)" }
      + ["\(kinds.compactMap { $0 }.contains(.unknown)) \([Authenticator.Kind.app].contains(.unknown))"]
  }
}
