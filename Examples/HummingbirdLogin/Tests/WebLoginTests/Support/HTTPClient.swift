import FlowRecording
import Foundation

/// Sends single requests: no cookies but those that are given, and no redirect is followed. It borrows the SDK's
/// transport, so that the tests need no other HTTP client.
enum HTTPClient {
  struct Answer {
    var status: Int
    var headers: [HTTPField]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  static func send(
    _ method: String, _ url: URL, headers: [HTTPField] = [], body: Data? = nil
  ) async throws -> Answer {
    let request = HTTPRequest(method: method, url: url.absoluteString, headers: headers, body: body.map(Array.init))
    let response = try await withCheckedThrowingContinuation { continuation in
      CurlTransport.standard.send(request) { continuation.resume(with: $0) }
    }
    return Answer(status: response.status, headers: response.headers, body: Data(response.body))
  }

  /// Gets a page, or sends a form as a browser does.
  static func send(_ url: URL, form: [String: String]? = nil, cookie: String? = nil) async throws -> Answer {
    var headers = cookie.map { [HTTPField("Cookie", $0)] } ?? []
    guard let form else { return try await send("GET", url, headers: headers) }
    headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
    let text = form.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    return try await send("POST", url, headers: headers, body: Data(text.utf8))
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
