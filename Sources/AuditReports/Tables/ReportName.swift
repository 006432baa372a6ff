/// The reports that can be requested by name.
package enum ReportName: String, Sendable, CaseIterable {
  case summary
  case signIns = "sign-ins"
  case failures
  case factors
  case enrollments
  case push
  case spray
  case stuffing
  case guessing
  case theft
  case overlaps
  case shared
  case detections
  case lockouts
  case recovery
  case sessions
  case tokens
  case devices
  case latency
  case http
  case clients
  case people
  case places
  case days
  case hours
  case funnel
  case admin
  case integrity
  case compare
  case user

  /// Its heading.
  package var title: String {
    switch self {
    case .signIns: "Sign-ins"
    case .http: "HTTP"
    case .summary, .failures, .factors, .enrollments, .push, .spray, .stuffing, .guessing, .theft, .overlaps, .shared,
      .lockouts, .recovery, .sessions, .tokens, .devices, .latency, .clients, .people, .places, .days, .hours, .funnel,
      .detections, .admin, .integrity, .compare, .user:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }

  /// The flows that a report needs if one person is selected.
  package enum Extent: Sendable {
    /// The person's flows.
    case person
    /// The person's flows, and those that name no one but used the person's tokens.
    case personWithTokens
    /// All flows: those of other people matter too.
    case everyone
  }

  /// The flows it needs.
  package var extent: Extent {
    switch self {
    case .user, .theft, .tokens, .sessions: .personWithTokens
    case .spray, .stuffing, .shared, .detections: .everyone
    case .summary, .signIns, .failures, .factors, .enrollments, .push, .guessing, .overlaps, .lockouts, .recovery,
      .devices, .latency, .http, .clients, .people, .places, .days, .hours, .funnel, .admin, .integrity, .compare:
      .person
    }
  }

  /// Whether it is about flows. The others are about the log itself: only a time selects what they list.
  package var isOfFlows: Bool { ![.admin, .integrity].contains(self) }

  /// What it counts, in one line.
  package var about: String { question }

  /// The question that it answers.
  package var question: String {
    switch self {
    case .summary: "What happened: flows by outcome, status, user, factor, reason and error?"
    case .signIns: "Who signed in, when, from where, with what, and how did it end?"
    case .failures: "Why do sign-ins fail, of whom, and from where?"
    case .factors:
      "Which factors are used, how often do they succeed, how long do they take; which are set up or removed?"
    case .enrollments: "Who set up, replaced or removed which factor, when, from which address and device?"
    case .push: "How are pushes answered, how many does a person get, who approves at once, who is worn down by them?"
    case .spray: "Does one place try a few passwords on many accounts?"
    case .stuffing: "Does one place try many accounts once each, in a burst?"
    case .guessing: "Were many passwords or codes of one account wrong, and did a sign-in succeed after?"
    case .theft: "Were tokens used from another device or place than their holder's, or after their end?"
    case .overlaps: "Was one account used from two addresses or devices at a time, or shortly after one another?"
    case .shared: "Which device, or key of an authenticator, is used by several users?"
    case .detections:
      "What do the rules find, which accounts are at risk, who got in, and what was changed in the account since?"
    case .lockouts:
      "Whose account was locked, after how many tries, when and by what was it unlocked, and which are locked still?"
    case .recovery:
      "Which passwords were changed or reset, which accounts unlocked, by which proof, from where, and what came next?"
    case .sessions: "Which sign-ins brought a session or tokens, and what became of those?"
    case .tokens: "Whose tokens were issued, renewed, refused or revoked, from where, and which are still good?"
    case .devices:
      "Which challenges did devices answer, with which key and verification; which devices were set up or removed?"
    case .latency: "How long does the org take, by request?"
    case .http:
      "Which answers and failures did requests bring: statuses, rate limits, retries, TLS; which requests and users met trouble?"
    case .clients:
      "Which versions of applications and SDK are in the field, how do sign-ins by each end, which instances recorded?"
    case .people:
      "Who signs in, how often, with which factors; who for the first time, without a second one, or not for long?"
    case .places: "Which addresses serve how many users, and who signed in from a device or place for the first time?"
    case .days: "How many sign-ins were there on each day and in each week, and how did they end?"
    case .hours: "At which hours and on which weekdays do people sign in, and who outside working hours?"
    case .funnel: "How far do flows get, and where are they abandoned?"
    case .admin: "Who changed the log itself: keys, prunings, restores?"
    case .integrity:
      "What does the log say of itself: size, root, signature, runs, gaps, recoveries, clock?"
    case .compare: "What is different from the time before?"
    case .user: "What does the log hold about one person?"
    }
  }

  /// The event types it is based on.
  package var events: [String] {
    switch self {
    case .summary: ["flow.started", "call.returned", "message.shown", "flow.ended", "request.sent", "log.gap"]
    case .signIns: ["flow.started", "call.made", "status.changed", "remediation.changed", "flow.ended"]
    case .failures: ["call.returned", "status.changed", "factor.updated", "message.shown", "flow.ended"]
    case .factors: ["call.made", "status.changed", "factor.updated", "remediation.changed", "message.shown"]
    case .enrollments:
      [
        "status.changed", "remediation.changed", "enrollment.completed", "enrollment.deleted", "flow.started",
        "flow.ended",
      ]
    case .push: ["status.changed", "factor.updated", "remediation.changed", "message.shown"]
    case .spray, .stuffing: ["flow.started", "call.made", "call.returned", "message.shown"]
    case .guessing:
      ["flow.started", "call.made", "call.returned", "status.changed", "message.shown", "flow.ended"]
    case .theft: ["flow.started", "token.issued", "token.refreshed", "token.refused", "token.revoked", "token.cleared"]
    case .overlaps: ["flow.started", "call.made", "status.changed", "remediation.changed", "flow.ended"]
    case .shared: ["flow.started", "call.made", "challenge.parsed", "response.signed", "flow.ended"]
    case .detections: ["flow.started", "call.made", "status.changed", "message.shown", "token.refreshed"]
    case .lockouts: ["status.changed", "call.returned", "message.shown"]
    case .recovery:
      ["flow.started", "call.made", "status.changed", "remediation.changed", "message.shown", "flow.ended"]
    case .sessions: ["status.changed", "remediation.changed", "token.issued", "token.revoked"]
    case .tokens: ["token.issued", "token.refreshed", "token.refused", "token.introspected", "token.revoked"]
    case .devices: ["challenge.parsed", "verification.completed", "response.signed", "challenge.resolved"]
    case .latency: ["request.sent", "response.received"]
    case .http: ["request.sent", "response.received", "request.failed", "timer.set"]
    case .clients: ["flow.started", "draw.made"]
    case .people, .places, .days, .hours:
      ["flow.started", "call.made", "status.changed", "remediation.changed", "flow.ended"]
    case .funnel: ["status.changed", "remediation.changed", "flow.ended"]
    case .admin: ["log.opened", "log.rekeyed", "log.restored", "log.pruned"]
    case .integrity:
      ["recorder.started", "recorder.heartbeat", "recorder.stopped", "log.recovered", "log.gap", "clock.stepped"]
    case .compare: ["flow.started", "call.returned", "message.shown", "flow.ended"]
    case .user: ["flow.started", "call.made", "status.changed", "remediation.changed", "token.issued", "flow.ended"]
    }
  }
}
