// The content of a request to an authorization server: a query, a form, or both.

import Foundation

/// One request, read.
struct OAuthCall {
  let method: String
  /// The query, undecoded.
  let query: String
  /// The query's parameters.
  let parameters: [String: String]
  /// The form's fields.
  let form: [String: String]
  /// A name that occurs twice, which no endpoint accepts (RFC 6749 §3.1, §3.2).
  let duplicate: String?
  let authorization: String?
  /// The `idx` cookie: a session that was signed in.
  let session: String?

  /// Reads headers, query and body; refuses what the org cannot read.
  init(_ request: ReceivedRequest) throws(Refusal) {
    method = request.method
    query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    authorization = request.header("Authorization")
    session = request.cookie("idx")
    parameters = Self.fields(query)
    var names = Self.names(query)
    if method == "POST", !request.body.isEmpty {
      let type = request.header("Content-Type")?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
      guard type == "application/x-www-form-urlencoded" else { throw .otherContentType }
      form = Self.fields(request.text)
      names += Self.names(request.text)
    } else {
      form = [:]
    }
    var seen: Set<String> = []
    duplicate = names.first { !seen.insert($0).inserted }
  }

  /// A form's fields; `+` is a space.
  static func fields(_ text: String) -> [String: String] { IDXCall.fields(text.replacing("+", with: "%20")) }

  private static func names(_ text: String) -> [String] {
    text.split(separator: "&").compactMap { String($0.prefix { $0 != "=" }).removingPercentEncoding }
  }
}
