// Describes token flows in words.

import EventStore
package import FlowRecording

/// Describes the events of one token flow in words.
package struct OIDCNarrator: FlowNarrator {
  package private(set) var status = ""

  package init() {}

  package mutating func words(for event: DomainEvent, at revision: Int) -> Words? {
    guard let name = TokenEvent(rawValue: event.type) else { return nil }
    let data = event.data
    func text(_ member: String) -> String { data[member].map(Narration.brief) ?? "" }
    switch name {
    case .issued:
      status = "signed in"
      return Words("tokens \(text("id")) are issued for \(text("scope"))\(Self.until(data))", .good)
    case .refreshed:
      status = "renewed"
      return Words("tokens \(text("id")) are renewed for \(text("scope"))\(Self.until(data))", .good)
    case .refused:
      status = "refused"
      return Words("\(text("operation")) is refused: \(Self.reason(data))", .bad)
    case .introspected:
      let isActive = data["active"]?.bool == true
      status = isActive ? "active" : "inactive"
      return Words("the server says that the \(Self.token(data)) is \(status)", isActive ? .good : .notice)
    case .revoked:
      status = "revoked"
      return Words("the \(Self.token(data)) is revoked", .notice)
    case .stored: return Words("tokens \(text("id")) are stored", .quiet)
    case .cleared: return Words("\(text("entries")) entries are removed from the store", .notice)
    case .awaited:
      status = "awaited"
      return Words("the person is to type the code \(text("userCode")) at \(text("verificationUri"))", .notice)
    }
  }

  private static func until(_ data: JSON) -> String {
    data["expiresIn"]?.int.map { ", for \(Narration.duration(seconds: $0))" } ?? ""
  }

  private static func token(_ data: JSON) -> String {
    (data["hint"]?.string ?? "token").replacing("_", with: " ")
  }

  /// The problem: the claim and its rule, or else the server's code, or else the text.
  private static func reason(_ data: JSON) -> String {
    let error = data["error"]?.string ?? ""
    let details = data["details"] ?? [:]
    if let failure = details["idToken"], let claim = failure["claim"]?.string {
      return "\(error), \(claim) \(failure["rule"]?.string ?? "")"
    }
    let more = details["oauthCode"] ?? details["text"]
    return more.map { "\(error), \(Narration.brief($0))" } ?? error
  }
}
