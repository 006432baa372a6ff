// The canonical summary of an Identity Engine response in words.

import EventStore

enum IdentityEngineRows {
  /// The contents of a summary: a name and a text for each line.
  static func rows(of summary: JSON) -> [(String, String)] {
    var rows: [(String, String)] = []
    if let intent = summary["intent"]?.string { rows.append(("intent", intent)) }
    for message in summary["messages"]?.array ?? [] {
      let words = ["class", "key", "text"].compactMap { message[$0]?.string }
      rows.append(("message", words.isEmpty ? "(without a text)" : words.joined(separator: ": ")))
    }
    for remediation in summary["remediations"]?.array ?? [] {
      let words = [remediation["name"]?.string ?? "(without a name)", remediation["href"]?.string]
      rows.append(("offers", words.compactMap { $0 }.joined(separator: "  ")))
      for field in (remediation["fields"]?.array ?? []) where field["visible"] == true {
        rows.append(("", tell(field)))
      }
    }
    for authenticator in summary["authenticators"]?.array ?? [] {
      rows.append(("can use", tell(authenticator: authenticator)))
    }
    if let poll = summary["poll"], poll != .null {
      rows.append(
        ("polls", "\(poll["name"]?.string ?? "poll") every \(poll["interval"]?.int.map { "\($0) ms" } ?? "5 s")"))
    }
    if summary["successWithInteractionCode"] == true { rows.append(("carries", "an interaction code")) }
    if summary["canCancel"] == true { rows.append(("also", "cancel")) }
    return rows
  }

  private static func tell(_ field: JSON) -> String {
    let options = (field["options"]?.array ?? []).compactMap(\.string)
    let marks = ["required", "secret"].filter { field[$0] == true }
    return
      ([field["path"]?.string ?? ""] + marks + (options.isEmpty ? [] : ["one of \(options.joined(separator: ", "))"]))
      .joined(separator: "  ")
  }

  private static func tell(authenticator: JSON) -> String {
    let name =
      authenticator["displayName"]?.string ?? authenticator["key"]?.string ?? authenticator["type"]?.string ?? "?"
    let lists = ["methods", "capabilities"].map {
      (authenticator[$0]?.array ?? []).compactMap(\.string).joined(separator: " ")
    }
    return ([name, authenticator["state"]?.string] + lists.map(Optional.some)).compactMap { $0 }.filter { !$0.isEmpty }
      .joined(separator: "  ")
  }
}
