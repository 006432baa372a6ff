// Checks of a request before the org looks at the operation (authn.md §1.2).

import Foundation

extension Call {
  /// Reads headers, query and body; refuses what the org cannot read.
  init(_ request: ReceivedRequest, _ operation: Operation, device: String, apiToken: String?) throws(Refusal) {
    try Self.checkAccept(request)
    var body = AuthnBody()
    if case .duoCallback = operation {
      let form = Self.query("?" + request.text.replacing("+", with: "%20"))
      body.stateToken = form["stateToken"]
      body.duoResponse = form["sig_response"]
    } else if request.method == "POST" {
      try Self.checkContentType(request)
      do {
        body = try JSONDecoder().decode(AuthnBody.self, from: Data(request.body))
      } catch {
        throw .notJSON
      }
    }
    var trusted = false
    if let authorization = request.header("Authorization") {
      guard let apiToken, authorization == "SSWS \(apiToken)" else { throw .invalidToken }
      trusted = true
    }
    self.init(body: body, query: Self.query(request.target), deviceToken: device, trusted: trusted)
  }

  private static func checkAccept(_ request: ReceivedRequest) throws(Refusal) {
    guard let accept = request.header("Accept") else { throw .noAccept }
    let fits = accept.lowercased().split(separator: ",").contains { range in
      let type = range.prefix { $0 != ";" }.filter { $0 != " " }
      return ["*/*", "application/*", "application/json"].contains(type)
    }
    if !fits { throw .otherAccept }
  }

  private static func checkContentType(_ request: ReceivedRequest) throws(Refusal) {
    guard let type = request.header("Content-Type") else { throw .noContentType }
    let plain = type.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    if plain != "application/json" { throw .otherContentType }
  }

  private static func query(_ target: String) -> [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }
}

extension ReceivedRequest {
  /// The device token of the `DT` cookie.
  var deviceToken: String? { cookie("DT") }
}
