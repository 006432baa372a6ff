// Links that an application makes: what they consist of, and what a call on them sends.

import EventStore
import FlowRecording
import Foundation

extension AuthnKind {
  static var linked: Set<String> {
    let hints: [[String: [String]]] = [
      [:], ["allow": []], ["allow": ["GET"]], ["allow": ["POST", "GET"]], ["other": ["PUT"]],
      ["b": ["1"], "allow": ["POST"], "a": ["3", "2"]],
    ]
    let names: [String?] = [nil, "verify", ""]
    return Set(
      hints.enumerated().flatMap { number, hints in
        names.map { name in
          let link = LinksResponse.Link(href: TrialAnswers.url, name: name, hints: hints)
          let sent = PayloadArguments.arguments(link, ["a": 1]).map { "\($0) \($1?.text ?? "-")" }
          let again = LinksResponse.Link(json: link.json)
          return "\(number) \(name ?? "-")|\(link.json.text)|\(link.href.absoluteString) \(link.address)|\(link.allow)|"
            + "\(link.hints.keys.sorted())|\(sent)|\(again == link)|\(Printed.text(link))"
        }
      })
  }
}
