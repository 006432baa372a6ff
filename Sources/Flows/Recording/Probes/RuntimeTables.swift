// The results of code shared by all kinds for fixed inputs, for the digests of recordings. A recording covers only what
// its flows use; most never reach, for example, a refused header, an unusual date or an encoded secret.

import EventStore

/// Tables of the runtime: one line for each input, with its result.
package enum RuntimeTables {
  /// The lines by the names of the parts. Cost: tens of milliseconds.
  package static var all: [String: [String]] {
    [
      "forms": forms, "requests": requests, "origins": origins, "heads": heads, "timings": timings, "dates": dates,
      "limits": limits, "coding": coding, "contexts": contexts, "cookies": cookies, "links": links, "answers": answers,
      "reasons": reasons, "words": words, "sightings": sightings, "masked": masked, "listened": listened, "jws": jws,
      "redirects": redirects, "claims": claims, "drawn": drawn, "captured": captured, "undeclared": undeclared,
      "facts": facts, "events": events, "addressed": addressed, "spelled": spelled, "devices": devices,
      "failures": failures, "decoded": decoded, "learned": learned, "needles": needles, "stepped": stepped,
      "clocked": clocked, "teed": teed, "gaps": gaps, "streams": streams, "mixtures": mixtures,
      "answered": answered, "documented": documented, "refused": refused, "messages": messages, "handed": handed,
      "limited": limited, "dated": dated, "logged": logged, "kinds": kinds, "observed": observed,
    ]
  }

  /// Error codes that an org may send, known and unknown.
  package static var errorCodes: [String] {
    (0..<300).map { "E" + String(repeating: "0", count: 7 - "\($0)".count) + "\($0)" }
  }

  /// The values as they are, and without each of them in turn.
  package static func withEachLeftOut<Element>(of values: [Element]) -> [[Element]] {
    [values] + values.indices.map { left in values.indices.filter { $0 != left }.map { values[$0] } }
  }

  /// A line of a table. Values in it must have their own descriptions, because names of types and members may change.
  static func line(_ input: Any, _ output: Any?) -> String { "\(input) | \(output.map { "\($0)" } ?? "none")" }
}
