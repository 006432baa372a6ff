import Hummingbird

/// A page of the site.
struct Page {
  let title: String
  let content: HTML
  /// The step that the page shows, if its script shall look for a newer one.
  var waitsBeyond: Int?

  private var document: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>\(title) – Web login</title>
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="data:,">
    \(waiting)</head>
    <body>
    <main>
    <h1>\(title)</h1>
    \(content)</main>
    </body>
    </html>

    """
  }

  /// Without scripts, the page is loaded again every few seconds.
  private var waiting: HTML? {
    waitsBeyond.map {
      """
      <script src="/wait.js" data-step="\($0)" defer></script>
      <noscript><meta http-equiv="refresh" content="3"></noscript>

      """
    }
  }

  func response(status: HTTPResponse.Status = .ok, cookie: Cookie? = nil) -> Response {
    var response = Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: document.source)))
    if let cookie { response.setCookie(cookie) }
    return response
  }
}

/// The pages that are no step of a sign-in.
enum Pages {
  /// For visitors.
  static func front(_ session: Session) -> Page {
    Page(
      title: "Web login",
      content: """
        <p>You are not signed in.</p>
        \(button("Sign in", to: "/sign-in", session))
        """)
  }

  /// For people who have signed in.
  static func welcome(_ account: Account, _ session: Session) -> Page {
    Page(
      title: "Hello, \(account.name)",
      content: """
        <p id="account">You are signed in.</p>
        \(button("Sign out", to: "/sign-out", session))
        \(recordedAs(account.flowID))
        """)
  }

  static func error(_ text: String) -> Page {
    Page(
      title: "That did not work",
      content: """
        <p class="message error" role="alert">\(text)</p>
        <p><a href="/">Go to the front page</a></p>

        """)
  }

  /// A form of one button.
  static func button(_ label: String, to path: String, _ session: Session) -> HTML {
    """
    <form method="post" action="\(path)">
    <input type="hidden" name="csrf" value="\(session.csrfToken)">
    <button>\(label)</button>
    </form>

    """
  }

  /// Where the log has this sign-in. A flow's id is no secret: nothing can be done with it but to look it up there.
  static func recordedAs(_ flowID: String) -> HTML {
    """
    <p class="record">Recorded as <code id="flow">\(flowID)</code></p>

    """
  }
}
