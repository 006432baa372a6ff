// The polling forms of a response, and the data that `remediation.changed` records about it.

import EventStore

extension ResponseReading {
  /// Returns the poll form of an authenticator or a remediation; `nil` if the response has none.
  func poll(_ source: IDXCore.Poll.Source) -> FormReading? {
    switch source {
    case .authenticator(let kind): authenticators.lazy.filter { $0.type == kind }.compactMap { $0.form("poll") }.first
    case .remediation(let name): remediations.first { $0.name == name }
    }
  }

  /// The form for the next poll. It exists only while that kind of authenticator is still the current one (§10).
  func continued(_ source: IDXCore.Poll.Source) -> FormReading? {
    guard case .authenticator(let kind) = source else { return poll(source) }
    return authenticators.first { $0.isCurrent }.flatMap { $0.type == kind ? $0.form("poll") : nil }
  }
}

enum IDXStep {
  /// What a reader of the log wants to see of a response, and what a replay must match. Absent members are left out.
  static func summary(of response: ResponseReading, after before: ResponseReading?, chosen: String?) -> JSON {
    let isRefused = response.allMessages.contains { $0.0.severity == "ERROR" }
    let answered = chosen?.utf8.starts(with: "challenge-".utf8) == true && !isRefused
    return .members([
      ("intent", response.json["intent"]), ("current", current(of: response)),
      ("answered", answered ? before.flatMap(current) : nil),
      ("user", response.json["user"]?["value"]?["identifier"]), ("expiresAt", response.json["expiresAt"]),
      ("stateHandle", response.json["stateHandle"]), ("success", response.success == nil ? nil : true),
      ("terminal", response.isTerminal ? true : nil),
    ])
  }

  /// The current authenticator's key, or else its kind.
  private static func current(of response: ResponseReading) -> JSON? {
    response.authenticators.first { $0.isCurrent }.flatMap { $0.key ?? $0.type }.map(JSON.string)
  }
}
