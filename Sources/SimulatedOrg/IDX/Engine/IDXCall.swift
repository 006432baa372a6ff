// The content of a request: JSON for the engine, a form for `interact`, a query for a browser.

import Foundation

/// One request, read.
struct IDXCall {
  var body: OrgJSON = [:]
  /// Form fields and query parameters.
  var form: [String: String] = [:]
  var authorization: String?
  var deviceToken: String
  /// The `idx` cookie: a session that was signed in.
  var session: String?
  var wantsIon = false

  /// Reads headers, query and body; refuses what the org cannot read.
  init(_ request: ReceivedRequest, _ route: IDXRoute, device: String) throws(Refusal) {
    deviceToken = device
    session = request.cookie("idx")
    authorization = request.header("Authorization")
    let accept = request.header("Accept")?.lowercased() ?? "*/*"
    wantsIon = accept.contains("ion+json")
    let fits = accept.split(separator: ",").contains { range in
      let type = range.prefix { $0 != ";" }.filter { $0 != " " }
      return ["*/*", "application/*", "application/json", "application/ion+json", "text/html"].contains(type)
    }
    if !fits { throw .otherAccept }
    let type = request.header("Content-Type")?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    switch route {
    case .idx:
      guard let type else { throw .noContentType }
      guard ["application/json", "application/ion+json", "application/vnd.okta.v1+json"].contains(type) else {
        throw .otherContentType
      }
      if request.body.isEmpty { return }
      guard let parsed = OrgJSON(parsing: request.body), case .object = parsed else { throw .notJSON }
      body = parsed
    case .interact:
      guard type == "application/x-www-form-urlencoded" else { throw .otherContentType }
      form = Self.fields(request.text.replacing("+", with: "%20"))
    case .provider, .mailLink:
      form = Self.fields(request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? "")
    }
  }

  /// The text at a dotted path of the body; numbers count as their text, the empty text as none.
  func text(_ path: String) -> String? {
    switch value(path) {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): String(number)
    case .object, .array, .bool, .null, nil: nil
    }
  }

  /// The flag at a dotted path.
  func flag(_ path: String) -> Bool? {
    switch value(path) {
    case .bool(let flag): flag
    case .string("true"): true
    case .string("false"): false
    case .string, .int, .object, .array, .null, nil: nil
    }
  }

  /// The value at a dotted path.
  func value(_ path: String) -> OrgJSON? {
    var here: OrgJSON? = body
    for step in path.split(separator: ".") { here = here?[String(step)] }
    return here
  }

  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first?.removingPercentEncoding, parts.count == 2 else { continue }
      fields[name] = fields[name] ?? parts[1].removingPercentEncoding ?? parts[1]
    }
    return fields
  }
}

extension ReceivedRequest {
  /// The value of a cookie.
  func cookie(_ name: String) -> String? {
    for pair in (header("Cookie") ?? "").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      if pair.hasPrefix(name + "="), pair.count > name.count + 1 { return String(pair.dropFirst(name.count + 1)) }
    }
    return nil
  }
}
