// How the events of tokens are read and described, for the kind's tables.

import EventStore
import FlowRecording

/// Events of tokens, with the values read from them.
enum EventTrials {
  /// The data of each type of event, with all members.
  private static let wholes: [(type: TokenEvent, members: [(String, JSON?)])] = [
    (
      .issued,
      [
        ("id", "id-1"), ("tokenType", "Bearer"), ("expiresIn", 3_600), ("scope", "openid"),
        ("tokens", ["access_token": "a"]), ("claims", ["sub": "s"]),
      ]
    ),
    (
      .refreshed,
      [
        ("id", "id-1"), ("tokenType", "Bearer"), ("expiresIn", 3_600), ("scope", "openid"),
        ("tokens", ["access_token": "a"]), ("claims", ["sub": "s"]),
      ]
    ),
    (
      .refused,
      [
        ("id", "id-1"), ("operation", "renew"), ("option", "revokeAccessToken"), ("error", "APIError"),
        ("details", ["oauthCode": "invalid_grant"]),
      ]
    ), (.introspected, [("id", "id-1"), ("hint", "access_token"), ("active", true)]),
    (.revoked, [("id", "id-1"), ("hint", "refresh_token")]),
    (.stored, [("id", "id-1"), ("issuer", "https://acme.example"), ("clientId", "c")]),
    (.cleared, [("id", "id-1"), ("entries", 2)]),
    (
      .awaited,
      [
        ("userCode", "code"), ("verificationUri", "https://acme.example/activate"),
        ("verificationUriComplete", "https://acme.example/c"), ("expiresIn", 60), ("call", 3),
      ]
    ),
  ]

  /// One line per event, and one for the event without each of its members.
  static var read: Set<String> {
    let lines = wholes.flatMap { whole in
      RuntimeTables.withEachLeftOut(of: whole.members).map { members in
        "\(whole.type.rawValue) \(again(.members(members), whole.type.payload))"
      }
    }
    let changed = wholes.flatMap { whole in
      RuntimeTables.changes(of: .members(whole.members)) { again($0, whole.type.payload) }
        .map { "\(whole.type.rawValue) changed \($0)" }
    }
    return Set(lines + changed + conversions)
  }

  private static func again<Payload: DomainPayload>(_ data: JSON, _ type: Payload.Type) -> String {
    do throws(EventError) {
      let payload = try Payload(data: data)
      let audience = payload.audience.map { "\($0)" } ?? "-"
      return "\(data.text)|\(payload.data.text) \(audience) \(Payload.needsBarrier) \(Payload.type) \(Payload.version)"
    } catch {
      return "\(data.text)|\(error)"
    }
  }

  /// Conversions between renewed and issued tokens.
  private static var conversions: [String] {
    var issued = TokenIssued(tokenType: "Bearer", expiresIn: 5, scope: "s", tokens: ["access_token": "a"])
    var lines = [TokenRefreshed(issued).data.text, TokenIssued(TokenRefreshed(issued)).data.text]
    (issued.id, issued.claims) = ("id-1", ["sub": "s"])
    lines += [TokenRefreshed(issued).data.text, TokenIssued(TokenRefreshed(issued)).data.text]
    let refusal = Refusal("APIError", ["text": "why"])
    lines.append(TokenRefused(id: nil, operation: "renew", option: nil, refusal).data.text)
    lines.append(TokenRefused(id: "id", operation: "signOut", option: "revokeAccessToken", refusal).data.text)
    return lines.enumerated().map { "converted \($0) \($1)" }
  }

  // MARK: Words

  /// Changes to the data of an event.
  private static let details: [JSON] = [
    [:], ["oauthCode": "invalid_grant", "text": "why"], ["text": "why"], ["oauthCode": 5],
    ["idToken": ["claim": "aud", "rule": "mismatch"], "oauthCode": "c"], ["idToken": ["claim": "aud"]],
    ["idToken": ["rule": "mismatch"], "text": "why"], ["text": .string(String(repeating: "w", count: 201))],
  ]

  /// One line per event: its description, the state of the flow afterward, and its effect on lists.
  static var words: Set<String> {
    var events: [(String, JSON)] = wholes.flatMap { whole in
      RuntimeTables.withEachLeftOut(of: whole.members).map { (whole.type.rawValue, JSON.members($0)) }
    }
    for detail in details {
      events.append((TokenEvent.refused.rawValue, ["operation": "renew", "error": "APIError", "details": detail]))
    }
    let more: [(String, JSON)] = [
      (TokenEvent.introspected.rawValue, ["active": false, "hint": "device_secret"]), ("token.other", ["id": "id-1"]),
      (TokenEvent.issued.rawValue, ["id": "id-1", "scope": "s", "expiresIn": .int(1 << 42)]),
      (TokenEvent.issued.rawValue, ["id": 5, "scope": "s", "expiresIn": .int(1 << 40)]),
      (CallMade.type, ["call": "signInWithBrowser"]), (CallMade.type, ["call": "renew"]), (CallMade.type, [:]),
      (CallMade.type, ["call": "SignIn"]),
    ]
    events += more
    let lines = events.enumerated().flatMap { number, event in
      let (type, data) = event
      var narrator = OIDCNarrator()
      let words = narrator.words(for: DomainEvent(type: type, version: 1, data: data), at: number)
      let said = words.map { "\($0.text) \(tone($0.tone))" } ?? "no words"
      let known = [nil, "before"].map { (status: String?) in
        var facts = SignInFacts()
        facts.status = status
        facts.begin(.password)
        OIDCKind.note(type, { data }, in: &facts)
        let purpose = facts.purpose?.rawValue ?? "-"
        return "\(facts.status ?? "-") \(purpose) \(facts.tries.map(\.isVerified)) \(facts.path)"
      }
      return ["\(number) \(said)|\(narrator.status)", "\(number) \(known)"]
    }
    return Set(lines + purposes)
  }

  private static func tone(_ tone: Words.Tone) -> String {
    switch tone {
    case .plain: "plain"
    case .quiet: "quiet"
    case .good: "good"
    case .bad: "bad"
    case .notice: "notice"
    }
  }

  /// The first call determines the purpose of a flow.
  private static var purposes: [String] {
    [("renew", "signInOnDevice"), ("signInOnDevice", "renew")].map { first, second in
      var facts = SignInFacts()
      for call in [first, second] { OIDCKind.note(CallMade.type, { ["call": .string(call)] }, in: &facts) }
      return "first \(first) \(facts.purpose?.rawValue ?? "-")"
    }
  }
}
