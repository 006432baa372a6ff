// What each call makes of a page, and of its arguments, with one value changed.

import EventStore
import FlowRecording

extension AuthnKind {
  static var changed: Set<String> { Set(changedPages + changedArguments + unread) }

  private static let statuses = [
    "MFA_CHALLENGE", "MFA_REQUIRED", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "RECOVERY", "LOCKED_OUT",
  ]

  /// Each call on a page as it is, and with each value of the page changed: in each way for the first status, in one for
  /// the others. Calls that are refused on the page as it is are not made on the changed ones.
  private static var changedPages: [String] {
    statuses.enumerated().flatMap { turn, status -> [String] in
      let document = page(status) { link($0) }
      func ends(_ document: JSON, _ calls: [AuthnCall]) -> [String] {
        let resting = driven(document)
        return [resting.core.json.text]
          + calls.map { call in
            var flow = resting
            return flow.call(call, whole)
          }
      }
      let unchanged = ends(document, AuthnCall.allCases)
      let tried = zip(AuthnCall.allCases, unchanged.dropFirst()).filter { $1.contains(RequestSent.type) }.map(\.0)
      return ["\(status) as it is|\(StableHash.text(unchanged.joined(separator: "\n")))"]
        + ChangedJSON.digests(of: document, in: ChangedJSON.ways(ofDocument: turn)) {
          ends($0, tried).joined(separator: "\n")
        }.map { "\(status) \($0.place)|\($0.digest)" }
    }
  }

  /// Each call, answered with a body that is not kept.
  private static var unread: [String] {
    let resting = driven(page("MFA_CHALLENGE") { link($0) })
    return AuthnCall.allCases.map { call in
      let digest = RecordedBody.unreadDigest([200, 204, 401, 429, 503]) { reason, status in
        var flow = resting
        flow.call(call, whole)
        return flow.answerUnread(reason, status) + flow.fire() + flow.core.json.text
      }
      return "unread, \(call.rawValue)|\(digest)"
    }
  }

  /// Each argument of each call changed in each way.
  private static var changedArguments: [String] {
    let beginnings = ["MFA_CHALLENGE", "MFA_ENROLL"].map { status in (status, driven(page(status) { link($0) })) }
    return beginnings.flatMap { status, resting in
      AuthnCall.allCases.flatMap { call in
        ChangedJSON.digests(of: whole) { arguments in
          var flow = resting
          return flow.call(call, arguments)
        }.map { "\(status), \(call.rawValue) \($0.place)|\($0.digest)" }
      }
    }
  }
}
