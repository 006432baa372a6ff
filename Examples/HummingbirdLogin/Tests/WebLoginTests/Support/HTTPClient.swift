import Foundation
import FoundationNetworking

/// Sends single requests: no cookies but those that are given, and no redirect is followed.
enum HTTPClient {
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  /// - Parameter form: sent as a browser sends a form; without one, this is a GET.
  static func send(_ url: URL, form: [String: String]? = nil, cookie: String? = nil) async throws -> Answer {
    var request = URLRequest(url: url, timeoutInterval: 20)
    if let form {
      request.httpMethod = "POST"
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      let text = form.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
      request.httpBody = Data(text.utf8)
    }
    if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
    return try await send(request)
  }

  static func send(_ request: URLRequest) async throws -> Answer {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    let session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
    return Answer(status: response.statusCode, headers: headers, body: String(decoding: data, as: UTF8.self))
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }
}
