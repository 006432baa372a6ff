// The page that the browser shows after the redirect. It contains nothing from the request.

enum RedirectAnswer {
  /// A whole HTTP response.
  ///
  /// - Parameter finishedPage: where the browser goes after the redirect; nil for the built-in page.
  static func bytes(for verdict: RedirectRequest.Verdict, finishedPage: String? = nil) -> [UInt8] {
    switch verdict {
    case .redirect where finishedPage != nil:
      response(302, "Found", page("Signed in", "You can close this window."), ["Location: \(finishedPage ?? "")"])
    case .preflight:
      response(
        204, "No Content", "",
        [
          "Access-Control-Allow-Origin: *", "Access-Control-Allow-Methods: GET",
          "Access-Control-Allow-Private-Network: true",
        ])
    case .redirect: response(200, "OK", page("Signed in", "You can close this window and go back to the application."))
    case .refuse(let status):
      response(status, reason(status), page("Not found", "This address serves one sign-in alone."))
    case .incomplete: []
    }
  }

  private static func response(_ status: Int, _ reason: String, _ body: String, _ more: [String] = []) -> [UInt8] {
    // An answer without content has no `Content-Length` either (RFC 9110 §8.6).
    let content =
      body.isEmpty ? [] : ["Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)"]
    let rules = [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "Connection: close",
    ]
    let head = ["HTTP/1.1 \(status) \(reason)"] + more + content + rules
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  private static func page(_ title: String, _ text: String) -> String {
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>\(title)</title><h1>\(title)</h1><p>\(text)</p></html>\n"
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 431: "Request Header Fields Too Large"
    default: "Bad Request"
    }
  }
}
