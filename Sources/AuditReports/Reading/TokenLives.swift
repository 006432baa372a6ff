// The life cycles of tokens, assembled from all flows that used them: issued by one, renewed, introspected and revoked
// by others. Events name tokens by an id that is not derived from them, so nothing here can contain a token.

package import EventStore
import FlowRecording

/// The life cycle of one set of tokens.
package struct TokenLife: Sendable, Equatable {
  /// One event of it.
  package struct Event: Sendable, Equatable {
    /// When it was recorded.
    package var at: Timestamp
    /// What happened: `issued`, `refreshed`, `refused`, `introspected`, `revoked`, `stored`, `cleared`.
    package var name: String
    /// The store that the flow is in.
    package var store: String
    /// The flow's stream.
    package var stream: String
    /// The revision in it.
    package var revision: Int
    /// The position in the log of the store.
    package var position: UInt64
    /// From where the flow came; nil if that is not needed.
    var origin: Origin?
    /// The known details, without the placeholders of tokens.
    package var details: JSON

    /// As an element of `events` in `auditctl token show --json`.
    package var json: JSON {
      [
        "at": .string(at.description), "event": .string(name), "store": .string(store), "flow": .string(stream),
        "revision": .int(revision), "details": details,
      ]
    }
  }

  /// From where tokens were used.
  package struct Origin: Sendable, Equatable {
    var place: String?
    var device: String?
  }

  /// The prefix of the types of token events.
  static let prefix = "token."
  /// The tokens' id; the flow's id if the tokens have none.
  package var id: String
  /// The events in the order of the log, or of their times if they are in different stores.
  package var events: [Event]

  /// The current state according to the log: `active`, `refused`, `revoked` or `cleared`.
  package var status: String {
    for event in events.reversed() {
      switch event.name {
      case "issued", "refreshed": return "active"
      case "revoked":
        // An authorization outlives its access token.
        if event.details["hint"]?.string != "access_token" { return "revoked" }
      case "introspected":
        if event.details["active"]?.bool == false { return "inactive" }
      case "refused":
        if event.details["operation"]?.string == "renew" { return "refused" }
      case "cleared": return "cleared"
      case _: break
      }
    }
    return events.isEmpty ? "unknown" : "active"
  }

  /// When the access token expires, as last reported by the server; nil if it was not reported.
  package var expires: Timestamp? {
    guard let event = events.last(where: { ["issued", "refreshed"].contains($0.name) }),
      let seconds = event.details["expiresIn"]?.int, let length = Int64(exactly: seconds),
      case let (microseconds, overflow) = length.multipliedReportingOverflow(by: 1_000_000), !overflow,
      case let (time, late) = event.at.microseconds.addingReportingOverflow(microseconds), !late
    else { return nil }
    return Timestamp(microseconds: time)
  }

  /// Whether a refresh token was issued with them, or they allowed one (OpenID Connect Core §11, `offline_access`).
  package var isRenewable: Bool {
    events.contains { $0.details["renewable"]?.bool == true }
      || scope.map { Array($0.utf8)[...].end(of: Self.offlineAccess) != nil } == true
  }

  private static let offlineAccess = Array("offline_access".utf8)

  /// Their state at a time: as `status`, except that `active` tokens whose access token has expired are `renewable` if
  /// a refresh token was issued, else `expired`.
  package func standing(at time: Timestamp) -> (word: String, expires: Timestamp?) {
    let (word, end) = (status, expires)
    guard word == "active", let end, end <= time else { return (word, end) }
    return (isRenewable ? "renewable" : "expired", end)
  }

  /// The granted scopes, separated by spaces, as last reported.
  package var scope: String? { events.last { $0.details["scope"] != nil }?.details["scope"]?.string }

  /// Their issuer, if a flow recorded it.
  package var issuer: String? {
    events.lazy.compactMap { $0.details["claims"]?["iss"]?.string ?? $0.details["issuer"]?.string }.first
  }

  /// As an element of `auditctl token list --json`, with their state at a time.
  package func json(at time: Timestamp) -> JSON {
    .members([
      ("id", .string(id)), ("status", .string(standing(at: time).word)), ("issuer", issuer.map(JSON.string)),
      ("scope", scope.map(JSON.string)), ("began", events.first.map { .string($0.at.description) }),
      ("flow", events.first.map { .string($0.stream) }), ("events", .int(events.count)),
      ("expires", expires.map { .string($0.description) }), ("renewable", .bool(isRenewable)),
    ])
  }

  /// As the document of `auditctl token show --json`, with their state at a time.
  package func document(at time: Timestamp) -> JSON {
    .members([
      ("id", .string(id)), ("status", .string(standing(at: time).word)), ("issuer", issuer.map(JSON.string)),
      ("scope", scope.map(JSON.string)), ("expires", expires.map { .string($0.description) }),
      ("renewable", .bool(isRenewable)), ("events", .array(events.map(\.json))),
    ])
  }
}

/// The life cycles of all tokens of some logs.
package struct TokenLives: Sendable {
  /// In the order in which they began.
  package private(set) var lives: [TokenLife] = []
  private var places: [String: Int] = [:]

  /// Reads some logs from their beginnings.
  ///
  /// - Throws: `StoreError` if one of them cannot be read.
  package init(reading logs: [some RecordReading]) throws(StoreError) {
    for log in logs {
      try log.forEach { record throws(StoreError) in
        guard record.type.hasPrefix(TokenLife.prefix), let data = try? JSON(parsing: record.data) else { return }
        add(TokenFact(record, data), of: record.stream, in: log.directory)
      }
    }
    sort()
  }

  package init() {}

  /// Sorts the events of each life cycle, and the life cycles by the times of their first events.
  package mutating func sort() {
    sortEvents()
    lives.sort { ($0.events[0].at, $0.id) < ($1.events[0].at, $1.id) }
    places = [:]  // of the order before
  }

  /// The life cycle of the tokens with this id, in any order; nil if there are none, and after `sort`.
  subscript(id: String) -> TokenLife? { places[id].map { lives[$0] } }

  /// Sorts the events of each life cycle.
  mutating func sortEvents() {
    for index in lives.indices where lives[index].events.count > 1 {
      lives[index].events = LogOrder.sorted(lives[index].events) { event in
        LogOrder.Place(store: event.store, at: event.at, position: event.position)
      }
    }
  }

  /// Adds an event of a flow.
  mutating func add(_ fact: TokenFact, of stream: String, in store: String, from origin: TokenLife.Origin? = nil) {
    // A device code does not belong to any tokens yet.
    guard fact.name != "awaited" else { return }
    // A refused sign-in returned no tokens.
    guard fact.id != nil || fact.name != "refused" else { return }
    let id = fact.id(in: stream)
    let event = TokenLife.Event(
      at: fact.at, name: fact.name, store: store, stream: stream, revision: fact.revision, position: fact.position,
      origin: origin, details: fact.details)
    if let place = places[id] {
      lives[place].events.append(event)
    } else {
      places[id] = lives.count
      lives.append(TokenLife(id: id, events: [event]))
    }
  }

  /// A table with one line per set of tokens, with their state at a time.
  package func lines(width: LineWidth, zone: Zone, at time: Timestamp) -> [String] {
    let length = FlowReference.shortLength(of: lives.map(\.id))
    return TextTable(
      [
        .init("TOKENS"), .init("BEGAN (\(zone.name))"), .init("STATUS"), .init("EVENTS", alignsRight: true),
        .init("EXPIRES", mayBeLeftOut: true), .init("SCOPE", mayShrink: true), .init("ISSUER", mayShrink: true),
      ],
      rows: lives.map { life in
        [
          String(life.id.prefix(length)),
          life.events.first.map { zone.moment($0.at) } ?? "-", life.standing(at: time).word,
          String(life.events.count), life.expires.map(zone.moment) ?? "-", life.scope ?? "-", life.issuer ?? "-",
        ]
      }
    ).lines(width: width)
  }
}

extension TokenLife {
  /// One line per event: time, event and flow.
  package func lines(width: LineWidth, zone: Zone) -> [String] {
    TextTable(
      [.init("TIME (\(zone.name))"), .init("EVENT"), .init("FLOW"), .init("REV", alignsRight: true), .init("WHAT")],
      rows: events.map { event in
        [
          zone.moment(event.at), event.name, FlowReference.identifier(of: event.stream),
          String(event.revision), Self.words(event),
        ]
      }
    ).lines(width: width)
  }

  private static func words(_ event: Event) -> String {
    let details = event.details
    func text(_ name: String) -> String? { details[name]?.string }
    switch event.name {
    case "issued", "refreshed":
      let time = details["expiresIn"]?.int.map { ", for \($0) s" } ?? ""
      return "for \(text("scope") ?? "no scope")\(time)"
    case "introspected":
      return "the \(token(details)) is \(details["active"]?.bool == true ? "active" : "not active")"
    case "revoked": return "the \(token(details))"
    case "refused":
      let code = details["details"]?["oauthCode"]?.string.map { ", \($0)" } ?? ""
      return "\(text("operation") ?? "an operation"): \(text("error") ?? "an error")\(code)"
    case "stored": return "for \(text("clientId") ?? "a client")"
    case "cleared": return "\(details["entries"]?.int ?? 0) entries"
    case _: return ""
    }
  }

  private static func token(_ details: JSON) -> String {
    (details["hint"]?.string ?? "token").replacing("_", with: " ")
  }
}
