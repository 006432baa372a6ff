// A response of an org as the SDK understands it, for a person.

import Authn
package import EventStore

/// What a response body of the classic authentication API says.
package struct ResponseExplanation {
  /// The canonical summary (spec `authn-summary.md`).
  package let summary: JSON

  /// Explains a body, whatever it holds.
  package init(authn body: [UInt8]) { summary = CanonicalSummary.summary(of: body) }

  /// The explanation in lines of a width; text of the response is made safe for a terminal.
  package func lines(width: Int) -> [String] {
    if summary["error"] != nil { return ["no JSON: the SDK reports responseSerializationError"] }
    var rows: [(String, String)] = []
    add("status", to: &rows)
    add("factorResult", as: "result", to: &rows)
    add("recoveryType", as: "recovery", to: &rows)
    add("factorType", as: "factor", to: &rows)
    add("user", to: &rows)
    add("expiresAt", as: "expires", to: &rows)
    for factor in summary["factors"]?.array ?? [] {
      let words = ["provider", "factorType", "id"].compactMap { factor[$0]?.string }
      rows.append(("factor", words.joined(separator: " ")))
    }
    let links = (summary["links"]?.array ?? []).compactMap(\.string)
    if !links.isEmpty { rows.append(("links", links.joined(separator: " "))) }
    let tokens = [("hasStateToken", "state token"), ("hasSessionToken", "session token")]
      .filter { summary[$0.0]?.bool == true }.map(\.1)
    if !tokens.isEmpty { rows.append(("carries", tokens.joined(separator: ", "))) }
    add("errorCode", as: "error", to: &rows)
    add("errorSummary", as: "says", to: &rows)
    for cause in summary["errorCauses"]?.array ?? [] { rows.append(("cause", cause.string ?? "(without a text)")) }
    if let items = summary["items"]?.int { rows.append(("items", "\(items)")) }
    if rows.isEmpty { return ["nothing that the SDK reads: no status, no link, no error"] }
    return rows.flatMap { name, text in
      Paragraph.lines(text.printable, width: width, lead: name.padded(to: 10))
    }
  }

  private func add(_ member: String, as name: String? = nil, to rows: inout [(String, String)]) {
    if let text = summary[member]?.string { rows.append((name ?? member, text)) }
  }
}
