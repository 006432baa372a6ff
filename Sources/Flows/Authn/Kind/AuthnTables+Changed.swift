// What each call makes of a page, and of its arguments, with one value changed.

import EventStore
import FlowRecording

extension AuthnKind {
  static var changed: Set<String> { Set(changedPages + changedArguments + unread) }

  private static let statuses = [
    "MFA_CHALLENGE", "MFA_REQUIRED", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "RECOVERY", "LOCKED_OUT",
  ]

  /// Each value of a page changed: in each way for the first status, in two for the others.
  private static var changedPages: [String] {
    statuses.enumerated().flatMap { turn, status -> [String] in
      let document = page(status) { link($0) }
      let unchanged = driven(document)
      // The others are refused on the page as it is, which the first status shows.
      let tried = AuthnCall.allCases.filter { call in
        var flow = unchanged
        return flow.call(call, whole).contains(RequestSent.type) || turn == 0
      }
      return ChangedJSON.digests(of: document, in: ChangedJSON.ways(ofDocument: turn)) { document in
        let resting = driven(document)
        let calls = tried.map { call in
          var flow = resting
          return flow.call(call, whole)
        }
        return resting.core.json.text + calls.joined(separator: "\n")
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
