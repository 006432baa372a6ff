// The content of a device's request (device.md §3).

import Foundation

/// One request, read.
struct DeviceCall {
  var method: String
  /// The body, an object; empty if the endpoint takes none.
  var body: OrgJSON = [:]
  /// Form fields and query parameters.
  var form: [String: String] = [:]
  var authorization: String?

  /// Reads headers, query and body; refuses what the org cannot read.
  init(_ request: ReceivedRequest, _ route: DeviceRoute) throws(Refusal) {
    method = request.method
    authorization = request.header("Authorization")
    try Self.checkAccept(request)
    switch route {
    case .organization, .configuration, .pending:
      form = IDXCall.fields(request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? "")
    case .backchannel:
      guard Self.type(request) == "application/x-www-form-urlencoded" else { throw .otherContentType }
      form = IDXCall.fields(request.text.replacing("+", with: "%20"))
    case .enrollment where method == "DELETE": break
    case .enrollment: body = try Self.json(request, "application/merge-patch+json")
    case .enroll, .answer: body = try Self.json(request, "application/json")
    }
  }

  private static func json(_ request: ReceivedRequest, _ wanted: String) throws(Refusal) -> OrgJSON {
    guard let type = type(request) else { throw .noContentType }
    guard type == wanted else { throw .otherContentType }
    guard let json = OrgJSON(parsing: request.body), case .object = json else { throw .notJSON }
    return json
  }

  /// The media type without its parameters, which orgs write after `;` and after `,`.
  private static func type(_ request: ReceivedRequest) -> String? {
    request.header("Content-Type").map { media($0[...]) }
  }

  private static func media(_ text: Substring) -> String {
    String(text.lowercased().prefix { $0 != ";" && $0 != "," }.filter { $0 != " " })
  }

  private static func checkAccept(_ request: ReceivedRequest) throws(Refusal) {
    guard let accept = request.header("Accept") else { return }
    let fits = accept.split(separator: ",").contains { range in
      ["*/*", "application/*", "application/json", "application/merge-patch+json"].contains(media(range))
    }
    if !fits { throw .otherAccept }
  }
}
