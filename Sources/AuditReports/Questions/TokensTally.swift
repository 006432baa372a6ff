// The report `tokens`.

import EventStore
import FlowRecording

/// `tokens`
struct TokensTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .place, .onlyWithTokens]
  /// The time as of which the state is shown; nil for the end of the log.
  private let asOf: Timestamp?
  /// The time at which the expiry of tokens is evaluated.
  private let now: Timestamp
  private var lives = TokenLives()
  private var origins: [String: TokenOrigin] = [:]
  /// The tokens used by flows that pass the filters.
  private var asked: Set<String> = []

  init(asOf: Timestamp?, now: Timestamp) {
    self.asOf = asOf
    self.now = asOf ?? now
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let place = flow.tokens.isEmpty ? nil : flow.place
    for fact in flow.tokens where asOf.map({ fact.at <= $0 }) ?? true {
      lives.add(fact, of: flow.stream, in: flow.store ?? "")
      let id = fact.id(in: flow.stream)
      origins[id, default: TokenOrigin(at: fact.at)].take(flow, place, at: fact.at)
      if isAsked { asked.insert(id) }
    }
  }

  var tables: [ReportTable] {
    mutating get {
      lives.sort()
      let lives = lives.lives.filter { asked.contains($0.id) }
      var statuses = Counts()
      let standings = lives.map { $0.standing(at: now) }
      for standing in standings { statuses.add(standing.word) }
      return [
        statuses.table("statuses", "How they stand, as far as the log says", of: .init("status", "status")),
        ReportTable(
          "tokens", "Tokens",
          [
            .init("id", "tokens"), .user, .init("began", "began"), .init("status", "status"), .place, .device.minor,
            .init("lastPlace", "used last from"), .init("renewed", "renewed").minor,
            .init("lastAt", "last event").minor, .init("last", "what").minor, .init("expires", "run out").minor,
            .init("scope", "scope").minor, .init("issuer", "issuer").minor, .flow.minor,
          ],
          zip(lives, standings).map { life, standing in
            let origin = origins[life.id]
            return [
              .text(life.id), .text(origin?.user), .time(life.events.first?.at), .text(standing.word),
              .text(origin?.place), .text(origin?.device), .text(origin?.lastPlace),
              .number(life.events.reduce(0) { $0 + ($1.name == "refreshed" ? 1 : 0) }), .time(life.events.last?.at),
              .text(life.events.last?.name), .time(standing.expires), .text(life.scope), .text(life.issuer),
              .text(life.events.first?.stream),
            ]
          }),
      ]
    }
  }

  var notes: [String] { [Self.note(asOf: asOf)] }

  /// A note on how the state of tokens is determined.
  static func note(asOf: Timestamp?) -> String {
    "Tokens are active until the log says otherwise\(asOf == nil ? ", to its end, whatever time is asked for" : " up to the time that is given with --as-of"). When their access token has run out they are renewable if a refresh token came with them, else expired. What was revoked elsewhere is not in the log, nor how long a refresh token or a session lasts."
  }
}

/// The owner of a set of tokens, and where they were used from.
private struct TokenOrigin {
  var user: String?
  var place: String?
  var device: String?
  var lastPlace: String?
  private var first: Timestamp
  private var last: Timestamp

  init(at time: Timestamp) { (first, last) = (Timestamp(microseconds: .max), time) }

  mutating func take(_ flow: FlowFacts, _ place: String?, at time: Timestamp) {
    if user == nil { user = flow.user }
    if time < first { (first, self.place, device) = (time, place, flow.context.device) }
    if time >= last { (last, lastPlace) = (time, place) }
  }
}
