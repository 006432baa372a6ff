package import EventStore
import FlowRecording

/// A disagreement between the two sides of a push, or an answer that should not have counted.
package struct Contradiction: Sendable, Equatable {
  /// The kind of contradiction.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The org accepted the device's approval, but the approval did not complete the sign-in.
    case approvedThereNotHere
    /// The sign-in succeeded by the push, but the device did not approve it.
    case approvedHereNotThere
    /// The person answered more than once.
    case answeredTwice
    /// The person answered after the challenge had expired, and later than clocks may differ.
    case approvedAfterExpiry
    /// One side showed a number to compare and the other did not.
    case numberNotShown
  }

  /// The kind of contradiction.
  package var kind: Kind
  /// What happened, in a sentence.
  package var message: String

  /// As an element of `contradictions`.
  package var json: JSON { ["kind": .string(kind.rawValue), "message": .string(message)] }
}

extension PushPair {
  /// The contradictions between the two sides.
  package var contradictions: [Contradiction] {
    var found: [Contradiction] = []
    let here = signIn.push.outcome
    let there = device.map(\.push.outcome)
    let approved = there.contains(.approved)
    if approved, ![.approved, .open].contains(here) {
      found.append(
        Contradiction(
          kind: .approvedThereNotHere,
          message: "The device approved and the org took it; to the sign-in the push was \(here.words)."))
    }
    if here == .approved, !approved {
      let words = there.map(\.words).joined(separator: " and ")
      // The org may have received an answer without the device learning of it.
      if !there.contains(.unknown) {
        found.append(
          Contradiction(
            kind: .approvedHereNotThere,
            message: "The sign-in was let in; on the device the push was \(words)."))
      }
    }
    let answers = device.flatMap(\.push.answers)
    if answers.count > 1 {
      let words = answers.map(\.word).joined(separator: ", then ")
      found.append(
        Contradiction(kind: .answeredTwice, message: "The person answered \(answers.count) times: \(words)."))
    }
    for seen in device {
      guard let expires = seen.push.expires, let last = seen.push.answerableUntil,
        let late = seen.push.answers.first(where: { $0.word == "approved" && $0.at > last })
      else { continue }
      found.append(
        Contradiction(
          kind: .approvedAfterExpiry,
          message: "The approval of \(late.at) came after the challenge had expired at \(expires)."))
    }
    let numbers = device.compactMap(\.push.showsNumber)
    if let here = signIn.push.showsNumber, !numbers.isEmpty, !numbers.contains(here) {
      found.append(
        Contradiction(
          kind: .numberNotShown,
          message: here
            ? "The sign-in showed a number to compare; the device showed none."
            : "The device asked for a number to compare; the sign-in showed none."))
    }
    return found
  }

  /// `auditctl correlate --json` has one of these for each pair.
  package var json: JSON {
    let approval = device.first { $0.push.outcome == .approved || $0.push.outcome == .rejected } ?? device[0]
    let answer = approval.push.answers.first
    return .members([
      ("signIn", signIn.json), ("device", .array(device.map(\.json))), ("answer", answer.map { .string($0.word) }),
      ("answeredBy", (approval.user ?? signIn.user).map(JSON.string)),
      ("key", approval.push.facts["key"].map(JSON.string)),
      (
        "answeredAfterMs",
        answer.map { .int(Int(max(0, $0.at.microseconds - arrived.microseconds) / 1_000)) }
      ),
      ("contradictions", .array(contradictions.map(\.json))),
    ])
  }
}

extension PushSighting.Outcome {
  /// In a sentence: «the push was …».
  var words: String {
    switch self {
    case .approved: "approved"
    case .rejected: "rejected"
    case .timedOut: "not answered in time"
    case .unknown: "answered with an unknown end"
    case .failed: "refused"
    case .abandoned: "given up"
    case .open: "still open"
    }
  }
}
