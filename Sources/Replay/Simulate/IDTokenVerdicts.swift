// The recorded client's verdicts on the ID tokens that it received.

import EventStore
import FlowRecording

/// The verdicts on the ID tokens of a flow.
struct IDTokenVerdicts: Sendable {
  /// The verdict on one token.
  enum Verdict: Sendable {
    /// The client accepted it; its claims, `null` if none were recorded.
    case taken(claims: JSON)
    case refused
  }

  private var verdicts: [Int: Verdict] = [:]

  /// Finds the verdicts on the ID tokens of a flow, in one pass from its end.
  ///
  /// An acceptance identifies its token. A refusal does not: it belongs to the nearest earlier answer with a token, and
  /// to none if a later request for tokens was answered without one.
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

  /// The verdict on the ID token in an answer; `nil` if it was not checked.
  ///
  /// - Parameter index: the index of the answer in the flow.
  subscript(index: Int) -> Verdict? { verdicts[index] }
}
