// What the recorded client made of the ID tokens that it got.

import EventStore
import FlowRecording

/// What became of the ID tokens of a flow.
struct IDTokenVerdicts: Sendable {
  /// What became of one.
  enum Verdict: Sendable {
    /// The client took it; its claims, `null` if none were recorded.
    case taken(claims: JSON)
    case refused
  }

  private var verdicts: [Int: Verdict] = [:]

  /// Finds what became of the ID tokens of a flow, in one pass from its end.
  ///
  /// A token that was taken is known by itself. A refusal does not name its token: it belongs to the nearest answer
  /// before it that brought one, and to none if a later request for tokens was answered without.
  ///
  /// - Parameters:
  ///   - records: the flow.
  ///   - requests: its requests, by their revisions.
  init(of records: [FlowRecord], _ requests: [Int: RequestSent]) {
    var taken: [String: JSON] = [:]
    var isRefused = false
    for index in records.indices.reversed() {
      let record = records[index]
      if case .domain(let event) = record.event {
        if event.type == "token.refused" { isRefused = true }
        if ["token.issued", "token.refreshed"].contains(event.type),
          let token = event.data["tokens"]?["id_token"]?.string
        {
          taken[token] = event.data["claims"] ?? .null
        }
      } else if let token = RecordedIDToken.text(in: record.event) {
        if let claims = taken.removeValue(forKey: token) {
          verdicts[index] = .taken(claims: claims)
        } else if isRefused {
          verdicts[index] = .refused
        }
        isRefused = false
      } else if case .responseReceived = record.event,
        record.cause.flatMap({ requests[$0] })?.body?["grant_type"] != nil
      {
        isRefused = false
      }
    }
  }

  /// What became of the ID token in an answer; `nil` if it was not checked.
  ///
  /// - Parameter index: where the answer stands in the flow.
  subscript(index: Int) -> Verdict? { verdicts[index] }
}
