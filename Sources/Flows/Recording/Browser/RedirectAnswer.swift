// What the person's browser shows after the redirect. Nothing of the request stands in it.

enum RedirectAnswer {
  /// A whole HTTP response.
  static func bytes(for verdict: RedirectRequest.Verdict) -> [UInt8] {
    switch verdict {
    case .redirect: response(200, "OK", page("Signed in", "You can close this window and go back to the application."))
    case .refuse(let status):
      response(status, reason(status), page("Not found", "This address serves one sign-in alone."))
    case .incomplete: []
    }
  }

  private static func response(_ status: Int, _ reason: String, _ body: String) -> [UInt8] {
    let head = [
      "HTTP/1.1 \(status) \(reason)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  private static func page(_ title: String, _ text: String) -> String {
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>\(title)</title><h1>\(title)</h1><p>\(text)</p></html>\n"
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    default: "Bad Request"
    }
  }
}
