// Conditions of the classic API one by one: each of these flows makes both sides of a few of them matter.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  static let corners: [Scenario] = [
    besidePolling, firstPollsLost, limitReached, intervalsSet, answersOfEachSort, linksListed, clearTextOrg, limitsTold,
    limitsInARow, cookiesOfOldServers, lateAnswers, errorThenCancelled, handlerBusy, resultsElsewhere,
    addressesWithSecrets, contextsGiven,
  ]

  /// What an application says of itself with each flow: everything, something, and nothing.
  static let contextsGiven = Scenario("corner-contexts", OrgConfiguration(users: [user()])) { stage in
    let contexts = [
      FlowContext(
        app: .init(id: "com.example.mail", name: "Mail", version: "4.2"),
        client: .init(os: "Linux 6.1", model: "ThinkCentre", locale: "de-DE", address: "192.0.2.7"),
        device: "dev-1", instance: "host-3", correlation: "req-9",
        trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
      FlowContext(app: .init(name: String(repeating: "long", count: 80)), client: .init(address: "2001:db8::1")),
      FlowContext(),
    ]
    for context in contexts {
      var stage = stage
      stage.environment.context = context
      await anyhow { () throws(OktaError) in
        _ = try await stage.begin().authenticate(username: login, password: context.device == nil ? "wrong" : password)
      }
    }
    return try await stage.begin().authenticate(username: login, password: password)
  }

  /// Whatever comes of it is recorded.
  private static func anyhow(_ operation: () async throws(OktaError) -> Void) async {
    do throws(OktaError) { try await operation() } catch {}
  }

  private static func json(_ status: Int, _ body: String, _ headers: HTTPField...) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", "application/json")] + headers, body: Array(body.utf8))
  }

  private static func answer(_ page: Page) -> ChangedAnswers.Change { .answer(json(page.status, page.body)) }

  private static func shown<Status>(_ stage: Stage, as type: Status.Type) async throws -> Status {
    try cast(try await stage.begin().authenticate(username: login, password: password), to: type)
  }

  /// A status whose three factors can send a link, list questions and be completed; a poll waits.
  private static func activating(_ more: String = "\"factorResult\":\"WAITING\"", links: String = "") -> Page {
    let send = """
      "_embedded":{"activation":{"_links":{"send":[{"name":"email","href":"\(Stage.orgURL)/send/email"},\
      {"name":"sms","href":"\(Stage.orgURL)/send/sms"}]}}}
      """
    let complete = "\"_embedded\":{\"activation\":{\"_links\":{\"complete\":\(link("complete"))}}}"
    let factors = [
      factor(3, kinds[3], links: "", more: send), factor(0, kinds[0], links: "\"questions\":\(link("questions"))"),
      factor(8, kinds[8], links: "", more: complete),
    ]
    return transaction(
      "MFA_ENROLL_ACTIVATE", more, embedded: "\"factors\":[\(factors.joined(separator: ","))]",
      links: "\"next\":\(link("poll", name: "poll"))\(links.isEmpty ? "" : "," + links)")
  }

  /// Begins to poll, and waits until the poll has its timer.
  private static func polling(
    _ status: OktaAuthStatusFactorEnrollActivate, _ stage: Stage
  ) async -> Task<OktaAuthStatus, any Error> {
    let polling = Task { try await status.activateFactor(passCode: nil) }
    _ = await stage.time.waitForTimers()
    return polling
  }

  /// While a factor is polled, links are sent, questions listed and an answer of Duo handed over, with answers of each
  /// sort; what is refused, lost or limited of that leaves the polling alone.
  static let besidePolling = Scenario("corner-beside-polling", OrgConfiguration(users: [user()])) { stage in
    let plain = activating("\"relayState\":\"/app\"", links: "\"resend\":\(link("resend"))")
    let stage = changing(stage) { request, count in
      let path = URLParts(request.url)?.path ?? ""
      if path.hasSuffix("/authn") { return answer(plain) }
      if path.hasSuffix("/poll") { return answer(count < 3 ? activating() : transaction("SUCCESS")) }
      switch (path, count) {
      case ("/send/email", 0): return .answer(.limited(HTTPField("Retry-After", "7")))
      case ("/send/email", 1): return .failure(TransportError(.connectionLost, "The connection was lost."))
      case ("/send/email", 2): return answer((200, ""))
      case ("/send/sms", 0): return answer((200, "sent"))
      case ("/send/sms", 1): return answer((403, #"{"errorCode":"E0000006","errorSummary":"No"}"#))
      case ("/api/v1/authn/questions", 0):
        return answer((200, #"[{"question":"toy","questionText":"Which toy?"}]"#))
      case ("/api/v1/authn/questions", 1): return answer((400, #"[{"question":"toy"}]"#))
      case ("/api/v1/authn/questions", 2): return answer((200, #"{"errorCode":"E0000006","errorSummary":"No"}"#))
      case ("/api/v1/authn/questions", 3): return answer((403, #"{"errorCode":"E0000006","errorSummary":"No"}"#))
      case ("/api/v1/authn/complete", 0): return answer((200, "{}"))
      default: return answer((204, ""))
      }
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
    let polling = await polling(status, stage)
    let push = try factor(status.factors, OktaFactorPush.self)
    for _ in 0..<3 { await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaEmail() } }
    for _ in 0..<3 {
      await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaSms(with: phone) }
    }
    let question = try factor(status.factors, OktaFactorQuestion.self)
    for _ in 0..<4 {
      await anyhow { () async throws(OktaError) in _ = try await question.downloadSecurityQuestions() }
    }
    let other = try factor(status.factors, OktaFactorOther.self)
    for _ in 0..<2 {
      await anyhow { () async throws(OktaError) in try await other.complete(signedResponse: "response-of-the-frame") }
    }
    // There is no such link, and no such factor to enroll.
    await anyhow { () async throws(OktaError) in _ = try await push.select() }
    await anyhow { () async throws(OktaError) in _ = try await push.enroll() }
    return try await stage.firingTimers { try await polling.value }
  }

  /// The first poll of an activation is lost, and goes on; what is no poll is lost on a status that waits, and what
  /// looks like a poll on one that does not: those fail.
  static let firstPollsLost = Scenario("corner-first-polls-lost", OrgConfiguration(users: [user()])) { stage in
    let lost = ChangedAnswers.Change.failure(TransportError(.timedOut, "The request timed out."))
    let waiting = activating(links: "\"resend\":\(link("resend")),\"cancel\":\(link("cancel"))")
    let stage = changing(stage) { request, count in
      let path = URLParts(request.url)?.path ?? ""
      if path.hasSuffix("/authn") { return answer(count == 0 ? waiting : activating("\"relayState\":\"/app\"")) }
      if path.hasSuffix("/poll") {
        switch count {
        case 0, 1: return lost
        case 2: return answer(waiting)
        case 3: return answer(transaction("SUCCESS"))
        case 4, 5: return lost
        default: return .answer(.limited(HTTPField("Retry-After", "2")))
        }
      }
      return lost
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
    await anyhow { () async throws(OktaError) in _ = try await status.resendFactor() }
    await anyhow { () async throws(OktaError) in _ = try await status.returnToPreviousStatus() }
    await anyhow { () async throws(OktaError) in try await status.cancel() }
    _ = try await stage.firingTimers { try await status.activateFactor(passCode: nil) }
    await anyhow { () async throws(OktaError) in _ = try await status.activateFactor(passCode: "123456") }
    let idle = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
    await anyhow { () async throws(OktaError) in _ = try await idle.activateFactor(passCode: nil) }
    await anyhow { () async throws(OktaError) in _ = try await idle.activateFactor(passCode: nil) }
    return idle
  }

  /// A flow may send six requests: polling ends with the seventh.
  static let limitReached = Scenario(
    "corner-limit-reached", OrgConfiguration(users: [user([push])], stateTokenLifetime: 3600)
  ) { stage in
    var stage = stage
    stage.environment.limits = FlowLimits(requests: 6)
    let playing = stage
    let challenge = try await challenge(playing, factor: OktaFactorPush.self)
    _ = try await playing.firingTimers {
      try await failure { () async throws(OktaError) in
        try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
      }
    }
    return challenge
  }

  /// The interval of polls is set again before each call that may poll; answers of each such call wait.
  static let intervalsSet = Scenario("corner-intervals", OrgConfiguration(users: [user()])) { stage in
    let push = factor(3, kinds[3], links: "\"verify\":\(link("verify"))")
    @Sendable func challenge(_ result: String) -> Page {
      transaction(
        "MFA_CHALLENGE", "\"factorResult\":\"\(result)\"", embedded: "\"factor\":\(push)",
        links: "\"next\":\(link("poll", name: "poll")),\"resend\":\(link("resend")),\"cancel\":\(link("cancel"))")
    }
    let (waiting, rejected) = (challenge("WAITING"), challenge("REJECTED"))
    let polls = Locked(0)
    let stage = changing(stage) { request, _ in
      let path = URLParts(request.url)?.path ?? ""
      if path.hasSuffix("/authn") { return answer(rejected) }
      if path.hasSuffix("/cancel") { return answer((200, "{}")) }
      guard path.hasSuffix("/poll") else { return answer(waiting) }
      let number = polls.withLock { polls in
        defer { polls += 1 }
        return polls
      }
      return answer(number % 3 == 2 ? rejected : waiting)
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorChallenge.self)
    guard let next = status.links?.next, let push = status.factor as? OktaFactorPush else { return status }
    let calls: [@Sendable () async throws -> OktaAuthStatus] = [
      { try await push.select() }, { try await status.resendFactor() }, { try await push.verify() },
      { try await status.sendRequest(with: next, keyValuePayload: ["hint": "again"]) }, { try await push.select() },
      { try await status.returnToPreviousStatus() },
    ]
    for (number, call) in calls.enumerated() {
      status.responseHandler.pollInterval = Double(2 + number)
      _ = try await stage.firingTimers { try await call() }
    }
    status.responseHandler.pollInterval = 11
    try await status.cancel()
    return status
  }

  /// Every kind of answer to every kind of call.
  static let answersOfEachSort = Scenario("corner-answers", OrgConfiguration(users: [user()])) { stage in
    let error = #"{"errorCode":"E0000006","errorSummary":"No","errorId":"oae-1"}"#
    let many = "[" + String(repeating: "0,", count: 100_001) + "0]"
    let answers: [Page] = [
      (200, ""), (400, ""), (204, " \n"), (200, "[]"), (400, "[]"), (200, "\"taken\""), (200, "OK"), (400, "OK"),
      (400, error), (200, error), (200, "{\"status\":\"SUCCESS\"," + error.dropFirst()), (200, "{}"), (200, many),
      (299, "{}"), (300, "{}"), (199, "{}"), (200, "7"), (200, #"{"status":7}"#),
    ]
    for page in answers {
      let ready = activating(
        "\"relayState\":\"/app\"", links: "\"resend\":\(link("resend")),\"cancel\":\(link("cancel"))")
      let stage = changing(stage) { request, count in
        let path = URLParts(request.url)?.path ?? ""
        return path.hasSuffix("/authn") && count == 0 ? answer(ready) : answer(page)
      }
      let status = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
      let push = try factor(status.factors, OktaFactorPush.self)
      await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaEmail() }
      let question = try factor(status.factors, OktaFactorQuestion.self)
      await anyhow { () async throws(OktaError) in _ = try await question.downloadSecurityQuestions() }
      let other = try factor(status.factors, OktaFactorOther.self)
      await anyhow { () async throws(OktaError) in try await other.complete(signedResponse: "response-of-the-frame") }
      await anyhow { () async throws(OktaError) in _ = try await status.resendFactor() }
      await anyhow { () async throws(OktaError) in _ = try await status.activateFactor(passCode: "123456") }
      await anyhow { () async throws(OktaError) in try await status.cancel() }
    }
    return nil
  }

  /// Links lead to other origins: to listed ones, written in other ways, to others with and without what was entered.
  static let linksListed = Scenario("corner-links-listed", OrgConfiguration(users: [user()])) { stage in
    let lists: [[String]?] = [nil, [], ["HTTPS://Login.acme.example"], ["https://LOGIN.acme.example:443"]]
    let places = [
      "https://login.acme.example", "https://login.acme.example:443", "https://other.example", "https://ACME.example",
    ]
    for origins in lists {
      for place in places {
        let there = "{\"href\":\"\(place)/there\"}"
        let sends = """
          "_embedded":{"activation":{"_links":{"send":[{"name":"email","href":"\(place)/send/email"},\
          {"name":"sms","href":"\(place)/send/sms"}],"complete":\(there)}},\
          "verification":{"_links":{"complete":\(there)}}}
          """
        let links = "\"verify\":\(there),\"enroll\":\(there),\"questions\":\(there)"
        let factors =
          "\"factors\":[" + [3, 0, 8].map { factor($0, kinds[$0], links: links, more: sends) }.joined(separator: ",")
          + "]"
        let page = transaction(
          "MFA_CHALLENGE", embedded: factors,
          links: "\"next\":\(there),\"resend\":\(there),\"skip\":\(there),\"cancel\":\(there)")
        let stage = answering(
          stage, [("/authn", page), ("/there", page), ("/send/email", (200, "")), ("/send/sms", (200, ""))])
        guard let org = URL(string: Stage.orgURL) else { return nil }
        let start = OktaAuthStatusUnauthenticated(
          oktaDomain: org, allowedOrigins: origins, environment: stage.environment)
        let status = try cast(
          try await start.authenticate(username: login, password: password), to: OktaAuthStatusFactorChallenge.self)
        let push = try factor(status.factors, OktaFactorPush.self)
        let other = try factor(status.factors, OktaFactorOther.self)
        let question = try factor(status.factors, OktaFactorQuestion.self)
        await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaEmail() }
        await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaSms(with: phone) }
        await anyhow { () async throws(OktaError) in _ = try await push.enroll() }
        await anyhow { () async throws(OktaError) in _ = try await push.select() }
        await anyhow { () async throws(OktaError) in _ = try await push.checkFactorResult() }
        await anyhow { () async throws(OktaError) in _ = try await question.downloadSecurityQuestions() }
        await anyhow { () async throws(OktaError) in
          _ = try await question.select(answerToSecurityQuestion: "cooked spinach")
        }
        await anyhow { () async throws(OktaError) in
          _ = try await status.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
        }
        await anyhow { () async throws(OktaError) in
          _ = try await status.verifyFactor(passCode: "123456", answerToSecurityQuestion: nil)
        }
        await anyhow { () async throws(OktaError) in try await other.complete(signedResponse: "response-of-the-frame") }
        if let next = status.links?.next {
          await anyhow { () async throws(OktaError) in
            _ = try await status.sendRequest(with: next, keyValuePayload: ["stateToken": "token-of-another"])
          }
        }
        await anyhow { () async throws(OktaError) in try await status.cancel() }
      }
    }
    return nil
  }

  /// An org that is reached without encryption, whose links lead to https, to http and to another port.
  static let clearTextOrg = Scenario("corner-clear-text", OrgConfiguration(users: [user()])) { stage in
    guard let org = URL(string: "http://acme.example/") else { return nil }
    for place in [
      "http://acme.example", "http://ACME.example:80", "https://acme.example", "http://other.example",
      "http://acme.example:8080",
    ] {
      let there = "{\"href\":\"\(place)/there?mode=once&rememberDevice=false&updatePhone#part\"}"
      let page = transaction(
        "MFA_CHALLENGE", embedded: "\"factor\":" + factor(1, kinds[1], links: ""),
        links: "\"next\":\(there),\"cancel\":\(there)")
      let stage = changing(stage) { request, _ in
        let path = URLParts(request.url)?.path ?? ""
        guard path.hasSuffix("/authn") else { return answer(page) }
        var response = json(page.status, page.body)
        response.headers.append(HTTPField("Set-Cookie", "sid=session-of-the-org; Path=/"))
        return .answer(response)
      }
      let start = OktaAuthStatusUnauthenticated(oktaDomain: org, environment: stage.environment)
      try await start.cancel()
      let status = try cast(
        try await start.authenticate(username: login, password: password), to: OktaAuthStatusFactorChallenge.self)
      for flag in [nil, true, false] {
        await anyhow { () async throws(OktaError) in
          _ = try await status.verifyFactor(passCode: "123456", answerToSecurityQuestion: nil, rememberDevice: flag)
        }
      }
      await anyhow { () async throws(OktaError) in try await status.cancel() }
      // LOCKED_OUT with a token, and with a link but without a token.
      for token in ["\"stateToken\":\"token-of-the-locked\",", ""] {
        let locked: Page = (200, "{\"status\":\"LOCKED_OUT\",\(token)\"_links\":{\"cancel\":\(there)}}")
        let other = changing(stage) { _, count in answer(count == 0 ? locked : (200, "")) }
        let begun = OktaAuthStatusUnauthenticated(oktaDomain: org, environment: other.environment)
        let status = try await begun.authenticate(username: login, password: password)
        await anyhow { () async throws(OktaError) in try await status.cancel() }
        let out = try cast(status, to: OktaAuthStatusLockedOut.self)
        await anyhow { () async throws(OktaError) in _ = try await out.unlock(username: login, factorType: .sms) }
      }
    }
    return nil
  }

  /// What servers say of a limit: seconds, dates on their own clock, windows, and what is none of these.
  private static let limits: [[HTTPField]] = {
    @Sendable func fields(_ pairs: (String, String)...) -> [HTTPField] { pairs.map { HTTPField($0.0, $0.1) } }
    let date = ("Date", "Thu, 15 Jan 2026 10:00:00 GMT")
    return [
      fields(("Retry-After", "-5")), fields(("Retry-After", "soon")), fields(("Retry-After", "7.5")),
      fields(("Retry-After", "0")), fields(("Retry-After", "999999")),
      fields(("Retry-After", "Thu, 15 Jan 2026 10:00:09 GMT")),
      fields(date, ("Retry-After", "Thu, 15 Jan 2026 10:00:11 GMT")),
      fields(date, ("Retry-After", "Thu, 15 Jan 2026 09:59:59 GMT")),
      fields(date, ("X-Rate-Limit-Reset", "1768471213")), fields(("X-Rate-Limit-Reset", "1768471213")),
      fields(date, ("X-Rate-Limit-Limit", "0"), ("X-Rate-Limit-Reset", "1768471213")),
      fields(date, ("X-Rate-Limit-Limit", "600"), ("X-Rate-Limit-Reset", "1768471100")),
      fields(date, ("X-Rate-Limit-Limit", "600"), ("X-Rate-Limit-Reset", "-9223372036854775807")),
      fields(date, ("Retry-After", "-1"), ("X-Rate-Limit-Reset", "1768471217")),
      fields(("Date", "Thu, 15-Jan-2026 10:00:00 GMT"), ("X-Rate-Limit-Reset", "1768471219")),
      fields(("Date", "Thursday"), ("X-Rate-Limit-Reset", "1768471219")),
    ]
  }()

  /// Calls are limited in every way that a server has, and say for how long.
  static let limitsTold = Scenario("corner-limits-told", OrgConfiguration(users: [user()])) { stage in
    for headers in limits {
      let stage = changing(stage) { _, _ in
        var response = HTTPResponse.limited()
        response.headers += headers
        return .answer(response)
      }
      await anyhow { () async throws(OktaError) in
        _ = try await stage.begin().authenticate(username: login, password: password)
      }
    }
    return nil
  }

  /// Polls are limited and lost in a row: five times, and once too often; a good one between resets the count.
  static let limitsInARow = Scenario("corner-limits-in-a-row", OrgConfiguration(users: [user()])) { stage in
    let waiting = activating()
    let stage = changing(stage) { request, count in
      let path = URLParts(request.url)?.path ?? ""
      guard path.hasSuffix("/poll") else { return answer(waiting) }
      switch count {
      case 5: return answer(waiting)
      case 8: return .failure(TransportError(.connectionLost, "The connection was lost."))
      case 11: return answer(waiting)
      case 12, 13, 15: return .failure(TransportError(.cannotConnect, "No connection."))
      default:
        var response = HTTPResponse.limited()
        response.headers += limits[(count + 5) % limits.count]
        return .answer(response)
      }
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
    _ = try? await stage.firingTimers { try await status.activateFactor(passCode: nil) }
    _ = try? await stage.firingTimers { try await status.activateFactor(passCode: nil) }
    return status
  }

  /// Cookies as old servers write them, on a clock that is an hour ahead: dates with hyphens, ages said twice, empty
  /// ones, one that is too long, more than fit, and lines that are no cookies.
  static let cookiesOfOldServers = Scenario("corner-cookies", OrgConfiguration(users: [user()])) { stage in
    let date = "Thu, 15 Jan 2026 10:00:00 GMT"
    let lines: [[String]] = [
      [
        "sid=of-the-session; Expires=Thu, 15-Jan-2026 10:20:00 GMT", "t=themes; expires=Thu, 15 Jan 2026 09:40:00 GMT",
        "xids=twice; Max-Age=10; Max-Age=3000", "sub=other; max-age=3000; Max-Age=10",
        "u=bad; Max-Age=soon; Expires=never",
        "ln=both; Expires=Thu, 15 Jan 2026 08:00:00 GMT; Max-Age=3000",
        "idx=dates; Expires=Thu, 15 Jan 2026 08:00:00 GMT; Expires=Fri, 16 Jan 2026 08:00:00 GMT",
        "srefresh=\(String(repeating: "x", count: 4097))", "JSESSIONID = with-blanks ;Path=/ ; Secure",
        "no-cookie", "=nameless", "DT=device-of-the-org; Domain=acme.example; SameSite=Lax",
      ],
      ["sid=; Path=/", "DT=", "t=again; Max-Age=-1", "custom name=7", "okta_user_lang=de; Secure=yes; HttpOnly"],
      (0..<60).map { "cookie\($0 + 100)=value-of-cookie-\($0)" },
    ]
    let page = activating("\"relayState\":\"/app\"", links: "\"resend\":\(link("resend"))")
    let asked = Locked(0)
    let stage = changing(stage) { _, _ in
      let number = asked.withLock { asked in
        defer { asked += 1 }
        return asked
      }
      var response = json(number == 1 ? 403 : 200, page.body, HTTPField("Date", date))
      if number < lines.count { response.headers += lines[number].map { HTTPField("set-cookie", $0) } }
      return .answer(response)
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorEnrollActivate.self)
    for seconds in [0, 11, 1_300, 1_800, 90_000] {
      stage.time.advance(milliseconds: seconds * 1000)
      await anyhow { () async throws(OktaError) in _ = try await status.resendFactor() }
    }
    return status
  }

  /// Answers come to calls that were cancelled: the next call need not wait for them, and they change nothing.
  static let lateAnswers = Scenario("corner-late-answers", OrgConfiguration(users: [user([sms])])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    let start = stage.begin()
    let flow = start.object.session.flow
    held.hold()
    let first = Task { try await start.authenticate(username: login, password: "Wrong-Horse-8") }
    while flow.core.openCalls.isEmpty { await Task.yield() }
    first.cancel()
    _ = await first.result
    held.pass()
    let required = try cast(
      try await start.authenticate(username: login, password: password), to: OktaAuthStatusFactorRequired.self)
    let count = flow.recordCount
    held.release()
    guard await holdsSoon({ flow.recordCount > count }) else { throw Unexpected(description: "no late answer") }
    let text = try factor(required.availableFactors, OktaFactorSms.self)
    let challenge = try cast(try await text.select(), to: OktaAuthStatusFactorChallenge.self)
    return try await challenge.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil)
  }

  /// A wrong password, then a sign-in that is cancelled, and the application lets go: the flow has failed.
  static let errorThenCancelled = Scenario("corner-error-then-cancelled", OrgConfiguration(users: [user()])) { stage in
    var stage = stage
    let held = HeldRequests(over: stage.environment.transport)
    stage.environment.transport = held
    let start = stage.begin()
    await anyhow { () async throws(OktaError) in
      _ = try await start.authenticate(username: login, password: "Wrong-Horse-8")
    }
    held.hold()
    let second = Task { try await start.authenticate(username: login, password: password) }
    while start.object.session.flow.core.openCalls.isEmpty { await Task.yield() }
    second.cancel()
    _ = await second.result
    // What is kept back would keep the flow.
    held.release(dropping: 1)
    return nil
  }

  /// The application's own handler takes its time: other calls are refused meanwhile. It is not asked when a cancel
  /// fails.
  static let handlerBusy = Scenario("corner-handler-busy", OrgConfiguration(users: [user()])) { stage in
    let page = activating(links: "\"cancel\":\(link("cancel")),\"resend\":\(link("resend"))")
    let refusal: Page = (403, #"{"errorCode":"E0000006","errorSummary":"No"}"#)
    let stage = answering(
      stage, [("/authn", page), ("/cancel", refusal), ("/resend", refusal), ("/poll", page), ("/send/email", refusal)])
    guard let org = URL(string: Stage.orgURL) else { return nil }
    let handler = OwnHandler([.later, .usual, .refused, .usual])
    let start = OktaAuthStatusUnauthenticated(oktaDomain: org, responseHandler: handler, environment: stage.environment)
    start.authenticate(username: login, password: password, onStatusChange: { _ in }, onError: { _ in })
    guard await holdsSoon({ handler.undecided == 1 }) else { throw Unexpected(description: "nothing was asked") }
    await anyhow { () async throws(OktaError) in _ = try await start.authenticate(username: login, password: password) }
    await anyhow { () async throws(OktaError) in
      _ = try await start.recoverPassword(username: login, factorType: .sms)
    }
    handler.decide()
    guard await holdsSoon({ start.object.session.flow.core.openCalls.isEmpty }) else {
      throw Unexpected(description: "the call goes on")
    }
    let status = try cast(
      try await start.authenticate(username: login, password: password), to: OktaAuthStatusFactorEnrollActivate.self)
    await anyhow { () async throws(OktaError) in _ = try await status.resendFactor() }
    let push = try factor(status.factors, OktaFactorPush.self)
    _ = try await push.checkFactorResult()
    await anyhow { () async throws(OktaError) in try await push.sendActivationLinkViaEmail() }
    await anyhow { () async throws(OktaError) in try await status.cancel() }
    return status
  }

  /// Results come with other statuses, with ones that lack what they need, and with unknown ones; factors are
  /// listed in odd ways, and links too.
  static let resultsElsewhere = Scenario("corner-results", OrgConfiguration(users: [user()])) { stage in
    let push = factor(3, kinds[3], links: "\"verify\":\(link("verify"))")
    let challenge = transaction(
      "MFA_CHALLENGE", "\"factorResult\":\"TIMEOUT\"",
      embedded: "\"factor\":[7,\(push),\"none\"]",
      links: "\"next\":[\(link("verify", name: "verify")),{\"name\":\"other\"}]")
    let bare = #"{"status":"MFA_CHALLENGE","factorResult":"WAITING","stateToken":"token-of-the-bare"}"#
    let tokenless = """
      {"status":"MFA_CHALLENGE","factorResult":"WAITING",\
      "_embedded":{"factor":\(push)},"_links":{"next":\(link("verify"))}}
      """
    let answers: [Page] = [
      transaction("MFA_REQUIRED", "\"factorResult\":\"REJECTED\"", embedded: "\"factors\":[\(push),7]"),
      transaction("MFA_ENROLL_ACTIVATE", "\"factorResult\":\"ERROR\"", embedded: "\"factor\":\(push)"),
      transaction("SOMETHING_NEW", "\"factorResult\":\"CANCELLED\""),
      transaction("PASSWORD_EXPIRED", "\"factorResult\":\"WAITING\""),
      transaction("MFA_ENROLL", "\"factorResult\":\"SOMETHING_NEW\"", embedded: "\"factors\":[]"), (200, bare),
      (200, tokenless), challenge,
      transaction(
        "MFA_CHALLENGE", "\"factorResult\":\"SUCCESS\"", embedded: "\"factors\":{\"id\":\"one\",\"factorType\":\"sms\"}"
      ),
      transaction("SUCCESS", "\"factorResult\":\"SUCCESS\",\"sessionToken\":\"session-of-the-end\""),
    ]
    for page in answers {
      let stage = changing(stage) { request, count in answer(request.url.hasSuffix("/authn") ? challenge : page) }
      let status = try await shown(stage, as: OktaAuthStatusFactorChallenge.self)
      for _ in 0..<2 {
        await anyhow { () async throws(OktaError) in
          _ = try await status.verifyFactor(passCode: "123456", answerToSecurityQuestion: nil)
        }
      }
      status.verifyFactor(
        passCode: nil, answerToSecurityQuestion: nil, onStatusChange: { _ in }, onError: { _ in },
        onFactorStatusUpdate: { _ in })
      guard await holdsSoon({ status.object.session.flow.core.openCalls.isEmpty }) else {
        throw Unexpected(description: "the call goes on")
      }
    }
    return nil
  }

  /// Addresses with parts that are secrets: parameters behind a semicolon, parts behind a hash sign, users, logins;
  /// numbers and flags written as texts; codes and answers that errors and questions quote.
  static let addressesWithSecrets = Scenario("corner-addresses", OrgConfiguration(users: [user()])) { stage in
    let places = [
      "/next;jsessionid=of-the-session/more;a/b;", "/next#part-that-is-secret", "/next#token=secret-of-the-part&other",
      "/next?username=ann%40acme.example&fromURI=%2Fapp%2Fhome", "/next?token=a%20token%2Fwith+more&=nameless&plain&x=",
      "/next?updatePhone=true&autoPush=no%20flag&unknown=7", "/next?otp=1234&",
      "/login/step-up/redirect?stateToken=00secret",
    ]
    let names = ["script", "logo", "about", "terms-of-service", "privacy-policy", "original", "redirect", "complete"]
    let links = zip(names, places).map { "\"\($0)\":{\"href\":\"\(Stage.orgURL)\($1)\"}" }
    let policy = """
      "policy":{"allowRememberDevice":"true","rememberDeviceByDefault":"FALSE","rememberDeviceLifetimeInMinutes":"-90",\
      "factorsPolicyInfo":{"ost2bDLUOVJWXjMzy1d8":{"autoPushEnabled":"True"},"no id":{"autoPushEnabled":"no"}}}
      """
    let sms = factor(1, kinds[1], links: links.joined(separator: ","))
    let question = factor(0, kinds[0], links: "\"verify\":\(link("verify")),\"questions\":\(link("questions"))")
    let page = transaction(
      "MFA_CHALLENGE", "\"factorResultMessage\":\"See http://acme.example/?token=told-in-a-text, ann@acme.example!\"",
      embedded: "\"factors\":[\(sms),\(question)],\(policy)",
      links:
        "\"next\":{\"href\":\"\(Stage.orgURL)/api/v1/authn/verify?token=a%20b&rememberDevice=true#end\"},"
        + "\"logo\":{\"href\":\"https://ann@acme.example/logo\"},\"about\":{\"href\":\"no address\"}"
    )
    let quoted = Data("The code 246810".utf8).base64EncodedString()
    let alone = Data("246810".utf8).base64EncodedString()
    let error = """
      {"errorCode":"E0000068","errorSummary":"The code 246810 is wrong, as are \(alone) and 2468107.",\
      "errorCauses":[{"errorSummary":"\(quoted)"},\
      {"errorSummary":"%32%34%36810 or &#50;46810"}],"debug":[246810,true,null,""]}
      """
    let asked =
      "[{\"question\":\"toy\",\"questionText\":\"Not cooked spinach with peas\"},7,{\"question\":\"Correct-Horse-7\"}]"
    let stage = changing(stage) { request, count in
      let path = URLParts(request.url)?.path ?? ""
      if path.hasSuffix("/authn") { return answer(page) }
      if path.hasSuffix("/questions") { return answer((200, asked)) }
      return answer(count == 0 ? page : (403, error))
    }
    let status = try await shown(stage, as: OktaAuthStatusFactorChallenge.self)
    let list = try factor(status.factors, OktaFactorQuestion.self)
    _ = try await list.select(answerToSecurityQuestion: "cooked spinach with peas")
    _ = try await list.downloadSecurityQuestions()
    await anyhow { () async throws(OktaError) in
      _ = try await status.verifyFactor(passCode: "246810", answerToSecurityQuestion: nil)
    }
    await anyhow { () async throws(OktaError) in
      _ = try await status.verifyFactor(passCode: "246810", answerToSecurityQuestion: nil)
    }
    return status
  }
}
