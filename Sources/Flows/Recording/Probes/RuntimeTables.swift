// What the parts that every kind of flow stands on make of fixed inputs: for the digests of recordings. A recording reaches what
// its flows came by; which header is refused, how a date is read or what an encoded secret is taken for, most of them never do.

import EventStore

/// Tables of the runtime: a line for each input, and what came of it.
package enum RuntimeTables {
  /// The lines by the names of the parts. Cost: tens of milliseconds.
  package static var all: [String: [String]] {
    [
      "forms": forms, "requests": requests, "origins": origins, "heads": heads, "timings": timings, "dates": dates,
      "limits": limits, "coding": coding, "contexts": contexts, "cookies": cookies, "links": links, "answers": answers,
      "reasons": reasons, "words": words, "sightings": sightings, "masked": masked, "listened": listened, "jws": jws,
      "redirects": redirects, "claims": claims, "drawn": drawn, "captured": captured, "undeclared": undeclared,
      "facts": facts, "events": events, "addressed": addressed, "spelled": spelled, "devices": devices,
      "failures": failures,
    ]
  }

  /// Error codes as an org may send them: those that are known, and others.
  package static var errorCodes: [String] {
    (0..<300).map { "E" + String(repeating: "0", count: 7 - "\($0)".count) + "\($0)" }
  }

  /// The values as they are, and without each of them.
  package static func withEachLeftOut<Element>(of values: [Element]) -> [[Element]] {
    [values] + values.indices.map { left in values.indices.filter { $0 != left }.map { values[$0] } }
  }

  /// A line of a table. What is in it has a description of its own: names of types and their members may change.
  static func line(_ input: Any, _ output: Any?) -> String { "\(input) | \(output.map { "\($0)" } ?? "none")" }
}
